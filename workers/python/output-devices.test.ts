/** Tests the output devices in a real Pyodide, with the loader's own redirection. */

import { readFile } from 'node:fs/promises';
import { loadPyodide, type PyodideAPI } from 'pyodide';
import { beforeAll, expect, test } from 'vitest';
import { connectOutputDevices } from './output-devices.ts';

let pyodide: PyodideAPI;

beforeAll(async () => {
  pyodide = await loadPyodide();
  connectOutputDevices(pyodide);
  const source = await readFile(new URL('py/cloche/raw_output.py', import.meta.url));
  pyodide.FS.writeFile('/home/pyodide/raw_output.py', source);
  pyodide.runPython(`
import os
from raw_output import RawOutput

raw = RawOutput("/tmp")

class Taken:
    def __init__(self): self.text = ""
    def write(self, stream, text): self.text += f"{stream}: {text}"

def taken():
    sink = Taken()
    raw.drain(sink)
    return sink.text
`);
}, 120_000);

function taken(code: string): unknown {
  pyodide.runPython(code);
  return pyodide.runPython('taken()');
}

test.each([
  ['with open("/dev/stdout", "w") as out: out.write("é\\n")', 'out: é\n'],
  ['with open("/dev/stderr", "a") as out: out.write("no")', 'err: no'],
  [
    'os.write(1, b"a"); f = open("/dev/stdout", "wb", 0); f.write(b"b"); os.write(1, b"c")',
    'out: abc',
  ],
])('%s is output', (code, output) => {
  expect(taken(code)).toBe(output);
});

test('a device that stays open can be written to after each reading', () => {
  expect(taken('f = open("/dev/stdout", "wb", 0); f.write(b"long text")')).toBe('out: long text');
  expect(taken('f.write(b"short")')).toBe('out: short');
});

test('a stream that was closed, or is the device itself, takes no output', () => {
  const before = 'kept = os.dup(1); ';
  const after = '; os.dup2(kept, 1)';
  const write = 'f = open("/dev/stdout", "wb", 0); f.write(b"lost"); f.close()';
  expect(taken(`${before}os.close(1); ${write}${after}`)).toBe('');
  expect(taken(`${before}os.dup2(os.open("/dev/stdout", 1), 1); ${write}${after}`)).toBe('');
  expect(taken('f = open("/dev/stdout", "wb", 0); f.write(b"again")')).toBe('out: again');
});
