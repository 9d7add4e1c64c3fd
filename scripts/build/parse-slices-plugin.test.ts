import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { withShortSlices } from './parse-slices-plugin.ts';

test('the installed editor parses for up to 20 ms without a pause, and for up to 100 without the plugin', async () => {
  const installed = fileURLToPath(import.meta.resolve('@codemirror/language'));
  const code = await readFile(installed, 'utf8');
  const slice = /Math\.min\(this\.chunkBudget, (\d+)/;
  expect([slice.exec(code)?.[1], slice.exec(withShortSlices(code))?.[1]]).toEqual(['100', '20']);
});

test('the build fails if CodeMirror no longer has this limit', () => {
  expect(() => withShortSlices('')).toThrow('find what limits its parse worker');
});
