import { expect, test } from 'vitest';
import { Registry } from '../../runtime/registry/registry.ts';
import { KnownTools } from './known-tools.ts';

test('of two lists that are taken at once, the later one is registered', async () => {
  const registry = new Registry({} as never, (thrown) => {
    throw thrown;
  });
  const stored = { id: 's', key: 's', url: 'https://a.example/', addedAt: 0, pinned: [] };
  const known = new KnownTools(stored, {
    registry,
    now: () => 0,
    dispatch: {} as never,
    onPinned: () => undefined,
    onRegistered: () => undefined,
  });
  const listed = (name: string) => {
    const text = JSON.stringify({ name, inputSchema: { type: 'object', properties: {} } });
    return { name, text, hash: name };
  };
  const many = Array.from({ length: 300 }, (_, n) => listed(`t${n}`));
  await Promise.all([
    known.take({ tools: many, problems: [] }, 1_000_000),
    known.take({ tools: [listed('one')], problems: [] }, 1_000_000),
  ]);
  expect(registry.list().map(({ name }) => name)).toEqual(['s:one']);
});
