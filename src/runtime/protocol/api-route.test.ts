import { expect, test } from 'vitest';
import { apiRoute, type ApiRoute } from './api-route.ts';

async function answered(method: string, path: string): Promise<ApiRoute | readonly unknown[]> {
  const route = apiRoute(method, path);
  if (!(route instanceof Response)) return route;
  const { detail } = (await route.json()) as { readonly detail: string };
  return [route.status, detail, route.headers.get('Allow')];
}

test('an address leads to what its method does there', async () => {
  const asked = [
    ['GET', 'tools'],
    ['HEAD', 'tools/a%3Aone'],
    ['POST', 'tools/a:one/invoke'],
    ['DELETE', 'calls/c'],
    ['POST', 'tests/run'],
  ] as const;
  expect(await Promise.all(asked.map(([method, path]) => answered(method, path)))).toEqual([
    { at: 'tools', id: '' },
    { at: 'tool', id: 'a:one' },
    { at: 'invoke', id: 'a:one' },
    { at: 'cancel', id: 'c' },
    { at: 'run-tests', id: '' },
  ]);
});

test('other methods are refused with those that are allowed', async () => {
  expect(await answered('PUT', 'runs/r')).toEqual([
    405,
    'The method PUT is not allowed here.',
    'GET, HEAD, DELETE',
  ]);
});

test('there is nothing at other addresses', async () => {
  const paths = ['', 'tools/', 'tools/a/b', 'tools/a/invoke/x', 'tools/%ff', 'constructor', '{id}'];
  const answers = await Promise.all(paths.map((path) => answered('GET', path)));
  expect(answers).toEqual(paths.map((path) => [404, `There is nothing at api/${path}.`, null]));
});
