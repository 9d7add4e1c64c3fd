/** Packages are compiled without being run, and behave like installed ones afterwards. */
import crypto from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { beforeAll, expect, test, vi } from 'vitest';
import { makeWheel } from '../../tests/support/make-wheel.ts';
import { compilePackages, writeCompiled } from './compiled-packages.ts';
import { installWheels } from './packages.ts';

const files = {
  'shop/__init__.py': 'import os\nopen("/tmp/shop-ran", "w").close()\nfrom .price import price\n',
  'shop/price.py': 'def price():\n    return 1 / 0\n',
  'shop/broken.py': 'def (:\n',
  'shop/data.txt': 'read as a file',
};
const [filename, content] = makeWheel({ name: 'shop', version: '1.0', files });
const wheel = {
  filename,
  target: 'site',
  content: new Blob([new Uint8Array(content)]),
  sha256: '',
} as const;

let compiling: PyodideAPI;
let compiled: ArrayBuffer;

beforeAll(async () => {
  compiling = await loadPyodide();
  await installWheels(compiling, [wheel]);
  compiled = await compilePackages(compiling).arrayBuffer();
}, 120_000);

function facts(python: PyodideAPI, expression: string): unknown {
  return JSON.parse(python.runPython(`import json; json.dumps(${expression})`) as string);
}

test('compiles without running, and another interpreter has the same package', async () => {
  expect(facts(compiling, '__import__("os").path.exists("/tmp/shop-ran")')).toBe(false);
  const python = await loadPyodide();
  writeCompiled(python, compiled);
  python.runPython(`
import importlib.metadata, importlib.resources, os, traceback, shop
try:
    shop.price()
except ZeroDivisionError:
    trace = traceback.format_exc()
`);
  expect(
    facts(
      python,
      `[os.path.exists(shop.price.__globals__["__spec__"].cached), importlib.metadata.version("shop"),
        importlib.resources.read_text(shop, "data.txt"), os.path.exists("/tmp/shop-ran")]`,
    ),
  ).toEqual([true, '1.0', 'read as a file', true]);
  expect(python.runPython('trace')).toContain('shop/price.py", line 2, in price\n    return 1 / 0');
  expect(() => {
    python.runPython('import shop.broken');
  }).toThrow('SyntaxError');
  // Python sees that a source has changed since.
  python.runPython(`
import importlib, time
from pathlib import Path
path = Path(shop.price.__globals__["__file__"])
path.write_text("def price():\\n    return 5\\n")
os.utime(path, (time.time() + 9, time.time() + 9))
importlib.reload(__import__("sys").modules["shop.price"])
`);
  expect(facts(python, '__import__("sys").modules["shop.price"].price()')).toBe(5);
}, 60_000);

test('something else is refused', () => {
  const other = new TextEncoder().encode('\u0002\0\0\0{}').buffer;
  expect(() => {
    writeCompiled(compiling, other);
  }).toThrow('not a list of files');
});

test('what a snapshot for packages imports reads neither the clock nor random numbers', async () => {
  const python = await loadPyodide();
  const module = fileURLToPath(new URL('py/cloche/package_imports.py', import.meta.url));
  const text = await readFile(module, 'utf8');
  // The loader has imported these modules before.
  python.runPython('import random, ssl, logging, hashlib');
  const spies = [
    vi.spyOn(Date, 'now'),
    vi.spyOn(performance, 'now'),
    vi.spyOn(crypto, 'randomFillSync'),
  ];
  const count = (): number => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  python.runPython('import time, os; time.time(); os.urandom(4)');
  expect(spies.map((spy) => spy.mock.calls.length > 0)).toEqual([true, false, true]);
  const before = count();
  python.runPython(text);
  expect(count()).toBe(before);
  vi.restoreAllMocks();
}, 60_000);
