import { expect, test } from 'vitest';
import { Marked, type Token } from 'marked';
import { helpLink } from './help-link.ts';
import { helpPages, searchHelp, sectionsOf } from './help-pages.ts';

test('a page is divided by its headings, not by comments of code', () => {
  const text =
    '# Top\n\nFirst.\n\n## The `a` part?\n\n```py\n# no heading\n```\n\n### In it\n\nLast.\n';
  expect(
    sectionsOf('x', text).map(({ id, title, level, text: own }) => [id, title, level, own]),
  ).toEqual([
    ['', 'Top', 1, 'First.'],
    ['the-a-part', 'The a part?', 2, '```py\n# no heading\n```'],
    ['in-it', 'In it', 3, 'Last.'],
  ]);
});

test('a code block that shows another one stays in its section', () => {
  const block = '````markdown\n```python\n# cloche: tool=greet\n```\n````';
  expect(sectionsOf('x', `# Top\n\n${block}\n\n## Next\n`)).toEqual([
    { page: 'x', id: '', title: 'Top', level: 1, text: block },
    { page: 'x', id: 'next', title: 'Next', level: 2, text: '' },
  ]);
});

test('each section of a page has an id that no other section of the page has', () => {
  for (const { sections } of helpPages) {
    const ids = sections.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
  }
});

test('every page exists, and every link between them leads to a section', () => {
  const places = new Set(
    helpPages.flatMap(({ id, sections }) =>
      sections.map((section) => `#/help/${id}${section.id === '' ? '' : `/${section.id}`}`),
    ),
  );
  expect(helpPages.map(({ sections }) => sections.length > 0)).toEqual(helpPages.map(() => true));
  const markdown = new Marked();
  let links = 0;
  for (const { id, sections } of helpPages)
    for (const { text } of sections)
      void markdown.walkTokens(markdown.lexer(text), (token: Token) => {
        if (token.type !== 'link') return;
        const to = helpLink(id, String(token.href));
        if (to?.startsWith('#') !== true) return;
        links += 1;
        expect([...places], `${id}: ${String(token.href)}`).toContain(to);
      });
  expect(links).toBeGreaterThan(40);
});

test.each([
  ['api.md#tests', '#/help/api/tests'],
  ['values.md', '#/help/values'],
  ['#the-format', '#/help/tests/the-format'],
  ['https://example.com/a', 'https://example.com/a'],
  ['../README.md', null],
  ['decisions/framing.md', null],
  ['follow-a-call.md', null],
  ['javascript:alert(1)', null],
  ['#', null],
])('a link to %s leads to %s', (href, to) => {
  expect(helpLink('tests', href)).toBe(to);
});

test('a search finds sections with all words, those with a fitting heading first', () => {
  const [first] = searchHelp('optional KEYS');
  expect([first?.section.page, first?.section.id]).toEqual(['tool-files', 'optional-keys']);
  const timeouts = searchHelp('timeout_s');
  expect(timeouts.length).toBeGreaterThan(1);
  for (const { excerpt } of timeouts) expect(excerpt.length).toBeLessThan(170);
  expect(timeouts.some(({ excerpt }) => excerpt.includes('timeout_s'))).toBe(true);
  expect(searchHelp('timeout_s nosuchword')).toEqual([]);
  expect(searchHelp('  ')).toEqual([]);
});
