import { expect, test } from 'vitest';
import { without } from './same-json.ts';

test('what is said already is left out, however it is laid out', () => {
  const pretty = '{\n  "city": "Oslo"\n}';
  expect(without([pretty, '{"city": "Bergen"}'], ['{"city":"Oslo"}', 'no JSON'])).toEqual([
    '{"city": "Bergen"}',
  ]);
  expect(without(['no JSON', '{}'], ['no JSON'])).toEqual(['{}']);
});
