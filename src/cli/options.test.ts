import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEvalOptions, runEvals, type EvalRequest } from './eval-command.ts';
import { findBrowser, thisMachine } from './find-browser.ts';
import { readAllowed, help, onePlace, readOptions, resultsFile } from './options.ts';
import { cacheFolder, takeProfile } from './profile.ts';
import { runTests } from './test-command.ts';

/** A folder that is removed after the test. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-options-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('the help fits a screen', () => {
  const lines = help.split('\n');
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(90);
});

test('a command, its folder and its options are read', () => {
  expect(readOptions([]).command).toBe('help');
  expect(readOptions(['mcp', '--help']).command).toBe('help');
  expect(readOptions(['--version']).command).toBe('version');
  const opened = readOptions(['tools', '--port', '80']);
  expect([opened.command, onePlace(opened), opened.text('port')]).toEqual(['open', 'tools', '80']);
  // A folder may be called like a command.
  expect(onePlace(readOptions(['test', 'test']))).toBe('test');
  expect(() => readOptions(['test', 'tools', '--port', '80'])).toThrow("Unknown option '--port'");
  expect(() => onePlace(readOptions(['test', 'a', 'b']))).toThrow('Name one folder');
  expect(() => onePlace(readOptions(['tset', 'a']))).toThrow(
    /^“tset” is not a command\. .* Name one folder, in quotes if it has spaces/,
  );
  for (const places of [
    ['./a', './b'],
    ['a/b', 'c'],
    ['C:\\My', 'Tools'],
    ['..', 'a'],
  ])
    expect(() => onePlace(readOptions(places))).toThrow(/^Name one folder/);
});

test('the command of the bridge is read with its own options, also without the dashes before it', () => {
  const words = ['npx', '-y', 'server', '--port', '5'];
  for (const dashes of [['--'], []]) {
    const typed = readOptions([
      'bridge',
      '--port',
      '80',
      '--allow-origin=http://a.example',
      ...dashes,
      ...words,
    ]);
    expect([typed.places, typed.text('port')]).toEqual([words, '80']);
    expect(typed.texts('allow-origin')).toEqual(['http://a.example']);
  }
  expect(readOptions(['bridge', '--help']).command).toBe('help');
  expect(() => readOptions(['bridge', '--prot', '80', 'npx'])).toThrow("Unknown option '--prot'");
});

test('a file for results that cannot be written is refused before anything runs', async () => {
  const folder = await temporaryFolder();
  const file = (path: string) => resultsFile(readOptions(['test', 'x', '--json', path]));
  for (const path of [folder, join(folder, 'nowhere', 'results.json')])
    await expect(file(path)).rejects.toThrow(`--json ${path} cannot be written: `);
  const results = join(folder, 'results.json');
  expect(await file(results)).toBe(results);
  // A command that is refused later leaves no file.
  expect(await readdir(folder)).toEqual([]);
  await writeFile(results, '[1]');
  expect([await file(results), await readFile(results, 'utf8')]).toEqual([results, '[1]']);
  await expect(file(join(results, 'inside.json'))).rejects.toThrow('cannot be written: ');
  expect(await resultsFile(readOptions(['test', 'x']))).toBeUndefined();
  const eaten = readOptions(`eval . --model a/b --base-url http://x --json ${folder}`.split(' '));
  await expect(readEvalOptions(eaten, {})).rejects.toThrow('cannot be written');
});

test('a line break at the end of a key is removed', async () => {
  const typed = readOptions('eval . --model a/b --base-url http://x'.split(' '));
  expect((await readEvalOptions(typed, { CLOCHE_MODEL_KEY: ' sk-1\r\n' })).model.key).toBe('sk-1');
});

test('nothing is allowed but what an option names', () => {
  expect(readAllowed(readOptions(['mcp', 'x']), {})).toEqual({
    approvals: false,
    extensions: false,
    packages: false,
    writes: false,
    origins: [],
    secrets: {},
  });
  const words = '--network https://a.example/x --network http://localhost:9 --allow-approvals';
  const typed = readOptions(['mcp', 'x', ...words.split(' '), '--secret', 'KEY=MY_KEY']);
  expect(readAllowed(typed, { MY_KEY: 'k=1' })).toEqual({
    approvals: true,
    extensions: false,
    packages: false,
    writes: false,
    origins: ['https://a.example', 'http://localhost:9'],
    secrets: { KEY: 'k=1' },
  });
  expect(() => readAllowed(typed, {})).toThrow(
    '--secret KEY: there is no such environment variable',
  );
  const wrong = readOptions(['mcp', 'x', '--network', 'example.com']);
  expect(() => readAllowed(wrong, {})).toThrow('--network needs an origin');
});

test('options of an evaluation are checked before anything starts', async () => {
  const base = ['eval', 'x', '--model', 'Mine/small', '--base-url', 'http://127.0.0.1/v1'];
  const read = (...more: string[]): Promise<EvalRequest> =>
    readEvalOptions(readOptions([...base, ...more]), { CLOCHE_MODEL_KEY: 'key' });
  expect(await read('--repeat', '3', '--max-cost', '0.5')).toMatchObject({
    file: null,
    model: { kind: 'openai-compatible', provider: 'Mine', model: 'small', key: 'key' },
    repeats: 3,
    limits: { cost: 0.5 },
  });
  await expect(read('--repeat', '0')).rejects.toThrow('a whole number from 1 to 100, not 0');
  await expect(read('--max-cost', 'free')).rejects.toThrow('a number of US dollars, not free');
  await expect(read('--kind', 'none')).rejects.toThrow('Use one of openai-compatible');
  await expect(readEvalOptions(readOptions(['eval', 'x']), {})).rejects.toThrow('--model needs');
});

test('one file of evaluations is run in its folder', async () => {
  const place = await temporaryFolder();
  const file = join(place, 'evals/sums.yaml');
  await mkdir(join(place, 'evals'));
  await writeFile(file, '');
  const words = ['eval', file, '--model', 'Mine/small', '--base-url', 'http://127.0.0.1/v1'];
  const read = await readEvalOptions(readOptions(words), {});
  expect([read.folder, read.file]).toEqual([place, 'evals/sums.yaml']);
});

const ran = {
  name: 'Sums',
  file: 'evals/sums.json',
  state: 'done',
  reason: '',
  missed: [] as string[],
  models: [
    {
      model: 'Mine/small',
      passed: 3,
      failed: 0,
      errors: 0,
      rate: 1,
      interval: [0.44, 1],
      requests: 6,
      tokens: 330,
      cost: null,
    },
  ],
};

/** A page that answers each method with a value. */
function pageOf(answers: Record<string, unknown>): Parameters<typeof runEvals>[0] {
  return {
    ask: (...[method]: [string, ...unknown[]]) =>
      Promise.resolve(answers[method]) as Promise<never>,
  };
}

test('the exit code of evaluations says what happened', async () => {
  const request = await readEvalOptions(
    readOptions(['eval', 'x', '--model', 'a/b', '--base-url', 'http://c/', '--max-cost', '1']),
    {},
  );
  const run = async (
    result: object,
    evaluations: object[] = [{ path: 'evals/sums.json', problems: [] }],
  ): Promise<{ code: number; said: string }> => {
    const said: string[] = [];
    const page = pageOf({
      addModel: { price: null },
      evaluations,
      evaluate: JSON.stringify({ ...ran, ...result }),
    });
    const add = (text: string): unknown => said.push(text);
    return { code: await runEvals(page, request, add, add), said: said.join('\n') };
  };
  const passed = await run({});
  expect(passed.code).toBe(0);
  expect(passed.said).toContain('The price of a/b is not known, so its cost is not limited.');
  expect(passed.said).toContain('100 % (95 %: 44 % to 100 %), 3 passed, 0 failed');
  expect((await run({ missed: ['too low'] })).code).toBe(1);
  const stopped = await run({ state: 'stopped', reason: 'The limit is reached.', missed: ['x'] });
  expect([stopped.code, stopped.said.includes('The limit is reached.')]).toEqual([2, true]);
  expect((await run({ models: [{ ...ran.models[0], errors: 1 }] })).code).toBe(2);
  await expect(run({}, [])).rejects.toThrow('x has no evaluations in evals/.');
  const problem = { line: 1, message: 'there is no tool “work:gone”', hint: 'Correct it.' };
  await expect(run({}, [{ path: 'evals/a.json', problems: [problem] }])).rejects.toThrow(
    'evals/a.json:1: there is no tool “work:gone”. Correct it.',
  );
});

test('the exit code of tests says what happened', async () => {
  const test = (state: string): object => ({
    test: { name: 'adds', tool: 'calc:add', file: 'calc.tests.json', line: 2 },
    state,
    reasons: state === 'failed' ? ['3 is not 4'] : [],
    result: { durationMs: 4.2 },
  });
  const json = join(await temporaryFolder(), 'results.json');
  await writeFile(json, '[1]');
  const run = async (...states: string[]): Promise<[number, string[]]> => {
    const said: string[] = [];
    const page = pageOf({ runTests: { tests: states.map(test), problems: [] } });
    const add = (text: string): unknown => said.push(text);
    const code = await runTests(page, { only: '', json }, add, () => undefined);
    return [code, said];
  };
  expect((await run())[0]).toBe(2);
  // Without a test, the results of an earlier run stay.
  expect(await readFile(json, 'utf8')).toBe('[1]');
  expect(await run('passed')).toEqual([0, ['ok    adds  calc:add  4 ms', '1 passed, 0 failed']]);
  const failed = ['FAIL  adds  calc:add  4 ms', '      calc.tests.json:2: 3 is not 4'];
  expect(await run('failed')).toEqual([1, [...failed, '0 passed, 1 failed']]);
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject([{ state: 'failed' }]);
  expect((await run('passed', 'needs-approval'))[0]).toBe(2);
});

test('a browser is found on each system, or its absence says what to do', () => {
  const at = (
    platform: NodeJS.Platform,
    env: Record<string, string>,
    ...programs: string[]
  ): string => findBrowser({ platform, env, isProgram: (path) => programs.includes(path) });
  expect(at('linux', { PATH: '/a:/b' }, '/b/chromium')).toBe('/b/chromium');
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(at('darwin', { HOME: '/h' }, mac)).toBe(mac);
  const edge = 'C:\\P\\Microsoft\\Edge\\Application\\msedge.exe';
  expect(at('win32', { 'PROGRAMFILES(X86)': 'C:\\P' }, edge)).toBe(edge);
  expect(at('linux', { CLOCHE_BROWSER: '/mine', PATH: '/a' }, '/a/chromium', '/mine')).toBe(
    '/mine',
  );
  expect(at('win32', { PROGRAMW6432: 'C:\\P' }, edge)).toBe(edge);
  expect(at('win32', { CLOCHE_BROWSER: '"C:\\my chrome.exe"' }, 'C:\\my chrome.exe')).toBe(
    'C:\\my chrome.exe',
  );
  expect(thisMachine.isProgram(process.execPath)).toBe(true);
  expect(thisMachine.isProgram(tmpdir())).toBe(false);
  expect(() => at('linux', { CLOCHE_BROWSER: '/mine' })).toThrow('CLOCHE_BROWSER=/mine is not');
  expect(() => at('darwin', { HOME: '/h' })).toThrow('brew install');
  expect(() => at('win32', {})).toThrow('winget install');
});

test('programs that run at once have profiles of their own', async () => {
  const cache = await temporaryFolder();
  const first = await takeProfile(cache, 'b1');
  const second = await takeProfile(cache, 'b1');
  expect(second.folder).not.toBe(first.folder);
  await first.keepPort(5000);
  await first.release();
  const again = await takeProfile(cache, 'b1');
  expect([again.folder, again.port]).toEqual([first.folder, 5000]);
  // A process that was killed leaves its lock.
  await writeFile(join(again.folder, '../pid'), '999999999');
  expect((await takeProfile(cache, 'b1')).folder).toBe(first.folder);
  // The browser of a profile ends a moment later, or is left alone.
  const browser = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 200)']);
  const singleton = join(again.folder, 'SingletonLock');
  const use = async (pid: number | undefined): Promise<string> => {
    await rm(singleton, { force: true });
    await writeFile(join(again.folder, '../pid'), '999999999');
    await symlink(`machine-${pid}`, singleton);
    return (await takeProfile(cache, 'b1')).folder;
  };
  await mkdir(again.folder);
  expect(await use(browser.pid)).toBe(first.folder);
  expect(await use(process.pid)).not.toBe(first.folder);
  expect(await use(999_999_999)).toBe(first.folder);
  // A folder in its place cannot be deleted as a file, like the open lock file of a browser on Windows.
  await mkdir(join(again.folder, 'lockfile'));
  expect(await use(999_999_999)).not.toBe(first.folder);
  await rmdir(join(again.folder, 'lockfile'));
  expect(await use(999_999_999)).toBe(first.folder);
  // The profiles of another build are deleted once no program has them.
  await takeProfile(cache, 'b2');
  expect((await takeProfile(cache, 'b1')).folder).not.toBe(first.folder);
  expect(cacheFolder('darwin', { HOME: '/h' })).toBe('/h/Library/Caches/cloche');
  expect(cacheFolder('linux', { HOME: '/h', XDG_CACHE_HOME: '/c' })).toBe('/c/cloche');
});
