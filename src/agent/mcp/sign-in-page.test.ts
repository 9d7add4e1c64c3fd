import { afterEach, expect, test, vi } from 'vitest';
import { responseOf, signInPage } from './sign-in-page.ts';

afterEach(() => vi.unstubAllGlobals());

test('the document of a site is used only if it describes this site', async () => {
  const answers = new Map<string, object>();
  vi.stubGlobal('fetch', (url: string) => {
    const found = answers.get(url);
    return Promise.resolve(
      new Response(JSON.stringify(found ?? {}), { status: found ? 200 : 404 }),
    );
  });
  const page = signInPage(new URL('https://a.example/tools/'));
  const url = 'https://a.example/tools/oauth-client.json';
  expect(page.redirectUrl).toBe('https://a.example/tools/sign-in.html');
  expect(await page.clientUrl()).toBeNull();
  answers.set(url, { client_id: url, redirect_uris: ['https://b.example/sign-in.html'] });
  expect(await page.clientUrl()).toBeNull();
  answers.set(url, { client_id: url, redirect_uris: [page.redirectUrl] });
  expect(await page.clientUrl()).toBe(url);
  answers.set('http://a.example/oauth-client.json', { client_id: 'x' });
  expect(await signInPage(new URL('http://a.example/')).clientUrl()).toBeNull();
});

test('a response has the state of the sign-in, and its words are bounded', () => {
  expect(responseOf({ state: 'b', code: 'c' }, 'a')).toBeNull();
  expect(responseOf({ state: 'a', code: 'c', iss: 'https://i' }, 'a')).toEqual({
    code: 'c',
    iss: 'https://i',
  });
  expect(responseOf({ state: 'a', code: 7 }, 'a')).toEqual({ error: 'it has no code' });
  expect(
    responseOf({ state: 'a', error: 'no', error_description: 'x'.repeat(9_000) }, 'a'),
  ).toEqual({ error: `no: ${'x'.repeat(496)}` });
});
