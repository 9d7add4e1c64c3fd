import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { mcpNames } from './mcp-names.ts';

async function named(...ids: string[]): Promise<(string | undefined)[]> {
  const names = await mcpNames(ids);
  return ids.map((id) => names.toWire(id));
}

test('names a tool by its function where that is unique', async () => {
  expect(await named('weather:current', 'mail:send', 'news:send')).toEqual([
    'current',
    'mail__send',
    'news__send',
  ]);
});

test('uses the wire name where the function’s name is not legal, or could be that of another tool', async () => {
  const [prototype, spaced, double, hashed] = await named(
    'a:constructor',
    'a:two words',
    'a:b__c',
    'a:x_h0123456789',
  );
  expect([prototype, hashed]).toEqual(['a__constructor', 'a__x_h0123456789']);
  for (const name of [spaced, double]) expect(name).toMatch(/^a_.*_h[0-9a-f]{10}$/);
});

test('no name is longer than 48 characters, and long names stay different', async () => {
  const long = 'f'.repeat(60);
  const names = await named(`a:${long}`, `b:${long}`, `a:${long}1`, `m:${'g'.repeat(48)}`);
  expect(names[3]).toBe('g'.repeat(48));
  for (const name of names) expect(name?.length).toBeLessThanOrEqual(48);
  expect(new Set(names).size).toBe(4);
});

test('the names are those of cloche_mcp.py, whose tests read the same file', async () => {
  const file = new URL('../../../workers/python/tests/mcp-names.json', import.meta.url);
  const expected: unknown = JSON.parse(await readFile(file, 'utf8'));
  const ids = Object.keys(expected as object);
  const names = await mcpNames(ids);
  expect(Object.fromEntries(ids.map((id) => [id, names.toWire(id)]))).toEqual(expected);
});
