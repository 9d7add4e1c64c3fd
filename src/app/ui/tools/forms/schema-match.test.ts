import { expect, test } from 'vitest';
import { parseExact } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { FormSchema } from './form-schema.ts';
import { isQuickPattern } from './schema-match.ts';

test.each([
  ['^x-', true],
  ['^(get|put|post)_[a-z]+$', true],
  ['^https?://', true],
  ['(a|a)'.repeat(30), false],
  ['a?'.repeat(60) + 'a'.repeat(60), false],
  ['(a+)+', false],
  ['a*b*', false],
  ['(a)\\1', false],
])('a pattern that matches quickly is told apart: %.30s', (pattern, quick) => {
  expect(isQuickPattern(pattern)).toBe(quick);
});

test('a schema whose pattern takes exponential time is read at once', () => {
  const pattern = `^${'(a|a)'.repeat(30)}b$`;
  const root = { patternProperties: { [pattern]: { type: 'string' } } };
  const schema = new FormSchema(parseExact(JSON.stringify(root)) as JsonObject);
  expect(schema.memberSchema(schema.root, `${'a'.repeat(30)}c`)).toBe(true);
});

test('names are compared with patterns a limited number of times, each name once', () => {
  const root = { patternProperties: { '^x': { type: 'string' } }, additionalProperties: false };
  const schema = new FormSchema(parseExact(JSON.stringify(root)) as JsonObject);
  const of = (name: string): unknown => schema.memberSchema(schema.root, name);
  expect([of('x1'), of('y1')]).toEqual([{ type: 'string' }, false]);
  for (let n = 0; n < 3_000; n += 1) of('x1');
  expect(of('x2')).toEqual({ type: 'string' });
  for (let n = 0; n < 3_000; n += 1) of(`y${n}`);
  expect([of('x1'), of('x3')]).toEqual([{ type: 'string' }, true]);
});
