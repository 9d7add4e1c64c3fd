/** The examples in docs/deploy.md set the same headers. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { example, recommendedHeaders } from '../tests/support/recommended-headers.ts';

test.each(['nginx', 'Caddy', 'Apache: `.htaccess`'])('%s', async (host) => {
  const text = await example(host);
  const found = [...text.matchAll(/^ *(?:add_header |Header always set )?([A-Z][\w-]+) "(.+)"/gm)];
  const set = found
    .map(([, name = '', value = '']) => [name, value])
    .filter(([name]) => name !== 'Cache-Control');
  const headers = await recommendedHeaders();
  expect(Object.keys(headers)).toHaveLength(7);
  expect(Object.fromEntries(set)).toEqual(headers);
  expect(text).toContain('public, max-age=31536000, immutable');
  expect(text).toContain('no-cache');
});

test('the container sets the same headers', async () => {
  const text = await readFile(new URL('../deploy/Caddyfile', import.meta.url), 'utf8');
  const set = [...text.matchAll(/^\t\t([A-Z][\w-]+) "(.+)"/gm)].map(([, name, value]) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(set)).toEqual(await recommendedHeaders());
});
