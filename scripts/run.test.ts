/** The output of commands that run side by side can be told apart. */
import { expect, test } from 'vitest';
import { shownOn } from './run.mjs';

function written(prefix: string, ...texts: string[]): string {
  let all = '';
  const shown = shownOn({ write: (text: string) => (all += text) }, prefix);
  for (const text of texts) shown.write(text);
  shown.end();
  return all;
}

test('whole lines are shown behind the prefix, however they arrive', () => {
  expect(written('unit │ ', 'a', 'b\nc\n', '\nd')).toBe(
    ['unit │ ab', 'unit │ c', 'unit │ ', 'unit │ d', ''].join('\n'),
  );
});

test('without a prefix nothing is changed or held back', () => {
  expect(written('', 'a', 'b\nc')).toBe('ab\nc');
});
