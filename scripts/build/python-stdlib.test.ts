/** The standard library with byte code: the same at each build, complete, and with its sources in tracebacks. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from './digest.ts';
import { pyodideFile } from './pyodide.ts';
import { pythonStdlib } from './python-stdlib.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
let packed: Uint8Array;
let python: PyodideAPI;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloche-stdlib-'));
  packed = (await pythonStdlib(root)).value;
  await writeFile(join(folder, 'python_stdlib.zip'), packed);
  python = await loadPyodide({ stdLibURL: join(folder, 'python_stdlib.zip') });
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('two builds give the same bytes', { timeout: 120_000 }, async () => {
  const again = await pythonStdlib(root);
  expect(sha256(again.value, 'hex')).toBe(sha256(packed, 'hex'));
});

test('every file of Pyodide’s archive is there, unchanged', async () => {
  const original = unzipSync(await readFile(pyodideFile(root, 'python_stdlib.zip')));
  const files = unzipSync(packed);
  const added = Object.keys(files).filter((name) => !(name in original));
  const differing = Object.entries(original).filter(
    ([name, content]) => Buffer.compare(content, files[name] ?? new Uint8Array()) !== 0,
  );
  expect(differing.map(([name]) => name)).toEqual([]);
  expect(added.filter((name) => !name.endsWith('.pyc'))).toEqual([]);
  expect(added.length).toBeGreaterThan(100);
});

test('modules that every start imports come from byte code, and show their source', () => {
  const facts = python.runPython(`
import inspect, json, traceback
try:
    json.loads("{")
except ValueError as error:
    last = traceback.extract_tb(error.__traceback__)[-1]
[json.__file__, inspect.getsource(json.dumps)[:9], last.filename, last.line]
`) as { toJs(): unknown[] };
  const [file, source, frame, line] = facts.toJs();
  expect([file, source, frame]).toEqual([
    expect.stringMatching(/json\/__init__\.pyc$/),
    'def dumps',
    expect.stringMatching(/json\/decoder\.py$/),
  ]);
  expect(line).toContain('scan_once');
});
