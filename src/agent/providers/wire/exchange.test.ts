import { expect, test } from 'vitest';
import { replaceLoneSurrogates } from './exchange.ts';

test('a lone surrogate becomes U+FFFD in any spelling', () => {
  expect(JSON.parse(replaceLoneSurrogates(JSON.stringify(['a\ud83d', '\ude00b', '😀'])))).toEqual([
    'a\ufffd',
    '\ufffdb',
    '😀',
  ]);
  expect(replaceLoneSurrogates('"\ud83d"')).toBe('"\ufffd"');
});

test('surrogate pairs, other escapes and escaped backslashes keep their spelling', () => {
  for (const json of ['"\\ud83d\\ude00"', '"\\\\ud83d"', '"\\u00e4 \\n \\\\"', '{"n": 1.0}'])
    expect(replaceLoneSurrogates(json)).toBe(json);
  expect(replaceLoneSurrogates('"\\\\\\ud83d"')).toBe('"\\\\\\ufffd"');
});
