/** Compiled validators: one for each of our schemas. */
import { readFileSync, readdirSync } from 'node:fs';
import * as ofPage from 'virtual:cloche/page-validators';
import * as validators from 'virtual:cloche/validators';
import { expect, test } from 'vitest';

test('every schema has its validator, and the types name exactly these', () => {
  const files = readdirSync(new URL('../../src/runtime/spec/schemas', import.meta.url));
  const own = files.map((file) =>
    file.replace('.schema.json', '').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
  );
  const expected = own.sort();
  const all = [...Object.keys(validators), ...Object.keys(ofPage)].sort();
  expect(all).toEqual(expected);
  const types = readFileSync(new URL('../../src/virtual.d.ts', import.meta.url), 'utf8');
  const typed = [...types.matchAll(/export const (\w+): Validator;/g)].map(([, name]) => name);
  expect(typed.sort()).toEqual(expected);
});
