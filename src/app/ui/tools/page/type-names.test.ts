import { expect, test } from 'vitest';
import { Budget } from '../../../../runtime/async/pace.ts';
import { TypeNames } from './type-names.ts';

test('alternatives of alternatives are listed once, and a note says once what is left out', () => {
  const types = Array.from({ length: 20 }, (_, n) => ({ title: String(n), type: `t${String(n)}` }));
  const names = new TypeNames({});
  const few = { anyOf: [{ type: 'string' }, { anyOf: [{ type: 'null' }, { type: 'string' }] }] };
  expect(names.of(few)).toBe('string or null');
  const first = types.slice(0, 12).map(({ type }) => type);
  expect(names.of({ anyOf: types })).toBe(`${first.join(' or ')} or 8 more`);
  const nested = Array.from({ length: 14 }, () => ({ anyOf: types }));
  expect(names.of({ anyOf: [{ anyOf: nested }, { type: 'null' }] })).toBe(
    `${first.join(' or ')} or null or others`,
  );
});

test('types beyond the budget have no names', () => {
  const names = new TypeNames({}, new Budget(10));
  const of = (type: string): string => names.of({ type });
  expect([of('string'), of('null'), of('object')]).toEqual(['string', 'null', '…']);
});
