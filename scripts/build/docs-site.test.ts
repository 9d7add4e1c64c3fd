import { expect, test } from 'vitest';
import { projectFolder } from '../dist.mjs';
import { docsSite } from './docs-site.ts';

const files = new Map((await docsSite(projectFolder)).map(({ name, content }) => [name, content]));
const pages = [...files].filter(([name]) => name.endsWith('.html'));

test('every link leads to a page and to a heading that the site has', () => {
  const broken: string[] = [];
  let checked = 0;
  for (const [name, html] of pages)
    for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) {
      if (/^https?:|^\.\.\//.test(href)) continue;
      const [file = '', id = ''] = href.replace('./', '').split('#');
      const target = files.get(file === '' ? name : file);
      checked += 1;
      if (target === undefined || (id !== '' && !target.includes(`id="${decodeURIComponent(id)}"`)))
        broken.push(`${name}: ${href}`);
    }
  expect(broken).toEqual([]);
  expect(checked).toBeGreaterThan(300);
});

test('a page names itself, its headings and its neighbours, and marks code', () => {
  const page = files.get('tool-files.html') ?? '';
  expect(page).toMatch(/<title>[^<]+ · Cloche<\/title>/);
  expect(page).toContain('aria-current="page"');
  expect(page).toContain('rel="prev"');
  expect(page).toContain('class="token keyword"');
  expect(page.match(/<div class="cloche"><pre/g)).toHaveLength(5);
  expect(files.get('site.css')).toContain('--accent');
});
