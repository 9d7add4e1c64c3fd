/** Compiled validators: one for each of our schemas. */
import { readFileSync } from 'node:fs';
import * as ofPage from 'virtual:cloche/page-validators';
import * as ofSandbox from 'virtual:cloche/validators';
import { expect, test } from 'vitest';
import { pageSchemas, sandboxSchemas, validators } from './validators.ts';

test('every schema has its validator, and the types name exactly these', () => {
  expect(Object.keys(ofSandbox).sort()).toEqual(Object.keys(sandboxSchemas).sort());
  expect(Object.keys(ofPage).sort()).toEqual(Object.keys(pageSchemas).sort());
  const types = readFileSync(new URL('../../src/virtual.d.ts', import.meta.url), 'utf8');
  const typed = [...types.matchAll(/export const (\w+): Validator\b/g)].map(([, name]) => name);
  expect(typed.sort()).toEqual(Object.keys({ ...sandboxSchemas, ...pageSchemas }).sort());
});

test('an object that is in several places is checked by one function', () => {
  const shape = { additionalProperties: false, required: ['name'], minProperties: 1 };
  const user = { type: 'object', ...shape, properties: { name: { type: 'string' } } };
  const checks = (...names: readonly string[]): number => {
    const schemas = names.map((name) => [name, { type: 'array', items: user }] as const);
    return validators(Object.fromEntries(schemas)).match(/\.name\b/g)?.length ?? 0;
  };
  expect(checks('one')).toBeGreaterThan(0);
  expect(checks('one', 'two')).toBe(checks('one'));
});
