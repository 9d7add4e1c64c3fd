/** The welcome text in index.html, which is shown before scripts run, must equal the component's. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

async function words(path: string, element: RegExp): Promise<string | undefined> {
  const text = await readFile(new URL(path, import.meta.url), 'utf8');
  return element
    .exec(text)?.[1]
    ?.replace(/<span>.*<\/span>/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

test.each([
  ['heading', /<h1>([^]*?)<\/h1>/],
  ['lead', /<p class="lead">([^]*?)<\/p>/],
])('the %s', async (_, element) => {
  const here = await words('Welcome.svelte', element);
  expect(here).toBeTruthy();
  expect(await words('../../../../index.html', element)).toBe(here);
});
