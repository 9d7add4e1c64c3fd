/** The built-in samples as a tools folder. */

import { afterEach, expect, test, vi } from 'vitest';
import { readFolder } from './read-folder.ts';
import { defaultLimits } from '../spec/limits.ts';
import { samplesSource } from './samples-source.ts';

const { signal } = new AbortController();
const base = new URL('https://example.org/docs/');

afterEach(() => {
  vi.unstubAllGlobals();
});

function read(answer: () => Promise<Response>) {
  const asked = vi.fn((_url: URL) => answer());
  vi.stubGlobal('fetch', asked);
  const reading = readFolder(signal, samplesSource(base), defaultLimits, () => undefined);
  return { asked, reading };
}

test('every file has its text, from below the base of the app', async () => {
  const { asked, reading } = read(() =>
    Promise.resolve(Response.json({ 'a.py': 'é', 'data/x.json': '{}' })),
  );
  const { name, files } = await reading;
  expect([name, ...files.map(({ path, bytes }) => [path, String(Buffer.from(bytes))])]).toEqual([
    'samples',
    ['a.py', 'é'],
    ['data/x.json', '{}'],
  ]);
  expect(asked.mock.calls[0]?.[0].href).toMatch(
    /^https:\/\/example\.org\/docs\/assets\/samples-[\da-f]{10}\.json$/,
  );
});

test.each([
  ['no network', () => Promise.reject(new TypeError('Failed to fetch')), /Failed to fetch/],
  ['a missing file', () => Promise.resolve(new Response('', { status: 404 })), /answered 404/],
  ['no JSON', () => Promise.resolve(new Response('<html>')), /could not be loaded/],
])('%s is reported with a remedy', async (_what, answer, message) => {
  await expect(read(answer).reading).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(message) as string,
  });
});
