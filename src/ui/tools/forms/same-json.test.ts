import { expect, test } from 'vitest';
import { without } from './same-json.ts';

test('duplicates are removed, however they are formatted', () => {
  const pretty = '{\n  "city": "Oslo"\n}';
  expect(without([pretty, '{"city": "Bergen"}'], ['{"city":"Oslo"}', 'no JSON'])).toEqual([
    '{"city": "Bergen"}',
  ]);
  expect(without(['no JSON', '{}'], ['no JSON'])).toEqual(['{}']);
});
