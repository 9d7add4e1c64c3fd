/** Scanning a folder. */

import { expect, test } from 'vitest';
import { ToolError, type ToolErrorCode } from '../spec/error.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection } from '../spec/tool.ts';
import { scan, type Inspect, type ScannedFile } from './scan.ts';
import { fakeInspection, fakeTool } from './tool.fixture.ts';

const never = new AbortController().signal;

function folderOf(...paths: string[]): FolderSnapshot {
  const files = paths.map((path): FolderFile => {
    const bytes = new TextEncoder().encode(`# ${path}`);
    return { path, size: bytes.byteLength, modifiedAt: 0, bytes };
  });
  return { id: '1', name: 'folder', files, folders: [], problems: [] };
}

type InspectOne = (signal: AbortSignal, file: string) => Promise<Inspection>;

/** Inspects as the sandbox does: one file after the other, with an error for each that ends its own inspection. */
const each =
  (one: InspectOne): Inspect =>
  async (signal, files, onReport) => {
    for (const file of files) {
      const report = await one(signal, file).catch((thrown: unknown) => {
        if (signal.aborted || !(thrown instanceof ToolError)) throw thrown;
        return thrown;
      });
      onReport(report);
    }
  };

const oneTool: InspectOne = (_signal, file) =>
  Promise.resolve(fakeInspection(file, { tools: [fakeTool(`${file.slice(0, -3)}:f`)] }));

async function scanned(folder: FolderSnapshot, one: InspectOne): Promise<ScannedFile[]> {
  const files: ScannedFile[] = [];
  await scan(never, folder, each(one), (file) => files.push(file));
  return files;
}

test('inspects only tool files, in code-unit order', async () => {
  const asked: string[] = [];
  const folder = folderOf('b.py', '_h.py', 'a.py', 'é.py', 'sub/c.py', 'B.py', 'x.txt', '.d.py');
  const files = await scanned(folder, (signal, file) => {
    asked.push(file);
    return oneTool(signal, file);
  });
  expect(asked).toEqual(['B.py', 'a.py', 'b.py', 'é.py']);
  expect(files.map(({ file }) => file)).toEqual(asked);
});

test('reports each file with its hash and tools', async () => {
  const [file] = await scanned(folderOf('a.py'), oneTool);
  expect(file).toEqual({
    file: 'a.py',
    hash: '80df8002b40f4a0414ccee68cca295c6043c83823eabc90274ce759cef660cfd',
    inspection: fakeInspection('a.py', { tools: [fakeTool('a:f')] }),
    fingerprint: file?.fingerprint,
  });
});

test('the fingerprint depends on bytes, tools and problems, not on time or output', async () => {
  const of = async (folder: FolderSnapshot, over: Partial<Inspection>): Promise<string> => {
    const inspect: InspectOne = (_signal, path) => Promise.resolve(fakeInspection(path, over));
    return (await scanned(folder, inspect))[0]?.fingerprint ?? '';
  };
  const folder = folderOf('a.py');
  const first = await of(folder, {});
  const [file] = folder.files;
  const edited = { ...folder, files: [{ ...file!, bytes: new Uint8Array([1]) }] };
  expect(await of(folder, { durationMs: 7, output: 'x' })).toBe(first);
  const others = [
    await of(folder, { tools: [fakeTool('a:f')] }),
    await of(folder, { tools: [fakeTool('a:f', { label: 'F' })] }),
    await of(edited, {}),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
});

test('the previous file is reported before the next one has been inspected', async () => {
  const log: string[] = [];
  let release: (inspection: Inspection) => void = () => undefined;
  const inspect: InspectOne = (signal, file) => {
    log.push(`inspect ${file}`);
    if (file === 'a.py') return oneTool(signal, file);
    return new Promise((resolve) => {
      release = resolve;
    });
  };
  let reported: () => void = () => undefined;
  const firstReported = new Promise<void>((resolve) => {
    reported = resolve;
  });
  const scanning = scan(never, folderOf('a.py', 'b.py'), each(inspect), ({ file }) => {
    log.push(`reported ${file}`);
    reported();
  });
  await firstReported;
  expect(log).toEqual(['inspect a.py', 'inspect b.py', 'reported a.py']);
  release(fakeInspection('b.py'));
  await scanning;
  expect(log.at(-1)).toBe('reported b.py');
});

test.each<[ToolErrorCode, string]>([
  ['timeout', 'import-timeout'],
  ['crashed', 'import-crashed'],
  ['flood', 'import-flood'],
  ['limit', 'import-limit'],
  ['protocol', 'import-protocol'],
])('a file that ends its inspection with %s affects only itself', async (code, problemCode) => {
  const files = await scanned(folderOf('a.py', 'b.py', 'c.py'), (signal, file) =>
    file === 'b.py'
      ? Promise.reject(new ToolError(code, 'It went wrong.', 'Do better.'))
      : oneTool(signal, file),
  );
  expect(files.map(({ inspection }) => inspection.tools.length)).toEqual([1, 0, 1]);
  expect(files[1]?.inspection.problems).toMatchObject([
    {
      severity: 'error',
      code: problemCode,
      file: 'b.py',
      line: 1,
      message: 'It went wrong.',
      hint: 'Do better.',
    },
  ]);
});

test('a file that fails without a hint gets one', async () => {
  const [file] = await scanned(folderOf('a.py'), () =>
    Promise.reject(new ToolError('timeout', 'Too slow.')),
  );
  expect(file?.inspection.problems[0]?.hint).toMatch(/handler/);
});

test.each([new ToolError('integrity', 'Python is broken.'), new Error('a bug')])(
  'an error that no file caused ends the scan: %s',
  async (error) => {
    const reported: string[] = [];
    const scanning = scan(
      never,
      folderOf('a.py', 'b.py', 'c.py'),
      each((signal, file) => (file === 'b.py' ? Promise.reject(error) : oneTool(signal, file))),
      ({ file }) => reported.push(file),
    );
    await expect(scanning).rejects.toBe(error);
    expect(reported).toEqual(['a.py']);
  },
);

test('an abort ends the scan, whatever the inspection reports afterwards', async () => {
  const controller = new AbortController();
  const reported: string[] = [];
  const scanning = scan(
    controller.signal,
    folderOf('a.py', 'b.py', 'c.py'),
    each((signal, file) => {
      if (file !== 'b.py') return oneTool(signal, file);
      controller.abort();
      return Promise.reject(new ToolError('crashed', 'The sandbox is gone.'));
    }),
    ({ file }) => reported.push(file),
  );
  await expect(scanning).rejects.toMatchObject({ code: 'aborted' });
  expect(reported).toEqual([]);
});

test('a tool with an invalid schema is left out, other tools of the file stay', async () => {
  const bad = fakeTool('a:bad', {
    parameters: { type: 'object', properties: { x: { type: 'str' } } },
  });
  const odd = fakeTool('a:odd', {
    parameters: { type: 'object', properties: { x: { pattern: '(?P<y>)' } } },
  });
  const [file] = await scanned(folderOf('a.py'), () =>
    Promise.resolve(fakeInspection('a.py', { tools: [bad, odd, fakeTool('a:good')] })),
  );
  expect(file?.inspection.tools.map((tool) => tool.name)).toEqual(['a:odd', 'a:good']);
  expect(file?.inspection.problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'error bad-schema',
    'warning pattern',
  ]);
});

test('resolves with the problems that belong to no single file', async () => {
  const folder = folderOf('stray.py');
  const below = {
    ...folder.files[0]!,
    path: 'sub/t.py',
    bytes: new TextEncoder().encode('TOOL_SPECS = []'),
  };
  const problems = await scan(
    never,
    { ...folder, files: [...folder.files, below] },
    each((_signal, file) => Promise.resolve(fakeInspection(file, { noSpecs: true }))),
    () => undefined,
  );
  expect(problems.map(({ code, file }) => [code, file])).toEqual([
    ['tools-below', ''],
    ['no-specs', 'stray.py'],
  ]);
});

test('an empty folder has no tool files, and gives only that warning', async () => {
  const problems = await scan(never, folderOf(), each(oneTool), () => undefined);
  expect(problems.map(({ code }) => code)).toEqual(['no-tool-files']);
  // All files may be links, which the browser does not list.
  expect(problems[0]?.hint).toContain('Browsers leave out symbolic links');
});
