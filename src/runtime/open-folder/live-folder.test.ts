/** A folder that changes while its tools are in use, with a fake Python. */

import { expect, test } from 'vitest';
import { fakeFolder } from '../folder/folder.fixture.ts';
import { LiveFolder } from './live-folder.ts';
import { noDispatch } from '../registry/dispatch.fixture.ts';
import { Registry } from '../registry/registry.ts';
import { scan, type Inspect, type ScannedFile } from '../scan/scan.ts';
import { fakeInspection, fakeTool } from '../scan/tool.fixture.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderSnapshot, Problem } from '../spec/folder.ts';
import type { Inspection } from '../spec/tool.ts';

const { signal } = new AbortController();

/**
 * Reads a made-up language: `tool NAME`, `needs FILE`, `error WORDS`, `end CODE`. A file also has the errors
 * of the files that it needs.
 */
function inspected(folder: FolderSnapshot, file: string): Inspection | ToolError {
  const lines = (path: string): string[] => {
    const found = folder.files.find((each) => each.path === path);
    return found ? new TextDecoder().decode(found.bytes).split('\n') : ['error missing'];
  };
  const words = (line: string): string => line.slice(line.indexOf(' ') + 1);
  const own = lines(file);
  const imports = own.filter((line) => line.startsWith('needs ')).map(words);
  const all = [...own, ...imports.flatMap(lines)];
  if (all.some((line) => line.startsWith('end '))) return new ToolError('timeout', 'Too slow.');
  const problems = all
    .filter((line) => line.startsWith('error '))
    .map((line): Problem => ({
      severity: 'error',
      code: 'odd',
      file,
      line: 1,
      column: null,
      message: words(line),
      expected: '',
      hint: '',
    }));
  const stem = file.replace('.py', '');
  const tools = all
    .filter((line) => line.startsWith('tool ') && problems.length === 0)
    .map((line) => fakeTool(`${stem}:${words(line).split(' ')[0] ?? ''}`, { description: line }));
  return fakeInspection(file, { tools, problems, imports });
}

class Desk {
  readonly registry = new Registry(noDispatch, () => undefined);
  readonly asked: string[][] = [];
  /** Text by path, as the interpreters have it. */
  used: Record<string, string> = {};
  live!: LiveFolder;
  clock = new Date(2026, 10, 22, 12, 31).getTime();
  fault: Error | null = null;
  /** The steps of the last update, in order. */
  steps: string[] = [];

  static async open(files: Record<string, string>): Promise<Desk> {
    const desk = new Desk();
    const folder = fakeFolder(files);
    const scanned = new Map<string, ScannedFile>();
    desk.registry.begin('folder');
    const problems = await scan(signal, folder, desk.#inspect(folder), (one) => {
      scanned.set(one.file, one);
      desk.registry.replaceFile(one, desk.clock);
    });
    desk.registry.finish();
    desk.registry.observe(() => desk.steps.push('registry'));
    desk.asked.length = 0;
    desk.used = { ...files };
    desk.live = new LiveFolder(folder, scanned, problems, {
      registry: desk.registry,
      problems: () => [],
      inspect: (stop, now, asked, onReport) => desk.#inspect(now)(stop, asked, onReport),
      propose: (_stop, now, file, names) => {
        const bytes = now.files.find(({ path }) => path === file)?.bytes;
        const text = `${new TextDecoder().decode(bytes)} ${String(names)}`;
        return Promise.resolve({ file, tools: [], text, notes: [] });
      },
      apply: (_folder, { written, removed }) => {
        desk.steps.push('apply');
        for (const path of removed) Reflect.deleteProperty(desk.used, path);
        for (const { path, bytes } of written) desk.used[path] = new TextDecoder().decode(bytes);
      },
      onRead: ({ files: read }) => {
        const [first] = read;
        desk.steps.push(`read ${new TextDecoder().decode(first?.bytes)}`);
      },
      now: () => desk.clock,
    });
    return desk;
  }

  /** Replaces the folder's files. */
  async becomes(files: Record<string, string>, retry = false) {
    this.asked.length = 0;
    this.clock += 60_000;
    const update = await this.live.update(signal, fakeFolder(files), { retry });
    return update && { loaded: update.loaded, kept: update.kept, gone: update.gone };
  }

  get tools(): string[] {
    return this.registry
      .list()
      .map(({ name, description, state }) => `${name} ${description} ${state}`);
  }

  get problems(): string[] {
    return this.registry.problems.map(({ code, file, message }) => `${code} ${file}: ${message}`);
  }

  #inspect(folder: FolderSnapshot): Inspect {
    return (_signal, files, onReport) => {
      this.asked.push([...files]);
      if (this.fault) return Promise.reject(this.fault);
      for (const file of files) onReport(inspected(folder, file));
      return Promise.resolve();
    };
  }
}

const files = { 'a.py': 'tool f\nneeds _h.py', 'b.py': 'tool g', '_h.py': 'one' };

test('interpreters have the new files, and the page knows them, before the registry changes', async () => {
  const desk = await Desk.open({ 'a.py': 'tool f' });
  await desk.becomes({ 'a.py': 'tool f2' });
  expect(desk.steps).toEqual(['apply', 'read tool f2', 'registry']);
});

test('an edit is inspected, applied and listed; the rest stays as it is', async () => {
  const desk = await Desk.open(files);
  const revision = desk.registry.revision;
  expect(await desk.becomes({ ...files, 'b.py': 'tool g 2' })).toEqual({
    loaded: ['b.py'],
    kept: [],
    gone: [],
  });
  expect([desk.asked, desk.used['b.py']]).toEqual([[['b.py']], 'tool g 2']);
  expect(desk.tools).toEqual(['a:f tool f ready', 'b:g tool g 2 ready']);
  expect(desk.registry.revision).not.toBe(revision);
});

test('a file that needs an edited file is read again with it', async () => {
  const desk = await Desk.open(files);
  expect(await desk.becomes({ ...files, '_h.py': 'two' })).toMatchObject({ loaded: ['a.py'] });
  expect([desk.asked, desk.used['_h.py']]).toEqual([[['a.py']], 'two']);
});

test('if nothing has changed, nothing is inspected or reported', async () => {
  const desk = await Desk.open(files);
  expect([await desk.becomes(files), desk.asked]).toEqual([null, []]);
});

test('files that are added, removed and renamed', async () => {
  const desk = await Desk.open(files);
  const { 'b.py': moved, ...others } = files;
  expect(await desk.becomes({ ...others, 'c.py': moved })).toEqual({
    loaded: ['c.py'],
    kept: [],
    gone: [{ tool: 'b:g', file: 'b.py' }],
  });
  expect(desk.tools).toEqual(['a:f tool f ready', 'c:g tool g ready']);
  expect(desk.used).toEqual({ ...others, 'c.py': moved });
});

test('a broken edit keeps the previous version, says since when, and ends when it is fixed', async () => {
  const desk = await Desk.open(files);
  expect(await desk.becomes({ ...files, 'b.py': 'error no' })).toEqual({
    loaded: [],
    kept: ['b.py'],
    gone: [],
  });
  expect([desk.tools[1], desk.used['b.py']]).toEqual(['b:g tool g last-good', 'tool g']);
  expect(desk.problems).toEqual([
    'last-good-version b.py: “b.py” has errors: the last good version from 12:31 is in use.',
    'odd b.py: no',
  ]);
  // Another file is edited meanwhile, and then one that breaks in another way.
  await desk.becomes({ ...files, 'a.py': 'tool f 2\nneeds _h.py', 'b.py': 'end timeout' });
  expect(desk.tools).toEqual(['a:f tool f 2 ready', 'b:g tool g last-good']);
  expect(desk.problems[0]).toContain('from 12:31 is in use');
  await desk.becomes({ ...files, 'b.py': 'tool g 3' });
  expect([desk.tools[1], desk.used['b.py'], desk.problems]).toEqual([
    'b:g tool g 3 ready',
    'tool g 3',
    [],
  ]);
});

test('a sound edit is applied early; one with an error, or without a tool, is kept and not inspected again', async () => {
  const desk = await Desk.open(files);
  const early = (now: Record<string, string>) => desk.live.updateIfSound(signal, fakeFolder(now));
  expect(await early({ ...files, 'b.py': 'tool g 2' })).toMatchObject({ loaded: ['b.py'] });
  expect(desk.tools[1]).toBe('b:g tool g 2 ready');
  for (const half of ['tool g 3\nerror no', 'tool', 'end timeout']) {
    desk.steps = [];
    desk.asked.length = 0;
    expect(await early({ ...files, 'b.py': half })).toBe('unfinished');
    expect([desk.asked, desk.steps, desk.problems]).toEqual([[['b.py']], [], []]);
    expect(desk.tools[1]).toBe('b:g tool g 2 ready');
  }
  expect(await desk.becomes({ ...files, 'b.py': 'end timeout' })).toMatchObject({ kept: ['b.py'] });
  expect(desk.asked).toEqual([]);
  // An early inspection does not hide a later edit.
  expect(await early({ ...files, 'b.py': 'error half' })).toBe('unfinished');
  expect(await desk.becomes({ ...files, 'b.py': 'tool g 4' })).toMatchObject({ loaded: ['b.py'] });
  expect([desk.tools[1], desk.problems]).toEqual(['b:g tool g 4 ready', []]);
});

test('an edit that is undone is as if it had not happened: no interpreter is updated', async () => {
  const desk = await Desk.open(files);
  await desk.becomes({ ...files, 'b.py': 'error no' });
  desk.used = {};
  await desk.becomes(files);
  expect([desk.tools[1], desk.used, desk.problems]).toEqual(['b:g tool g ready', {}, []]);
});

test('a broken helper holds back all files that need it, with their own edits, until it is fixed', async () => {
  const shared = { ...files, 'c.py': 'tool f\nneeds _h.py' };
  const desk = await Desk.open(shared);
  await desk.becomes({ ...shared, '_h.py': 'error helper', 'c.py': 'tool f 2\nneeds _h.py' });
  expect(desk.tools.map((tool) => tool.split(' ').at(-1))).toEqual([
    'last-good',
    'ready',
    'last-good',
  ]);
  expect(desk.used).toEqual(shared);
  const mended = { ...shared, '_h.py': 'two', 'c.py': 'tool f 2\nneeds _h.py' };
  expect(await desk.becomes(mended)).toMatchObject({ loaded: ['a.py', 'c.py'], kept: [] });
  expect([desk.tools[2], desk.used]).toEqual(['c:f tool f 2 ready', mended]);
});

test('a valid edit that shares a file with a broken one is held back, and says so', async () => {
  const shared = { ...files, 'c.py': 'tool f\nneeds _h.py' };
  const desk = await Desk.open(shared);
  const half = { ...shared, '_h.py': 'two', 'a.py': 'error no\nneeds _h.py' };
  await desk.becomes(half);
  expect(desk.problems.at(-1)).toBe(
    'last-good-version c.py: “c.py” is waiting for “a.py”, which has errors and needs the same changed files: the last good version from 12:31 is in use.',
  );
  await desk.becomes({ ...half, 'a.py': 'tool f 2\nneeds _h.py' });
  expect([desk.problems, desk.used['_h.py']]).toEqual([[], 'two']);
});

test('a new file that is held back has no tools, and leaves nothing behind when it is removed', async () => {
  const desk = await Desk.open(files);
  const half = { ...files, '_h.py': 'error no' };
  await desk.becomes({ ...half, '_h.py': 'two\nerror no', 'n.py': 'tool n' });
  expect(desk.tools.at(-1)).toBe('n:n tool n ready');
  await desk.becomes({ ...half, 'n.py': 'tool n' });
  expect(await desk.becomes(half)).toMatchObject({ gone: [{ tool: 'n:n', file: 'n.py' }] });
  expect(desk.registry.problems.filter(({ file }) => file === 'n.py')).toEqual([]);
});

test('a file that was broken from the start is inspected again on request', async () => {
  const desk = await Desk.open({ ...files, 'b.py': 'error no' });
  expect(await desk.becomes({ ...files, 'b.py': 'error no' })).toBe(null);
  await desk.becomes({ ...files, 'b.py': 'error no' }, true);
  expect(desk.asked).toEqual([['b.py']]);
});

test('problems of the folder as a whole are updated too', async () => {
  const desk = await Desk.open(files);
  await desk.becomes({ ...files, 'sub/t.py': 'TOOL_SPECS = []' });
  expect(desk.problems[0]).toContain('tools-below');
  await desk.becomes(files);
  expect(desk.problems).toEqual([]);
});

test('the hint about tools in a subfolder is absent only while a tool file imports them', async () => {
  const all = { ...files, 'sub/t.py': '@tool', 'sub/u.py': '@tool' };
  const desk = await Desk.open(all);
  await desk.becomes({ ...all, 'b.py': 'tool g 2' });
  expect(desk.problems.join()).toContain('tools-below');
  await desk.becomes({ ...all, 'b.py': 'tool g\nneeds sub/t.py\nneeds sub/u.py' });
  expect(desk.problems).toEqual([]);
  await desk.becomes({ ...all, 'b.py': 'tool g' });
  expect(desk.problems.join()).toContain('tools-below');
});

test('a file whose import does not end still needs the files that its version in use imports', async () => {
  const all = { ...files, 'b.py': 'tool g\nneeds sub/t.py', 'sub/t.py': '@tool' };
  const desk = await Desk.open(all);
  await desk.becomes({ ...all, 'b.py': 'end now\nneeds sub/t.py' });
  expect(desk.problems.join()).toContain('import-timeout b.py');
  expect(desk.problems.join()).not.toContain('tools-below');
  // The helper of another file does not end, and is mended.
  await desk.becomes({ ...all, '_h.py': 'end now' });
  expect(desk.problems.join()).toContain('import-timeout a.py');
  await desk.becomes({ ...all, '_h.py': 'two' });
  expect([desk.asked, desk.problems]).toEqual([[['a.py']], []]);
});

test('an edit that looks unfinished leaves no problems of the folder behind', async () => {
  const desk = await Desk.open(files);
  await desk.becomes({ ...files, 'b.py': 'tool g 2' });
  const half = fakeFolder({ ...files, 'b.py': 'tool', 'sub/t.py': 'TOOL_SPECS = []' });
  expect(await desk.live.updateIfSound(signal, half)).toBe('unfinished');
  await desk.becomes({ ...files, 'b.py': 'tool g 3' });
  expect([desk.tools[1], desk.problems]).toEqual(['b:g tool g 3 ready', []]);
  // Control: the same edit is reported once it is applied.
  expect(await desk.live.updateIfSound(signal, half)).toBe('unfinished');
  await desk.live.update(signal, half, { retry: false });
  expect(desk.problems.join()).toContain('tools-below');
});

test('if Python is unavailable, everything stays, that is reported, and the next update applies both changes', async () => {
  const desk = await Desk.open(files);
  desk.fault = new ToolError('integrity', 'No Python.');
  await expect(desk.becomes({ ...files, 'b.py': 'tool g 2' })).rejects.toThrow('No Python.');
  const reported = {
    severity: 'error',
    code: 'not-reread',
    file: '',
    line: null,
    column: null,
  } as const;
  desk.live.fail({ ...reported, message: 'No.', expected: '', hint: '' });
  expect([desk.tools[1], desk.problems]).toEqual(['b:g tool g ready', ['not-reread : No.']]);
  desk.fault = null;
  await desk.becomes({ ...files, 'b.py': 'tool g 2' });
  expect([desk.tools[1], desk.problems]).toEqual(['b:g tool g 2 ready', []]);
});

test('a version that is not saved is inspected and gets specs, and changes nothing', async () => {
  const desk = await Desk.open(files);
  const before = [desk.tools, desk.problems, { ...desk.used }];
  const check = (text: string) => desk.live.check(signal, 'a.py', new TextEncoder().encode(text));
  expect(await check('tool f\nerror bad line')).toMatchObject([{ message: 'bad line' }]);
  expect(await check('tool f')).toEqual([]);
  expect(await check('end now')).toMatchObject([{ code: 'import-timeout' }]);
  const draft = new TextEncoder().encode('draft');
  expect((await desk.live.propose(signal, 'a.py', draft, ['a:f'])).text).toBe('draft a:f');
  expect([desk.tools, desk.problems, desk.used, desk.steps]).toEqual([...before, []]);
  // The next save is an update as ever.
  await desk.becomes({ ...files, 'a.py': 'tool f2' });
  expect(desk.used['a.py']).toBe('tool f2');
});
