/** Resources, templates and prompts of a server in both eras. */

import { afterEach, expect, test } from 'vitest';
import { added, endServers, serve, until } from '../../../tests/support/mcp-bench.ts';

afterEach(endServers);

const capabilities = {
  tools: {},
  resources: { listChanged: true },
  prompts: { listChanged: true },
  completions: {},
};
const notes = { uri: 'file:///notes.md', name: 'notes.md', title: 'Notes' };
const byId = { uriTemplate: 'db://rows/{id}', name: 'row', description: 'A row.' };
const review = {
  name: 'review',
  description: 'Reviews code.',
  arguments: [{ name: 'code', required: true }, { name: 'style' }],
};

for (const era of ['legacy', 'modern'] as const)
  test(`resources and prompts of a server of the ${era} era are listed, read, completed and filled in`, async () => {
    const server = await serve({
      era,
      capabilities,
      results: {
        'resources/list': ({ cursor }) =>
          cursor === undefined
            ? {
                resources: [notes, { name: 'none' }],
                nextCursor: 'more',
              }
            : { resources: [{ uri: 'file:///b', name: 'b' }, notes] },
        'resources/templates/list': () => ({ resourceTemplates: [byId] }),
        'prompts/list': () => ({ prompts: [review] }),
        'resources/read': ({ uri }) => ({
          contents: [
            { uri, text: `Text of ${String(uri)}` },
            { uri, blob: 'AAAA', mimeType: 'image/png' },
          ],
        }),
        'prompts/get': ({ arguments: given }) => ({
          messages: [
            { role: 'user', content: { type: 'text', text: `Review ${JSON.stringify(given)}` } },
            { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
          ],
        }),
        'completion/complete': ({ argument, context }) => ({
          completion: { values: [JSON.stringify([argument, context])] },
        }),
      },
    });
    const { servers } = await added(server.url);
    const [view] = servers.list();
    const one = servers.server(view?.id ?? '');
    expect(view?.offers).toBeNull();
    await one.loadOffers();
    expect(servers.list()[0]?.offers).toEqual({
      resources: [
        { uri: 'file:///notes.md', variables: [], name: 'Notes', description: '' },
        { uri: 'file:///b', variables: [], name: 'b', description: '' },
        { uri: 'db://rows/{id}', variables: ['id'], name: 'row', description: 'A row.' },
      ],
      prompts: [
        {
          name: 'review',
          title: 'review',
          description: 'Reviews code.',
          arguments: [
            { name: 'code', description: '', required: true },
            { name: 'style', description: '', required: false },
          ],
        },
      ],
      // One has no address, and one is listed twice.
      dropped: 2,
    });
    expect(await one.read('file:///notes.md', null)).toEqual({
      uri: 'file:///notes.md',
      parts: [
        { type: 'text', text: 'Text of file:///notes.md' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    });
    expect(await one.read('db://rows/{id}', { id: 'a b' })).toMatchObject({
      uri: 'db://rows/a%20b',
      parts: [{ text: 'Text of db://rows/a%20b' }, {}],
    });
    expect(await one.prompt('review', { code: 'x = 1' })).toEqual([
      { role: 'user', part: { type: 'text', text: 'Review {"code":"x = 1"}' } },
      { role: 'assistant', part: { type: 'text', text: 'Gladly.' } },
    ]);
    const asked = { of: { prompt: 'review' }, field: 'style', value: 's', others: { code: 'x' } };
    expect(await one.complete(asked)).toEqual([
      '[{"name":"style","value":"s"},{"arguments":{"code":"x"}}]',
    ]);
    server.habits.results = { ...server.habits.results, 'prompts/list': () => ({ prompts: [] }) };
    server.listChanged('prompts');
    await until(() => expect(servers.list()[0]?.offers?.prompts).toEqual([]));
  });

test('a server without resources is not asked, failures have words, and lists are bounded', async () => {
  const bare = await serve({ tools: [] });
  const first = (await added(bare.url)).servers;
  const one = first.server(first.list()[0]?.id ?? '');
  await one.loadOffers();
  expect(first.list()[0]?.offers).toEqual({ resources: [], prompts: [], dropped: 0 });
  expect(bare.received.some(({ body }) => body.includes('resources/'))).toBe(false);
  expect(await one.complete({ of: { prompt: 'a' }, field: 'b', value: '', others: {} })).toEqual(
    [],
  );

  const long = { name: 'long', arguments: [{ name: 'x'.repeat(1_001) }, { name: 'a' }] };
  const many = Array.from({ length: 3_000 }, (_, n) => ({ uri: `file:///${n}`, name: `${n}` }));
  const server = await serve({
    capabilities: { resources: {}, prompts: {} },
    results: {
      'resources/list': () => ({ resources: many }),
      'prompts/list': () => ({ prompts: [long] }),
    },
  });
  const { servers } = await added(server.url);
  const flooding = servers.server(servers.list()[0]?.id ?? '');
  await flooding.loadOffers();
  const offers = servers.list()[0]?.offers;
  expect([offers?.resources.length, offers?.dropped]).toEqual([1_000, 2_000]);
  expect(offers?.prompts[0]?.arguments).toMatchObject([{ name: 'a' }]);
  server.habits.results = {};
  server.habits.instead = (_, response) => {
    response.writeHead(500).end('no disk');
    return true;
  };
  await expect(flooding.read('file:///1', null)).rejects.toThrow('500');
});

for (const era of ['legacy', 'modern'] as const)
  test(`a resource that was read is followed until it has changed, and is read again: the ${era} era`, async () => {
    const server = await serve({
      era,
      capabilities: { resources: { subscribe: true } },
      results: {
        'resources/list': () => ({ resources: [notes] }),
        'resources/templates/list': () => ({ resourceTemplates: [byId] }),
        'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'Text' }] }),
        'resources/subscribe': () => ({}),
        'resources/unsubscribe': () => ({}),
      },
    });
    const { servers } = await added(server.url);
    const one = servers.server(servers.list()[0]?.id ?? '');
    const outdated = () => servers.list()[0]?.outdated;
    const subscriptions = () =>
      server.received
        .map(({ body }) => body)
        .filter((body) => /resources\/subscribe|resourceSubscriptions/.test(body));
    const subscribed = (uri: string) => until(() => expect(subscriptions().at(-1)).toContain(uri));
    await one.read('db://rows/{id}', { id: '7' });
    await one.read('db://rows/{id}', { id: '7' });
    await subscribed('db://rows/7');
    expect(outdated()).toEqual([]);
    server.resourceChanged('db://rows/7');
    await until(() => expect(outdated()).toEqual(['db://rows/7']));
    await one.read('db://rows/{id}', { id: '7' });
    expect(outdated()).toEqual([]);
    // Changes of other resources are not shown, and what is followed is bounded.
    for (let n = 0; n < 500; n += 1) server.resourceChanged(`db://rows/${n}`);
    await until(() => expect(outdated()).toEqual(['db://rows/7']));
    for (let n = 0; n < 25; n += 1) await one.read('db://rows/{id}', { id: `many${n}` });
    await subscribed('many24');
    if (era === 'legacy')
      await until(() => {
        const ended = server.received.filter(({ body }) => body.includes('resources/unsubscribe'));
        expect(ended).toHaveLength(6);
      });
    else {
      const last = server.received.findLast(({ body }) => body.includes('resourceSubscriptions'));
      expect(last?.body.match(/db:/g)).toHaveLength(20);
    }
    const before = subscriptions().length;
    await one.connect();
    await until(() => {
      const again = subscriptions().slice(before).join();
      expect([again.match(/db:/g)?.length, again.includes('many24')]).toEqual([20, true]);
    });
  });

test('a change of a resource while it is read again is shown', async () => {
  let changes = false;
  const server = await serve({
    capabilities: { resources: { subscribe: true } },
    results: {
      'resources/read': async ({ uri }) => {
        if (changes) {
          server.resourceChanged(notes.uri);
          await until(() => expect(outdated()).toEqual([notes.uri]));
        }
        return { contents: [{ uri, text: 'Text' }] };
      },
      'resources/subscribe': () => ({}),
    },
  });
  const { servers } = await added(server.url);
  const one = servers.server(servers.list()[0]?.id ?? '');
  const outdated = () => servers.list()[0]?.outdated;
  await one.read(notes.uri, null);
  await until(() => {
    expect(server.received.some(({ method }) => method === 'GET')).toBe(true);
    expect(server.received.some(({ body }) => body.includes('resources/subscribe'))).toBe(true);
  });
  changes = true;
  await one.read(notes.uri, null);
  expect(outdated()).toEqual([notes.uri]);
  changes = false;
  await one.read(notes.uri, null);
  expect(outdated()).toEqual([]);
});

test('a resource of a server without subscriptions, or that refuses one, is read all the same', async () => {
  for (const subscribe of [false, true]) {
    const server = await serve({
      capabilities: { resources: { subscribe } },
      results: {
        'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'Text' }] }),
      },
      instead: ({ body }, response) => {
        if (!body.includes('resources/subscribe')) return false;
        const { id } = JSON.parse(body) as { id: number };
        const error = { code: -32_603, message: 'No.' };
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
        return true;
      },
    });
    const { servers } = await added(server.url);
    const { parts } = await servers
      .server(servers.list()[0]?.id ?? '')
      .read('file:///notes.md', null);
    expect(parts).toEqual([{ type: 'text', text: 'Text' }]);
    const isAsked = () => server.received.some(({ body }) => body.includes('resources/subscribe'));
    if (subscribe) await until(() => expect(isAsked()).toBe(true));
    else expect(isAsked()).toBe(false);
  }
});

test('a list that a server refuses hides no other list, and is a problem of the server', async () => {
  const refused = new Set(['resources/list']);
  const server = await serve({
    capabilities: { resources: {}, prompts: {} },
    results: {
      'resources/list': () => ({ resources: [] }),
      'resources/templates/list': () => ({ resourceTemplates: [byId] }),
      'prompts/list': () => ({ prompts: [review] }),
    },
    instead: ({ body }, response) => {
      if (!body.includes('"id"')) return false;
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      if (!refused.has(method)) return false;
      const error = { code: -32_602, message: 'Missing uri' };
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return true;
    },
  });
  const { servers } = await added(server.url);
  const one = servers.server(servers.list()[0]?.id ?? '');
  await one.loadOffers();
  const offers = servers.list()[0]?.offers;
  expect(offers?.resources.map(({ uri }) => uri)).toEqual(['db://rows/{id}']);
  expect(offers?.prompts.map(({ name }) => name)).toEqual(['review']);
  await until(() => expect(servers.list()[0]?.problems).toEqual(['resources/list: Missing uri']));
  refused.add('resources/templates/list').add('prompts/list');
  await one.loadOffers();
  expect(servers.list()[0]?.offers).toMatchObject({ resources: [], prompts: [] });
  await until(() => expect(servers.list()[0]?.problems).toHaveLength(2));
});
