/** The apps of a server's tools, against a real server in both eras. */

import { afterEach, expect, test } from 'vitest';
import { added, bench, endServers, serve, until } from '../../../tests/support/mcp-bench.ts';

afterEach(endServers);

const inputSchema = { type: 'object' };

test.for(['legacy', 'modern'] as const)(
  'a tool names its app, which is read with the origins that it declares (%s)',
  async (era) => {
    const contents = [
      {
        uri: 'ui://clock/view.html',
        mimeType: 'text/html;profile=mcp-app',
        text: '<p>12:00',
        _meta: { ui: { csp: { connectDomains: ['https://time.example'] } } },
      },
    ];
    const server = await serve({
      era,
      tools: [
        { name: 'clock', inputSchema, _meta: { ui: { resourceUri: 'ui://clock/view.html' } } },
        { name: 'old', inputSchema, _meta: { 'ui/resourceUri': 'ui://old' } },
        {
          name: 'inner',
          inputSchema,
          _meta: { ui: { resourceUri: 'ui://clock/view.html', visibility: ['app'] } },
        },
        { name: 'odd', inputSchema, _meta: { ui: { resourceUri: 'https://elsewhere.example/' } } },
      ],
      // The only other request that reaches a handler reads the resource.
      run: () => ({ contents }),
    });
    const { servers, registry } = bench();
    const id = await servers.add(server.url);
    await until(() => expect(registry.list()).toHaveLength(4));
    const apps = registry.list().map(({ handler, app }) => [handler.name, app?.file]);
    expect(Object.fromEntries(apps)).toEqual({
      clock: 'ui://clock/view.html',
      inner: 'ui://clock/view.html',
      old: 'ui://old',
      odd: undefined,
    });
    const offered = registry.list().map(({ handler, offeredTo }) => [handler.name, offeredTo]);
    expect(Object.fromEntries(offered)).toMatchObject({ clock: undefined, inner: ['app'] });
    expect(await servers.server(id).resource('ui://clock/view.html')).toEqual([
      {
        uri: 'ui://clock/view.html',
        mimeType: 'text/html;profile=mcp-app',
        text: '<p>12:00',
        blob: '',
        meta: JSON.stringify(contents[0]?._meta),
      },
    ]);
    const began = server.received.find(({ body }) => body.includes('io.modelcontextprotocol/ui'));
    expect(began?.body).toContain('text/html;profile=mcp-app');
  },
);

test.for(['legacy', 'modern'] as const)(
  'the metadata of a result are kept for its app, and do not reach models (%s)',
  async (era) => {
    const views = new Map<unknown, unknown>([
      ['long', 'x'.repeat(1_000_001)],
      ['deep', JSON.parse('['.repeat(200) + ']'.repeat(200))],
    ]);
    const server = await serve({
      era,
      tools: [{ name: 'clock', inputSchema }],
      run: (_, { args }) => ({
        content: [{ type: 'text', text: '12:00' }],
        isError: args.fails === true,
        _meta: {
          'io.modelcontextprotocol/serverInfo': { name: 'clock', version: '1' },
          view: views.get(args.view) ?? 'face',
        },
      }),
    });
    const { call, key } = await added(server.url);
    for (const args of [{}, { fails: true }])
      expect(await call(`${key}:clock`, args)).toMatchObject({
        textResultForLlm: '12:00',
        metadata: '{"view":"face"}',
      });
    const long = await call(`${key}:clock`, { view: 'long' });
    expect(long.metadata).toMatch(/^\{"leftOut":"\d+ characters are more than 1000000\."\}$/);
    expect(await call(`${key}:clock`, { view: 'deep' })).toMatchObject({
      textResultForLlm: '12:00',
      metadata: '{"leftOut":"It is nested more than 100 levels deep."}',
    });
  },
);
