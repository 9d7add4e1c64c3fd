/** The lint rule on requests reports every way in which a redirect could be followed, and nothing else. */

import { Linter } from 'eslint';
import { createCompilerHost, createProgram, createSourceFile, ScriptTarget } from 'typescript';
import { parser } from 'typescript-eslint';
import { expect, test } from 'vitest';
import { noRedirects } from './no-redirects.mjs';

const file = 'linted.ts';

/** @returns the lines that are reported */
function reported(text: string): number[] {
  const options = {
    target: ScriptTarget.ESNext,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
    types: [],
  };
  const host = createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) =>
    name === file ? createSourceFile(name, text, target, true) : read(name, target);
  const program = createProgram([file], options, host);
  const plugins = { cloche: { rules: { 'no-redirects': noRedirects } } };
  const found = new Linter().verify(
    text,
    {
      files: ['**/*.ts'],
      plugins,
      languageOptions: { parser, parserOptions: { programs: [program] } },
      rules: { 'cloche/no-redirects': 'error' },
    },
    { filename: file },
  );
  expect(found.filter(({ ruleId }) => ruleId === null)).toEqual([]);
  return found.map(({ line }) => line);
}

const safe = [
  "void fetch('/a', { redirect: 'error' });",
  "void fetch('/a', { method: 'POST', redirect: 'manual' });",
  "const always = { redirect: 'error' } as const; void fetch('/a', { ...always, body: null });",
  'declare const asked: Request; void fetch(asked);',
  "declare const init: RequestInit & { redirect: 'error' | 'manual' }; void fetch('/a', init);",
  "declare const either: 'error' | 'manual'; void window.fetch('/a', { redirect: either });",
  "new Request('/a', { redirect: 'error' });",
  'const rows = { fetch: (n: number) => n }; rows.fetch(1);',
];
const unsafe = [
  "void fetch('/a');",
  "void fetch('/a', {});",
  "void fetch('/a', { redirect: 'follow' });",
  "declare const mode: 'error' | 'follow'; void fetch('/a', { redirect: mode });",
  "declare const init: RequestInit; void fetch('/a', init);",
  'declare const text: string | Request; void fetch(text);',
  "void window.fetch('/a');",
  "const other = fetch; void other('/a');",
  "declare const deps: { send(url: string, init: RequestInit): void }; deps.send('/a', {});",
  "new Request('/a');",
  "declare const asked: Request; void fetch(asked, { method: 'GET' });",
];

test('requests that follow no redirect pass, and those that may follow one do not', () => {
  const blocks = [...safe, ...unsafe].map((line) => `{ ${line} }`);
  const first = safe.length + 1;
  expect(reported(blocks.join('\n'))).toEqual(unsafe.map((_, n) => first + n));
});
