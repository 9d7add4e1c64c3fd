/** Who asks for the rest of the standard library, and what waits for it. */

import { expect, it, vi } from 'vitest';
import type { PyodideAPI } from 'pyodide';

// Node 20 does not have it yet.
Object.assign(Promise, {
  withResolvers: <T>() => {
    const made = {} as PromiseWithResolvers<T>;
    made.promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
    return made;
  },
});
const completeStdlib = vi.fn(() => Promise.resolve());
vi.mock('./write-libraries.ts', () => ({ completeStdlib }));
const { LateLibrary } = await import('./late-library.ts');

function fakeLate() {
  const ask = vi.fn<() => void>();
  const late = new LateLibrary(ask);
  const hook = {
    wait_for: () => 'csv email email.message importlib.resources\ncsv email importlib json',
    arrived: vi.fn<(all: number) => void>(),
    destroy: () => undefined,
  };
  const pyodide = { pyimport: () => hook } as unknown as PyodideAPI;
  late.expect(pyodide);
  const isNeededBy = (text: string, path = 'a.py'): boolean =>
    late.isNeededBy([{ path, modifiedAt: 0, bytes: new TextEncoder().encode(text) }]);
  return { late, ask, hook, pyodide, isNeededBy };
}

const libraries = { stdlibRest: new Blob() };

it('asks once, and resolves for all that wait when the files have been added', async () => {
  const { late, ask, hook, pyodide } = fakeLate();
  const waiting = [late.whole(), late.whole()];
  expect(ask).toHaveBeenCalledTimes(1);
  await late.add(pyodide, libraries);
  await Promise.all(waiting);
  expect(hook.arrived.mock.calls).toEqual([[0]]);
  await late.addSources(pyodide, new Blob(), 0);
  expect(hook.arrived.mock.calls).toEqual([[0], [1]]);
  await late.whole();
  expect(ask).toHaveBeenCalledTimes(1);
});

it('fails what waits if the files cannot be loaded, and asks again at the next import', async () => {
  const { late, ask, pyodide } = fakeLate();
  const waiting = late.whole();
  await late.add(pyodide, null);
  await expect(waiting).rejects.toThrow('could not be loaded');
  const again = late.whole();
  expect(ask).toHaveBeenCalledTimes(2);
  await late.add(pyodide, libraries);
  await again;
});

it.each([
  ['import csv', true],
  ['import json, csv as table', true],
  ['import json\nfrom csv import reader', true],
  ['def read():\n    import csv', false],
  ['from importlib import resources', true],
  ['import email.message', true],
  ['from langchain_core.tools import tool', true],
  ['import json, importlib', false],
  ['from . import b', false],
  ['from a import b', false],
  ['from json import csv', false],
  ['"""import the csv"""', false],
])('finds out whether a file imports what is missing: %s', (text, isNeeded) => {
  expect(fakeLate().isNeededBy(text)).toBe(isNeeded);
});

it('reads Python files only, and none once everything has arrived', async () => {
  const { late, pyodide, isNeededBy } = fakeLate();
  expect(isNeededBy('import csv', 'notes.txt')).toBe(false);
  await late.add(pyodide, libraries);
  expect(isNeededBy('import csv')).toBe(false);
});
