/** The standard library with byte code: the same at each build, complete, and with its sources in tracebacks. Its first part is enough for a start. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync, zipSync } from 'fflate';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from './digest.ts';
import { pyodideFile } from './pyodide.ts';
import { pythonStdlib, type SplitStdlib } from './python-stdlib.ts';
import { archivePath, completeStdlib, withGap } from '../../workers/python/write-libraries.ts';

/** An empty zip: the loader's late modules are not looked at here. */
const noModules = zipSync({});
const root = fileURLToPath(new URL('../..', import.meta.url));
let folder = '';
let parts: SplitStdlib;
/** The archive that Python has once all parts have arrived. */
let packed: Uint8Array;
let python: PyodideAPI;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloche-stdlib-'));
  parts = (await pythonStdlib(root, noModules)).value;
  await writeFile(join(folder, 'start.zip'), withGap(new Uint8Array(parts.start).buffer));
  python = await loadPyodide({ stdLibURL: join(folder, 'start.zip') });
  const { rest, sources } = parts;
  await completeStdlib(python, new Blob([new Uint8Array(rest)]), 0);
  await completeStdlib(python, new Blob([new Uint8Array(sources)]), rest.byteLength);
  packed = python.FS.readFile(archivePath);
}, 120_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('two builds give the same bytes', { timeout: 120_000 }, async () => {
  const again = (await pythonStdlib(root, noModules)).value;
  const hashes = ({ start, rest, sources }: SplitStdlib): string[] =>
    [start, rest, sources].map((part) => sha256(part, 'hex'));
  expect(hashes(again)).toEqual(hashes(parts));
});

test('the first part lists all files, has byte code only, and is enough for a start', async () => {
  expect(parts.start.byteLength).toBeLessThan(parts.rest.byteLength);
  const started = await loadPyodide({ stdLibURL: join(folder, 'start.zip') });
  const facts = started.runPython(`
import sys, zipimport
from zipimport import zipimporter
archive = next(entry for entry in sys.path if entry.endswith(".zip"))
def has(name):
    try:
        zipimporter(archive).get_code(name)
    except zipimport.ZipImportError:
        return False
    return True
[has("json"), zipimporter(archive).find_spec("statistics") is not None, has("statistics")]
`) as { toJs(): unknown[] };
  expect(facts.toJs()).toEqual([true, true, false]);
});

test('without the sources of the byte code, all modules can be imported, and tracebacks omit lines', async () => {
  const started = await loadPyodide({ stdLibURL: join(folder, 'start.zip') });
  await completeStdlib(started, new Blob([new Uint8Array(parts.rest)]), 0);
  const look = `
import inspect, json, statistics, traceback
def source(of):
    try:
        return inspect.getsource(of)[:9]
    except OSError as error:
        return str(error)
try:
    json.loads("{")
except ValueError as error:
    last = traceback.extract_tb(error.__traceback__)[-1]
[statistics.mean([1, 3]), source(statistics.mean), source(json.dumps), last.line or ""]`;
  const facts = (): unknown => (started.runPython(look) as { toJs(): unknown }).toJs();
  expect(facts()).toEqual([2, 'def mean(', 'could not get source code', '']);
  await completeStdlib(started, new Blob([new Uint8Array(parts.sources)]), parts.rest.byteLength);
  expect(facts()).toEqual([2, 'def mean(', 'def dumps', expect.stringContaining('scan_once')]);
});

test('every file of Pyodide’s archive and every time zone is there, unchanged', async () => {
  const original = unzipSync(await readFile(pyodideFile(root, 'python_stdlib.zip')));
  const zones = unzipSync(await readFile(join(root, 'workers/python/tzdata.zip')));
  const { 'zones/tzdata/zones.zip': inner = new Uint8Array(), ...outer } = unzipSync(packed);
  const entries = Object.entries(outer).map(([name, content]) => {
    return [name.replace(/^zones\//, ''), content] as const;
  });
  const files = { ...unzipSync(inner), ...Object.fromEntries(entries) };
  // Its text unpacks the zones.
  zones['tzdata/__init__.py'] = await readFile(join(root, 'workers/python/zones_package.py'));
  Object.assign(original, zones);
  const added = Object.keys(files).filter((name) => !(name in original));
  const differing = Object.entries(original).filter(
    ([name, content]) => Buffer.compare(content, files[name] ?? new Uint8Array()) !== 0,
  );
  expect(differing.map(([name]) => name)).toEqual([]);
  expect(added.filter((name) => !name.endsWith('.pyc'))).toEqual([]);
  expect(added.length).toBeGreaterThan(100);
});

test('a time zone is unpacked when it is first used', () => {
  const facts = python.runPython(`
import os, sys
sys.path.append("${archivePath}/zones")
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones
before = os.path.exists("/lib/zones.zip")
def missing(key):
    try:
        ZoneInfo(key)
    except ZoneInfoNotFoundError:
        return True
    return False
summer = datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Oslo"))
[before, str(summer), datetime(2026, 7, 1, tzinfo=ZoneInfo("America/Argentina/Ushuaia")).tzname(), missing("Europe/Atlantis"), len(available_timezones()) > 500]
`) as { toJs(): unknown[] };
  expect(facts.toJs()).toEqual([false, '2026-07-01 00:00:00+02:00', '-03', true, true]);
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

test('an import from the missing part says so until it has arrived, and names its modules', async () => {
  const started = await loadPyodide({ stdLibURL: join(folder, 'start.zip') });
  started.FS.mkdirTree('/loader/cloche');
  const loader = join(root, 'workers/python/py/cloche');
  for (const name of ['late_library.py', 'waiting.py'])
    started.FS.writeFile(`/loader/cloche/${name}`, await readFile(join(loader, name)));
  started.runPython('import sys; sys.path.insert(0, "/loader")');
  const hook = started.pyimport('cloche.late_library') as {
    wait_for: (library: () => Promise<void>, sources: () => Promise<void>) => string;
    arrived: (all: number) => void;
  };
  const soon = (): Promise<void> => Promise.resolve();
  const [names = '', standard = ''] = hook.wait_for(soon, soon).split('\n');
  expect(standard.split(' ')).toEqual(expect.arrayContaining(['json', 'statistics']));
  const missing = names.split(' ');
  expect(missing).toEqual(
    expect.arrayContaining(['statistics', 'xml.etree', 'xml.etree.ElementTree']),
  );
  expect(missing).not.toContain('json');
  // Node 20 has no stack switching, with which the import would wait.
  expect(() => void started.runPython('import statistics')).toThrow(
    "Python's standard library is still incomplete, and statistics.py is missing",
  );
  await completeStdlib(started, new Blob([new Uint8Array(parts.rest)]), 0);
  hook.arrived(0);
  expect(started.runPython('import statistics; statistics.mean([1, 3])')).toBe(2);
});
