import { expect, test } from 'vitest';
import { MarkdownText } from './markdown-text.ts';
import { closedStrong } from './unfinished.ts';

test.each([
  ['It is **very', 'It is **very**'],
  ['It is **very ', 'It is **very**'],
  ['It is **very*', 'It is **very**'],
  ['It is **', 'It is '],
  ['It is *', 'It is '],
  ['**A** and **b', '**A** and **b**'],
  ['- **A:** one\n- **B', '- **A:** one\n- **B**'],
  ['One **two\nthree', 'One **two\nthree**'],
  ['See `a**` and **b', 'See `a**` and **b**'],
])('%j is read as %j while it grows', (block, read) => {
  expect(closedStrong(block)).toBe(read);
});

test.each(['It is **very**', 'an *em*', '2 ** 3', 'Call `f(**kw', '*', '- a\n- b', '', 'x * y'])(
  '%j is read as it is',
  (block) => {
    expect(closedStrong(block)).toBe(block);
  },
);

test('a text that grows shows no signs of what is open, and reads as it is once it is whole', () => {
  const whole = 'First.\n\nIt is **very important**, and *so* on.\n\n```py\nf(**kw)\n```';
  const reader = new MarkdownText();
  for (let end = 1; end <= whole.length; end += 1) {
    const [, second] = reader.read(whole.slice(0, end), true);
    if (second?.kind === 'html') expect(second.html).not.toContain('**');
  }
  expect(reader.read(whole)).toEqual(new MarkdownText().read(whole));
  expect(reader.read(whole, true).at(-1)).toMatchObject({ kind: 'code', text: 'f(**kw)' });
  const open = 'It is **open';
  expect([new MarkdownText().read(open), new MarkdownText().read(open, true)]).toEqual([
    [{ kind: 'html', html: '<p>It is **open</p>\n' }],
    [{ kind: 'html', html: '<p>It is <strong>open</strong></p>\n' }],
  ]);
});
