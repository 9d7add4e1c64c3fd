/** The headers that docs/deploy.md recommends, from its example of a `_headers` file. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The text of the example below a heading. */
export async function example(heading: string): Promise<string> {
  const guide = fileURLToPath(new URL('../../docs/deploy.md', import.meta.url));
  const [, section = ''] = (await readFile(guide, 'utf8')).split(`\n### ${heading}\n`);
  const text = /```\w+\n([^]*?)```/.exec(section)?.[1];
  if (text === undefined) throw new Error(`docs/deploy.md has no example for ${heading}.`);
  return text;
}

export async function recommendedHeaders(): Promise<Record<string, string>> {
  const [, all = ''] = (await example('Netlify, Cloudflare Pages: `_headers`')).split(/^\/.*\n/m);
  return Object.fromEntries(
    [...all.matchAll(/^ {2}([\w-]+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}
