import { expect, test } from 'vitest';
import fc from 'fast-check';
import { jsonFault } from './json-fault.ts';

const faultText = (text: string): string | null => {
  const fault = jsonFault(text);
  return fault === null ? null : `${fault.line}:${fault.column} ${fault.message}`;
};

test('valid JSON has no fault', () => {
  expect(
    ['{}', ' {"a": [1, -2.5e3, "x\\n", null]}\n', '12345678901234567890', '""'].map(faultText),
  ).toEqual([null, null, null, null]);
});

test('Python syntax is recognised, with the fix', () => {
  expect(faultText('{"a": True}')).toBe('1:7 True is not JSON: use true');
  expect(faultText('{"a": None}')).toBe('1:7 None is not JSON: use null');
  expect(faultText("{'a': 1}")).toBe('1:2 JSON strings need double quotes');
  expect(faultText('{"a": 1,}')).toBe('1:9 Trailing commas are not allowed in JSON');
  expect(faultText('{"a": -Infinity}')).toBe('1:7 -Infinity is not JSON: JSON has no Infinity');
  expect(faultText('{\n  "a": Oslo\n}')).toBe('2:8 Oslo is not JSON: strings need double quotes');
  expect(faultText('{"a": 1} # yes')).toBe('1:10 Unexpected text after the end of the value');
  expect(faultText('{a: 1}')).toBe('1:2 Expected a name in double quotes');
});

test('the position of a missing piece is where it is missing', () => {
  expect(faultText('')).toBe('1:1 Unexpected end: a value is missing');
  expect(faultText('{"a": 1\n "b": 2}')).toBe('2:2 Expected a comma or }');
  expect(faultText('{"a" 1}')).toBe('1:6 Expected a colon after the name');
  expect(faultText('{"a": [1, 2')).toBe('1:12 Unexpected end: a closing ] is missing');
  expect(faultText('{"a": "x\ny"}')).toBe(
    '1:7 This string is not closed, or contains a line break or an invalid escape',
  );
  expect(faultText('{"a": 01}')).toBe('1:7 Not a valid JSON number');
  expect(faultText('[1, }')).toBe('1:5 Trailing commas are not allowed in JSON');
});

test('whatever JSON.parse rejects has a fault inside the text', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    'a',
    '1',
    '.',
    '-',
    'e',
    ' ',
    '\n',
    '\\',
    'true',
    'None',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      const fault = jsonFault(text);
      let parses = true;
      try {
        JSON.parse(text);
      } catch {
        parses = false;
      }
      expect(fault === null).toBe(parses);
      if (fault !== null) expect(fault.offset).toBeLessThanOrEqual(text.length);
      if (fault !== null)
        expect(fault.message).not.toMatch(/in JSON at position|is not valid JSON/);
    }),
  );
});
