import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareJson, maxChars, type Comparison } from './compare-json.ts';

function compare(...texts: readonly string[]): Comparison {
  const steps = compareJson(texts);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** One line per row. */
function lines(...texts: readonly string[]): string[] {
  return compare(...texts).rows.map((row) => {
    if (row.is === 'around') return `${row.pointer}/`;
    if (row.is === 'equal') return `= ${row.members.map(({ key }) => key).join(' ')}`;
    return `${row.pointer}: ${row.values.map((value) => value ?? '-').join(' | ')}`;
  });
}

test('members that differ are rows, and equal ones are folded together', () => {
  expect(
    lines(
      '{"a": 1, "b": 2, "c": {"x": 1, "y": [1]}, "d": 4, "gone": 5}',
      '{"a": 1, "b": 2, "c": {"x": 2, "y": [1]}, "d": 4, "new": 6}',
    ),
  ).toEqual(['/', '= a b', '/c/', '/c/x: 1 | 2', '= y', '= d', '/gone: 5 | -', '/new: - | 6']);
});

test('the order of members and spaces are no difference, the spelling of a number is', () => {
  expect(lines('{"a": 1, "b": [1, {"c": 2}]}', '{"b":[1,{"c":2}],"a":1}')).toEqual(['= ']);
  expect(lines('{"n": 1.0}', '{"n": 1}')).toEqual(['/', '/n: 1.0 | 1']);
  expect(lines('12345678901234567890', '12345678901234567891')).toHaveLength(1);
});

test('an item that was inserted or removed does not shift the others', () => {
  expect(lines('[1, 2, 3, 4]', '[1, 2, 9, 3, 4]')).toEqual(['/', '= 0 1', '/2: - | 9', '= 3 4']);
  expect(lines('[1, 2, 3]', '[2, 3]')).toEqual(['/', '/0: 1 | -', '= 1 2']);
  expect(lines('[]', '[1]')).toEqual(['/', '/0: - | 1']);
});

test('values of different kinds, and more than two values, are side by side', () => {
  expect(lines('{"a": [1]}', '{"a": {"b": 1}}', '{"a": null}', '{}')).toEqual([
    '/',
    '/a: [1] | {"b": 1} | null | -',
  ]);
  expect(lines('{"a": 1, "b": 1}', '{"a": 1, "b": 2}', '{"a": 1, "b": 1}')).toEqual([
    '/',
    '= a',
    '/b: 1 | 2 | 1',
  ]);
});

test('a value is equal to itself, and only to an equal one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const left = JSON.stringify(a);
      const right = JSON.stringify(b);
      expect(compare(left, JSON.stringify(a, null, 2)).rows.map(({ is }) => is)).toEqual(['equal']);
      const differs = compare(left, right).rows.some(({ is }) => is === 'different');
      expect(differs).toBe(left !== right && lines(left, right)[0] !== '= ');
      if (!differs) expect(JSON.parse(left)).toEqual(JSON.parse(right));
    }),
  );
});

test('what is compared is bounded, and it is said', () => {
  const wide = (value: number): string =>
    JSON.stringify(Array.from({ length: 100_000 }, (_, n) => n * value));
  const found = compare(wide(1), wide(2));
  expect([found.rows.length <= 2_001, found.cut]).toEqual([true, true]);
  const deep = (n: number): string => `${'['.repeat(10_000)}${String(n)}${']'.repeat(10_000)}`;
  const { rows, cut } = compare(deep(1), deep(2));
  expect([rows.length, cut]).toEqual([41, true]);
  const long = (n: number): string => `["${'x'.repeat(maxChars)}", ${String(n)}]`;
  const whole = compare(long(1), long(2));
  expect([whole.rows.length, whole.cut]).toEqual([1, true]);
  expect(compare('[1]', '[2]').cut).toBe(false);
});

test('texts with several lines come with all their lines, if two of them differ', () => {
  const long = 'same\\n'.repeat(1_000);
  const rows = (...texts: readonly string[]) =>
    compare(...texts).rows.flatMap((row) => (row.is === 'different' ? [row.lines] : []));
  expect(rows(`{"t": "${long}a"}`, `{"t": "${long}b"}`)).toEqual([
    [`${'same\n'.repeat(1_000)}a`, `${'same\n'.repeat(1_000)}b`],
  ]);
  expect(rows('{"t": "a"}', '{"t": "b"}')).toEqual([null]);
  expect(rows('["a\\nb"]', '[1]')).toEqual([null]);
  expect(rows('["a\\nb"]', '["a\\nc"]', '["a"]')).toEqual([null]);
  const max = 'x\\n'.repeat(60_000);
  // Only as many as the page can compare.
  expect(
    rows(`["${max}a", "${max}a"]`, `["${max}b", "${max}b"]`).map((each) => each === null),
  ).toEqual([false, true]);
});
