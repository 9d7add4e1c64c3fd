/** `api/openapi.json`: saved tests are its examples, and its entity tag depends on them and on the tools. */

import { expect, test } from 'vitest';
import { setUp } from '../asking.fixture.ts';
import type { Api } from '../create-api.ts';

function get(api: Api, headers: Record<string, string> = {}): Promise<Response> {
  return api.handle(new Request('https://cloche.test/', { headers }), 'openapi.json');
}

test('an unchanged document is not sent again; a test that has run changes it', async () => {
  const { api, deps } = setUp();
  const first = await get(api);
  expect(await first.text()).toContain('"recorded-1"');
  const tag = first.headers.get('ETag') ?? '';
  expect((await get(api, { 'If-None-Match': tag })).status).toBe(304);

  const headers = { 'Content-Type': 'application/json' };
  const run = { method: 'POST', body: '{"tests": ["first"]}', headers };
  await (await api.handle(new Request('https://cloche.test/', run), 'tests/run')).json();
  const ran = await get(api, { 'If-None-Match': tag });
  expect(ran.status).toBe(200);

  deps.revision = 'r2';
  const tagThen = ran.headers.get('ETag') ?? '';
  expect((await get(api, { 'If-None-Match': tagThen })).status).toBe(200);
});
