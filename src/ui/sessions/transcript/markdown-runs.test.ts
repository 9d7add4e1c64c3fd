import { expect, test } from 'vitest';
import { MarkdownRuns } from './markdown-runs.ts';

const code = '```py\nx = 1\n```';

test('blocks that are there at first go together, up to the last, which may grow', () => {
  expect(new MarkdownRuns().read(`One.\n\nTwo.\n\n${code}\n\nThree.\n\nFour.`)).toEqual([
    { kind: 'run', htmls: ['<p>One.</p>\n', '<p>Two.</p>\n'] },
    { kind: 'code', language: 'py', text: 'x = 1' },
    { kind: 'run', htmls: ['<p>Three.</p>\n'] },
    { kind: 'html', html: '<p>Four.</p>\n' },
  ]);
});

test('what comes later stands by itself, and what was there is the same as before', () => {
  const runs = new MarkdownRuns();
  const [first] = runs.read('One.\n\nTwo.\n\nThr');
  const grown = runs.read('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive');
  expect(grown[0]).toBe(first);
  expect(grown.slice(1).map(({ kind }) => kind)).toEqual(['html', 'html', 'html']);
  expect(runs.read('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive and six.')[2]).toBe(grown[2]);
});

test('a text that grows from nothing is drawn block by block', () => {
  const runs = new MarkdownRuns();
  runs.read('');
  expect(runs.read('One.\n\nTwo.').map(({ kind }) => kind)).toEqual(['html', 'html']);
});

test('another text is drawn as it is', () => {
  const runs = new MarkdownRuns();
  runs.read('One.\n\nTwo.');
  expect(runs.read('Other.\n\nWords.')).toEqual([
    { kind: 'html', html: '<p>Other.</p>\n' },
    { kind: 'html', html: '<p>Words.</p>\n' },
  ]);
});
