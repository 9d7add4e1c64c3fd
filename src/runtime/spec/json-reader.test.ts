import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanObject } from './json-reader.ts';

function members(text: string): Record<string, string> {
  const steps = scanObject(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return Object.fromEntries(step.value);
  }
}

function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function scans(text: string): boolean {
  try {
    members(text);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return false;
  }
}

describe('the text of a member', () => {
  test('is what the caller wrote, to the character', () => {
    const text =
      '{"arguments": {"n": 12345678901234567890, "f":3.0, "2":1,"1" : 1e3}, "session" : "a\\u0062" }';
    expect(members(text)).toEqual({
      arguments: '{"n": 12345678901234567890, "f":3.0, "2":1,"1" : 1e3}',
      session: '"a\\u0062"',
    });
  });

  test('is the last of several with one key, however the key is spelt', () => {
    expect(members('{"a": 1, "\\u0061": [2], "a":{"a":3}}')).toEqual({ a: '{"a":3}' });
    expect(members('{"a":{"b":1},"b":2}')).toEqual({ a: '{"b":1}', b: '2' });
  });

  test('may have any key', () => {
    const steps = scanObject('{"__proto__": 1, "": {}}').next();
    expect(steps).toEqual({
      done: true,
      value: new Map([
        ['__proto__', '1'],
        ['', '{}'],
      ]),
    });
  });
});

describe('it takes what JSON.parse takes', () => {
  test.each([
    '{}',
    ' { } ',
    '{"a":[]}',
    '{"a":[[],[{}]]}',
    '{"a":-0.5e-7}',
    '{"a":"\\ud800"}',
    '{"a":"\u2028\u007f"}',
    '{"a":"\\\\"}',
    '\n\t{"a":true\r,"b":null}',
  ])('%j', (text) => {
    expect(parses(text)).toBe(true);
    expect(scans(text)).toBe(true);
  });

  test('randomly generated objects', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 3 }),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent);
          const found = members(text);
          expect(Object.keys(found).sort()).toEqual(Object.keys(value).sort());
          for (const [key, raw] of Object.entries(found)) {
            expect(JSON.parse(raw)).toEqual(JSON.parse(JSON.stringify(value[key])));
          }
        },
      ),
    );
  });
});

describe('it refuses what JSON.parse refuses', () => {
  test.each([
    '',
    ' ',
    '{',
    '{]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{a:1}',
    "{'a':1}",
    '{"a":[1,]}',
    '{"a":[}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":NaN}',
    '{"a":tru}',
    '{"a":"\t"}',
    '{"a":"\\x41"}',
    '{"a":"\\u00g0"}',
    '{"a":"',
    '{"a":1} 2',
    '{"a":1}}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{\u00a0}',
    '[]',
    '"a"',
    'null',
  ])('%j', (text) => {
    expect(parses(text)).toBe(false);
    expect(scans(text)).toBe(false);
  });

  test('randomly damaged objects', () => {
    const damaged = fc
      .tuple(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.nat(),
        fc.constantFrom(...Array.from('{}[]",:\\0-.eu\n ')),
      )
      .map(([value, at, char]) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + char + text.slice(cut + 1);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        expect(scans(text)).toBe(parses(text));
      }),
      { numRuns: 500 },
    );
  });
});

test('an error names the position', () => {
  expect(() => members('{"a": nope}')).toThrow('expected a value at position 6, found "n"');
  expect(() => members('[1]')).toThrow('expected an object at position 0, found "["');
});

test('deep nesting is refused without exhausting the stack', () => {
  expect(scans(`{"a":${'['.repeat(9_999)}${']'.repeat(9_999)}}`)).toBe(true);
  expect(scans(`{"a":${'['.repeat(1_000_000)}`)).toBe(false);
});

test('long text is scanned in steps, also inside one string', () => {
  const text = JSON.stringify({ a: 'x\\'.repeat(500_000) });
  let steps = 0;
  const scanning = scanObject(text);
  let step = scanning.next();
  for (; step.done !== true; step = scanning.next()) steps += 1;
  expect(step.value.get('a')).toHaveLength(text.length - '{"a":}'.length);
  expect(steps).toBeGreaterThan(20);
});
