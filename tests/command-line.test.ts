/** `npx cloche`: the commands that the documentation prints, what they allow, and the folder that they open. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium, test, type Browser, type Locator, type Page } from '@playwright/test';
import { projectFolder } from '../scripts/dist.mjs';
import { freePort } from '../scripts/free-port.mjs';
import { commandLine, processesOf, type CommandLine, type Ended } from './support/command-line.ts';
import { expect } from './support/expect.ts';
import { makeFolder, type FolderFiles } from './support/make-folder.ts';
import type { ModelEndpoint } from './support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { adder, startOneModel } from './support/one-model.ts';

test.describe.configure({ timeout: 300_000 });

const sums = {
  name: 'Sums',
  threshold: 0.5,
  prompts: [
    {
      text: 'add 1 and 2',
      expect: { calls: { must: ['work:add'] }, answer: { includes: 'It is 3' } },
    },
  ],
};

function folderOf(evaluation: object = sums, more: FolderFiles = {}): FolderFiles {
  return { 'work.py': adder, 'evals/sums.json': JSON.stringify(evaluation), ...more };
}

/** Calls the tool that the prompt asks for, and repeats its result. */
function model({ body }: ReceivedRequest): Scripted {
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  const result = messages.findLast(({ role }) => role === 'tool');
  const question = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  const isShort = question.includes('briefly');
  const usage = { input: isShort ? 1 : 100, cached: 0, output: 10, reasoning: 0 };
  if (result !== undefined)
    return { text: `It is ${JSON.stringify(result.content)}`.replaceAll('"', ''), usage };
  if (question.includes('double'))
    return { calls: [{ name: 'work__double', arguments: '{"a": 2}' }], usage };
  return { calls: [{ name: 'work__add', arguments: '{"a": 1, "b": 2}' }], usage };
}

let endpoint: ModelEndpoint;
let place: string;
let cloche: CommandLine;

test.beforeAll(async () => {
  endpoint = await startOneModel();
  endpoint.habits.otherwise = model;
  endpoint.habits.models = ['small', 'gpt-5-mini', 'qwen3'].map((id) => ({ id, context: 200_000 }));
  place = await mkdtemp(join(tmpdir(), 'cloche-command-'));
  cloche = await commandLine(place);
});
test.afterAll(async () => {
  await endpoint.close();
  await rm(place, { recursive: true });
});
test.beforeEach(() => {
  endpoint.requests.length = 0;
});

async function inFolder(files: FolderFiles, use: (path: string) => Promise<void>): Promise<void> {
  const made = await makeFolder({ files });
  try {
    await use(made.path);
  } finally {
    await made.dispose();
  }
}

function runEval(folder: string, options: string): Promise<Ended> {
  return cloche.run(`eval '${folder}' --model Mine/small --base-url ${endpoint.url}/v1 ${options}`);
}

/** The commands in the shell blocks of a page of the documentation. */
async function printedCommands(doc: string): Promise<readonly string[]> {
  const text = await readFile(join(projectFolder, 'docs', doc), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line.includes('npx cloche ')),
  );
}

/** Lines of results: of a test, of all tests, of an evaluation, and of one of its models. */
const resultLine =
  /^(?:ok {2}.*work:add +\d+ ms|1 passed, 0 failed|Sums \(evals\/sums\.\w+\): done| {2}\S+\/\S+: 100 %.*)$/;

test('every command that the documentation prints runs', { tag: '@full' }, async ({ page }) => {
  const commands = [
    ...(await printedCommands('evals.md')),
    ...(await printedCommands('command-line.md')),
  ];
  expect(commands.length).toBeGreaterThan(8);
  const tests = JSON.stringify([
    { name: 'adds', tool: 'work:add', arguments: { a: 1, b: 2 }, expect: { equals: 3 } },
  ]);
  const evals = JSON.stringify(sums);
  await inFolder(
    folderOf(sums, { 'tests/work.json': tests, 'evals/sums.yaml': evals }),
    async (folder) => {
      for (const printed of commands) {
        const words = printed
          .replace(/^.*npx cloche /, '')
          .replace('FOLDER', folder)
          .replace('DIR', place)
          .replace('results.json', join(place, 'results.json'))
          .replace('--secret API_KEY=MY_KEY', '--secret API_KEY=HOME')
          .replace(/--base-url \S+/, `--base-url ${endpoint.url}/v1`);
        if (/^(test|eval) /.test(words)) {
          const { code, output, stdout } = await cloche.run(words);
          expect(code, `${words}\n${output}`).toBe(0);
          expect(output).toMatch(/100 %|1 passed, 0 failed/);
          // Progress is written to standard error only.
          const lines = stdout.split('\n').filter((line) => line !== '');
          expect(lines.filter((line) => !resultLine.test(line))).toEqual([]);
          expect(output).toContain('Starting the browser');
        } else await serves(page, words);
      }
    },
  );
});

/** Runs a command that serves until it is stopped. */
async function serves(page: Page, words: string): Promise<void> {
  const child = cloche.start(
    words.startsWith('mcp') || words.startsWith('bridge') ? words : `${words} --no-browser`,
  );
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let said = '';
  let stdout = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.on('data', (text: string) => (stdout += text));
  if (words.startsWith('mcp') && !words.includes('--http')) {
    const params =
      '{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}';
    child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}\n`);
    await expect.poll(() => said, { timeout: 60_000 }).toContain('"protocolVersion":"2025-11-25"');
    child.stdin.end();
    expect(await ended).toBe(0);
    const messages = stdout.split('\n').filter((line) => line !== '');
    for (const line of messages) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    return;
  }
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/http:\/\/\S+/);
  if (!words.startsWith('mcp') && !words.startsWith('bridge')) {
    const [address = ''] = /http:\S+/.exec(said) ?? [];
    await page.goto(address);
    await expect(page.getByRole('link', { name: 'work:add' }).first()).toBeVisible({
      timeout: 60_000,
    });
  }
  child.kill('SIGINT');
  expect(await ended).toBe(130);
}

test('a command opens a folder in the user’s browser, where it follows its files', async () => {
  const port = await freePort();
  const bin = join(place, 'bin');
  await mkdir(bin);
  const browser = `'${cloche.env.CLOCHE_BROWSER}' --headless --no-sandbox --disable-gpu --remote-debugging-port=${port}`;
  // The program that shows an address in the user's browser on Linux.
  const script = `#!/bin/sh\nexec ${browser} '--user-data-dir=${join(place, 'opened')}' "$@"\n`;
  await writeFile(join(bin, 'xdg-open'), script, { mode: 0o755 });
  await inFolder(folderOf(), async (folder) => {
    const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
    const child = cloche.start(`'${folder}' --port 0`, { PATH: path });
    const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const [address = ''] = /http:\S+/.exec(said) ?? [];
    let opened: Browser | undefined;
    await expect(async () => {
      opened = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    }).toPass({ timeout: 60_000 });
    const page = opened
      ?.contexts()[0]
      ?.pages()
      .find((one) => one.url().startsWith(address));
    if (page === undefined) throw new Error(`No page shows ${address}.`);
    const tool = (name: string): Locator => page.getByRole('link', { name }).first();
    await expect(tool('work:add')).toBeVisible({ timeout: 60_000 });
    await writeFile(join(folder, 'more.py'), adder.replaceAll('work:', 'more:'));
    await expect(tool('more:add')).toBeVisible({ timeout: 30_000 });
    child.kill('SIGINT');
    await once(child, 'close');
    // The browser is the user's, so it stays.
    expect(await tool('more:add').isVisible()).toBe(true);
    const session = await opened?.newBrowserCDPSession();
    await session?.send('Browser.close');
  });
});

test('Ctrl C ends a test and a trial in the middle of a call, with all that they have started', async () => {
  let calls = 0;
  const witness = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  await new Promise<void>((resolve) => witness.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(witness.address() as AddressInfo).port}`;
  // Python that runs does not notice anything else.
  const busy = adder.replace(
    'return a + b',
    `import urllib.request
    try:
        urllib.request.urlopen("${origin}")
    except OSError:
        pass
    while True:
        pass`,
  );
  const saved = JSON.stringify([
    { name: 'adds', tool: 'work:add', arguments: { a: 1, b: 2 }, expect: { equals: 3 } },
  ]);
  const files = folderOf(sums, { 'work.py': busy, 'tests/work.json': saved });
  await inFolder(files, async (folder) => {
    for (const [at, words] of [
      ['test'],
      ['eval', '--model', 'Mine/small', '--base-url', `${endpoint.url}/v1`],
    ].entries()) {
      const [command = '', ...options] = words;
      const all = [cloche.file, command, folder, '--network', origin, ...options];
      // A terminal interrupts the whole group of processes.
      const child = spawn(process.execPath, all, { env: cloche.env, detached: true });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (said += text));
      const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
      await expect.poll(() => calls, { message: command, timeout: 60_000 }).toBe(at + 1);
      process.kill(-Number(child.pid), 'SIGINT');
      expect([command, ...(await ended)], said).toEqual([command, 130, null]);
      expect(await processesOf(place)).toEqual([]);
    }
  });
  witness.close();
});

test('without a browser, a command says how to get one', async () => {
  await inFolder(folderOf(), async (folder) => {
    const env = { ...cloche.env, PATH: place, CLOCHE_BROWSER: '' };
    const child = spawn(process.execPath, [cloche.file, 'test', folder], { env });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(said).toContain('found no Chrome, Chromium or Edge. Install one (');
  });
});

test('a model that cannot be reached ends with code 2, and says so', { tag: '@full' }, async () => {
  await inFolder(folderOf(), async (folder) => {
    const { code, output, stdout } = await runEval(folder, '--base-url http://127.0.0.1:9/v1');
    expect(code, output).toBe(2);
    expect(output).toContain('Mine could not be reached');
    expect(stdout).toBe('');
  });
});

test(
  'approvals, requests and extensions are refused unless they are allowed',
  { tag: '@full' },
  async () => {
    const careful = `
import urllib.error
import urllib.request

def add(a: int, b: int) -> str:
    """Adds two numbers."""
    said = []
    for address in ["https://elsewhere.invalid/", "${endpoint.url}/v1/models"]:
        try:
            urllib.request.urlopen(address)
        except urllib.error.HTTPError as error:
            said.append(error.code)
        except urllib.error.URLError as error:
            said.append("refused")
    return f"{a + b} {said}"

def double(a: int) -> str:
    """Doubles a number."""
    return str(2 * a)

def spec(handler, approval, *names):
    return {
        "name": f"work:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {
            "type": "object",
            "properties": {name: {"type": "integer"} for name in names},
            "required": list(names),
        },
        "requires_approval": approval,
        "handler": handler,
    }

TOOL_SPECS = [spec(add, True, "a", "b"), spec(double, False, "a")]
`;
    const guard = `
def before(tool, arguments):
    return "not today" if tool == "work:double" else True

def register(app):
    app.register_ext_info(name="guard", version="1")
    app.register_interceptor(name="guard", priority=0, before=before)
`;
    const doubles = {
      name: 'Doubles',
      threshold: 0.5,
      versions: [
        { name: 'As it is' },
        { name: 'Other', tools: { 'work:double': { description: 'Twice as much.' } } },
      ],
      prompts: [
        {
          text: 'double 2',
          expect: { calls: { must: ['work:double'] }, answer: { includes: 'It is 4' } },
        },
      ],
    };
    const files = {
      'work.py': careful,
      'guard.py': guard,
      'evals/doubles.json': JSON.stringify(doubles),
    };
    await inFolder(folderOf(sums, files), async (folder) => {
      const json = join(place, 'allowed.json');
      const run = async (options: string) => {
        const { code, output } = await runEval(folder, `${options} --json '${json}'`);
        const written = await readFile(json, 'utf8');
        const results = JSON.parse(written) as { name: string; models: { passed: number }[] }[];
        const passed = Object.fromEntries(
          results.map(({ name, models }) => [name, models.map((model) => model.passed)]),
        );
        return { code, output, written, passed };
      };
      const refused = await run('');
      expect(refused.output).toContain('Refused, since no user can be asked: guard (guard.py)');
      // The tool that needs an approval does not run, and the extension is not active.
      expect(refused.passed, refused.output).toEqual({ Sums: [0], Doubles: [2] });
      // Both descriptions were sent, and one prompt says nothing about which is better.
      const sent = endpoint.requests.filter(({ text }) => text.includes('double 2'));
      const others = sent.filter(({ text }) => text.includes('Twice as much.'));
      expect(others).toHaveLength(sent.length / 2);
      expect(refused.output).toContain('Use at least 8 prompts');
      expect(refused.code, refused.output).toBe(1);
      const allow = `--allow-approvals --allow-extensions --network ${endpoint.url}`;
      const allowed = await run(allow);
      expect(allowed.output).not.toContain('guard (guard.py)');
      expect(allowed.output).toContain('A request of work:add to https://elsewhere.invalid.');
      expect(allowed.output).not.toContain(`A request of work:add to ${endpoint.url}.`);
      expect(allowed.passed, allowed.output).toEqual({ Sums: [1], Doubles: [0] });
      expect(allowed.output).toContain('Below the threshold');
      expect(allowed.code, allowed.output).toBe(1);
      // The endpoint refuses a request without a key: it was reached.
      expect(allowed.written).toContain("It is 3 ['refused', 401]");
    });
  },
);

test('no page but one that a program drives gets this door', async ({ page }) => {
  await page.goto('./#clocheDriver');
  await expect(page.getByRole('heading').first()).toBeVisible();
  const names = await page.evaluate(() =>
    Object.keys(window).filter((name) => name.startsWith('cloche')),
  );
  expect(names).toEqual(['cloche']);
  // A page can define the function only after the first script, which is too late.
  await page.evaluate(() => {
    Object.assign(window, { clocheDriver: () => Object.assign(window, { clocheHeadless: 1 }) });
  });
  await page.reload();
  await expect(page.getByRole('heading').first()).toBeVisible();
  expect(await page.evaluate(() => 'clocheHeadless' in window)).toBe(false);
});
