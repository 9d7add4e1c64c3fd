import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameJson, readArguments } from './read-arguments.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const hi = '{"text":"hi"}';

describe('arguments that can only mean one object are read', () => {
  test.each([
    [hi, hi, null],
    [` ${hi}\n`, hi, null],
    ['', '{}', null],
    ['{}', '{}', null],
    ['null', '{}', 'null'],
    ['"null"', '{}', 'double-encoded'],
    ['""', '{}', 'double-encoded'],
    [JSON.stringify(hi), hi, 'double-encoded'],
    [JSON.stringify(JSON.stringify(hi)), hi, 'double-encoded'],
    [hi + hi, hi, 'repeated'],
    [`${hi}\n${hi}\n${hi}`, hi, 'repeated'],
    [hi + JSON.stringify(hi), hi, 'repeated'],
    [`${hi}{ "text" : "hi" }`, hi, 'repeated'],
    ['{"a":1,"b":2}{"b":2,"a":1}', '{"a":1,"b":2}', 'repeated'],
    [`{}${hi}`, hi, 'empty-first'],
    [`null${hi}`, hi, 'empty-first'],
    [`""${hi}`, hi, 'empty-first'],
    [`${hi}{}`, hi, 'empty-first'],
    ['{}{}', '{}', 'empty-first'],
    ['{"text":"line 1\nline\t2"}', '{"text":"line 1\\nline\\t2"}', 'characters'],
    ['{"text":"a\r\nb\u0001"}', '{"text":"a\\r\\nb\\u0001"}', 'characters'],
    [`${hi}</tool_call>`, hi, 'surrounded'],
    [`${hi}\n</parameter>\n</function>`, hi, 'surrounded'],
    [`<tool_call>\n${hi}\n</tool_call>`, hi, 'surrounded'],
    [`${hi}<|im_end|>`, hi, 'surrounded'],
    [`${hi}<｜tool▁call▁end｜>`, hi, 'surrounded'],
    [`${hi}[/TOOL_CALLS]`, hi, 'surrounded'],
    [`${hi}}`, hi, 'surrounded'],
    [`\`\`\`json\n${hi}\n\`\`\``, hi, 'surrounded'],
    [`\`\`\`${hi}\`\`\``, hi, 'surrounded'],
    [`${hi}\n\`\`\``, hi, 'surrounded'],
    ['{"a":1,}', '{"a":1}', 'syntax'],
    ['{"a":[1,2, ],\n}', '{"a":[1,2]}', 'syntax'],
    ["{'text': 'hi'}", hi, 'syntax'],
    [
      `{'text': "it's", 'ok': True, 'no': [False, None]}`,
      '{"text":"it\'s","ok":true,"no":[false,null]}',
      'syntax',
    ],
    [`{'text': 'say "hi"'}`, '{"text":"say \\"hi\\""}', 'syntax'],
    [`{"text": "it\\'s"}`, '{"text":"it\'s"}', 'syntax'],
    ['{"n":3.0,"big":12345678901234567890,}', '{"n":3.0,"big":12345678901234567890}', 'syntax'],
    ['{"n":1e400}{"n":1e400}', '{"n":1e400}', 'repeated'],
    [
      JSON.stringify('{"big":12345678901234567890}'),
      '{"big":12345678901234567890}',
      'double-encoded',
    ],
  ])('%j', (written, text, fault) => {
    expect(readArguments(written)).toEqual({ text, fault });
  });
});

describe('arguments with several possible meanings, or none, are not read', () => {
  test.each([
    '{"text":"hi"}{"text":"bye"}',
    '{"a":1}{"a":1,"b":2}',
    '{"n":3.0}{"n":3}',
    '{"n":12345678901234567890}{"n":12345678901234567891}',
    `${hi}</tool_call><tool_call>{"text":"bye"}`,
    `${hi} and more`,
    `Here they are: ${hi}`,
    'I cannot call it.',
    '{"text":"hi',
    '{"text":"hi"',
    '{"te{"text":"hi"}',
    '{"text":"say "hi""}',
    "{'text': 'it's'}",
    '{"path":"C:\\dir"}',
    '{"text":hi}',
    '{text:"hi"}',
    '{,}',
    '[,]',
    '{"a":1,,}',
    '{"a":}',
    '{"a":[1}]',
    '[{"text":"hi"}]',
    '[]',
    '3',
    'true',
    '"hi"',
    `"hi"${hi}`,
    `3${hi}`,
    '}',
    '</tool_call>',
    '```',
    '{"a": undefined}',
    '{"a": NaN}',
    '{"a": 01}',
  ])('%j', (written) => {
    expect(readArguments(written)).toBeNull();
  });
});

const object = fc.dictionary(fc.string(), fc.jsonValue());

test('every object is read as it is, also encoded up to three times, and repeated', () => {
  fc.assert(
    fc.property(object, fc.nat(3), (value, encodings) => {
      let written = JSON.stringify(value);
      const text = written.trim();
      for (let n = 0; n < encodings; n += 1) written = JSON.stringify(written);
      expect(readArguments(written)?.text).toBe(text);
      expect(readArguments(text + text)?.text).toBe(text);
    }),
  );
});

test('two different objects are never read', () => {
  fc.assert(
    fc.property(object, object, (one, other) => {
      const a = JSON.stringify(one);
      const b = JSON.stringify(other);
      fc.pre(a !== '{}' && b !== '{}' && !isSameJson(a, b));
      expect(readArguments(a + b)).toBeNull();
    }),
  );
});

test('any text is read or refused, without an error', () => {
  const piece = fc.constantFrom(
    ...['{', '}', '[', ']', '"', ',', ':', "'", '\\', ' ', '\n', '1', 'a', 'T', '<', '>', '|', '`'],
    ...['null', 'True', '</x>', '```'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const read = readArguments(pieces.join(''));
      if (read !== null) expect(typeof JSON.parse(read.text)).toBe('object');
    }),
    { numRuns: 2_000 },
  );
});

test('nesting and length are no problem', () => {
  const deep = '['.repeat(20_000);
  expect(readArguments(deep)).toBeNull();
  expect(readArguments(`{"a":${deep}${']'.repeat(20_000)},}`)).not.toBe(undefined);
  const long = `{"text":"${'line\n'.repeat(40_000)}"}`;
  const before = threadMs();
  expect(readArguments(long)?.fault).toBe('characters');
  expect(readArguments(`${hi}${' '.repeat(200_000)}x`)).toBeNull();
  expect(readArguments(`${' '.repeat(200_000)}x`)).toBeNull();
  expect(threadMs() - before).toBeLessThan(5_000);
});
