/**
 * Checks the tables of docs/extension-names.md: every name exists and is used by a test, and every public name of the
 * extension API is listed. Checks the size of the API, too, which grows only under the rules of CONTRIBUTING.md.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mockApp } from './mock-app.fixture.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const readAll = (folder: string, end: string): string =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(end) && !/\.(test|fixture)\.ts$/.test(name))
    .map((name) => read(folder + name))
    .join('\n');

const loader = 'workers/python/py/cloche/';
const python = readAll(loader, '.py');
const typescript = [
  readAll('src/agent/extensions/', '.ts'),
  readAll('src/agent/turn/', '.ts'),
  read('src/runtime/spec/tool.ts'),
  read('src/runtime/call/results.ts'),
  read('src/runtime/call/interceptors.ts'),
].join('\n');

interface Row {
  readonly original: string;
  readonly inPython: readonly string[];
  readonly inTypeScript: readonly string[];
}

const rows = read('docs/extension-names.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (original|-+)/.test(line))
  .map((line): Row => {
    const [original = '', py = '', ts = ''] = line.slice(2).split(' | ');
    const names = (cell: string) => Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name);
    return {
      original: original.trim().replaceAll('`', ''),
      inPython: names(py),
      inTypeScript: names(ts),
    };
  });

function has(text: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(text);
}

/** The methods of `app`, the functions of `actions`, and the helpers, without what only the loader calls. */
function publicInPython(): Set<string> {
  const files = ['extension_app', 'extension_session', 'extension_models'];
  const methods = files.flatMap((name) => {
    const [before = ''] = read(`${loader}${name}.py`).split(/^class (?:Pending|CoreTool)\b/m);
    const defined = before.matchAll(/^ {4}(?:def ([a-z]\w*)\(|([a-z]\w*) = [a-z]\w*$)/gm);
    return Array.from(defined, ([, found, alias]) => found ?? alias ?? '');
  });
  const functions = ['actions', 'helpers'].flatMap((name) =>
    Array.from(
      read(`${loader}${name}.py`).matchAll(/^(?:def ([a-z]\w*)\(|([a-z]\w*) = [a-z]\w*\b)/gm),
      ([, found, alias]) => found ?? alias ?? '',
    ),
  );
  return new Set([...methods, ...functions].filter((name) => !['start', 'run'].includes(name)));
}

function publicInTypeScript(): Set<string> {
  const { app } = mockApp(() => undefined);
  return new Set([...Object.keys(app), ...Object.keys(app.bound('s'))]);
}

test('every name in the table exists, and a test uses it', () => {
  const tests = (folder: string, pattern: RegExp): string =>
    readdirSync(new URL(folder, root))
      .filter((name) => pattern.test(name))
      .map((name) => read(folder + name))
      .join('\n');
  const inBrowser = tests('tests/', /^extension.*\.test\.ts$/);
  const ofPython =
    tests('workers/python/tests/', /^test_.*(?:extension|mock_app).*\.py$/) + inBrowser;
  const ofTypeScript = tests('src/agent/extensions/', /\.test\.ts$/) + inBrowser;
  const faults = rows.flatMap(({ inPython, inTypeScript }) => [
    ...inPython.filter((name) => !has(python, name)).map((name) => `no ${name} in Python`),
    ...inTypeScript
      .filter((name) => !has(typescript, name))
      .map((name) => `no ${name} in TypeScript`),
    ...inPython
      .filter((name) => !has(ofPython, name))
      .map((name) => `no test of ${name} in Python`),
    // A test of a value also covers its type.
    ...inTypeScript
      .filter((name) => !/^[A-Z]/.test(name) && !has(ofTypeScript, name))
      .map((name) => `no test of ${name} in TypeScript`),
  ]);
  expect(faults).toEqual([]);
});

test('every name of the original has its place', () => {
  const originals = rows.map(({ original }) => original).filter((name) => name !== '–');
  expect(originals.length).toBe(135);
  for (const { original, inPython, inTypeScript } of rows)
    expect([original, inPython.length + inTypeScript.length > 0]).toEqual([original, true]);
});

test('every public name of the API is in the table', () => {
  const known = new Set(
    rows.flatMap(({ inPython, inTypeScript }) => [...inPython, ...inTypeScript]),
  );
  const missing = [...publicInPython(), ...publicInTypeScript()].filter((name) => !known.has(name));
  expect(missing).toEqual([]);
});

test('the API has this size, and grows only where no existing name fits', () => {
  // Can it be a tool? A command? A shortcut? A prompt section? An interceptor? A message hook? See CONTRIBUTING.md.
  const registers = (names: Set<string>) =>
    [...names].filter((name) => name.startsWith('register')).length;
  const inPython = publicInPython();
  const inTypeScript = publicInTypeScript();
  expect([registers(inPython), registers(inTypeScript)]).toEqual([13, 12]);
  expect([inPython.size, inTypeScript.size]).toEqual([77, 69]);
});
