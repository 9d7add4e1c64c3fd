import { expect, test, vi } from 'vitest';
import { asObject, asFields } from '../../../../runtime/spec/guards.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { errorCodes, Refusal } from './app-messages.ts';
import { AppRelay, type AppHost, type AppRequest } from './app-relay.ts';

const context: JsonObject = { theme: 'dark', displayMode: 'inline' };

/** A relay with a host that notes everything. The user answers with `yes`. */
function opened({
  takesMessages = true,
  yes = true,
}: { takesMessages?: boolean; yes?: boolean } = {}) {
  let now = 0;
  const sent: JsonObject[] = [];
  const asked: AppRequest[] = [];
  const heights: number[] = [];
  const offered: string[] = [];
  const ends: string[] = [];
  const signals: AbortSignal[] = [];
  const host: AppHost = {
    send: (message) => void sent.push(message),
    context: () => context,
    takesMessages,
    callTool: (signal, name, args) => {
      signals.push(signal);
      if (name === 'hang') return new Promise(() => undefined);
      if (name === 'none')
        return Promise.reject(new Refusal(errorCodes.badParams, 'There is no tool named none.'));
      return Promise.resolve({ content: [{ type: 'text', text: name }], args });
    },
    readResource: (_, uri) => Promise.resolve({ contents: [{ uri }] }),
    ask: (_, request) => {
      asked.push(request);
      return Promise.resolve(yes);
    },
    resize: (height) => void heights.push(height),
    offer: (text) => void offered.push(text),
    end: (why) => void ends.push(why),
  };
  const relay = new AppRelay(host, () => now);
  let id = 0;
  return {
    relay,
    ...{ sent, asked, heights, offered, ends, signals },
    pass: (ms: number) => void (now += ms),
    tell: (method: string, params: unknown = {}) =>
      relay.receive({ jsonrpc: '2.0', method, params }),
    /** The result of a request, or its error. */
    async request(method: string, params: unknown = {}) {
      const own = (id += 1);
      relay.receive({ jsonrpc: '2.0', id: own, method, params });
      const { result, error } = asObject(
        await vi.waitFor(() => {
          const answer = sent.find((message) => message.id === own);
          if (answer === undefined) throw new Error(`${method} was not answered.`);
          return answer;
        }),
      );
      return result ?? error;
    },
  };
}

const hello = {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'a', version: '1' },
  appCapabilities: {},
};

async function started(options?: Parameters<typeof opened>[0]) {
  const app = opened(options);
  await app.request('ui/initialize', hello);
  app.tell('ui/notifications/initialized');
  return app;
}

test('says what the page can do, and sends input and result once the app is ready', async () => {
  const { relay, request, tell, sent } = opened();
  relay.notify('ui/notifications/tool-input', { arguments: { a: 1 } });
  relay.notify('ui/notifications/tool-result', { content: [] });
  expect(await request('ui/initialize', hello)).toEqual({
    protocolVersion: '2026-01-26',
    hostInfo: { name: 'Cloche', version: '1' },
    hostCapabilities: {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      message: { text: {} },
      updateModelContext: { text: {}, structuredContent: {} },
    },
    hostContext: context,
  });
  expect(sent).toHaveLength(1);
  tell('ui/notifications/initialized');
  // A second one sends nothing again.
  tell('ui/notifications/initialized');
  expect(sent.slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { a: 1 } } },
    { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [] } },
  ]);
  relay.notify('ui/notifications/host-context-changed', { theme: 'light' });
  expect(sent.at(-1)).toMatchObject({ params: { theme: 'light' } });
});

test('answers requests only after ui/initialize, and unknown ones with an error', async () => {
  const { request } = opened();
  expect(await request('tools/call', { name: 'a' })).toMatchObject({ code: errorCodes.badRequest });
  expect(await request('ping')).toEqual({});
  expect(await request('ui/initialize', {})).toMatchObject({ code: errorCodes.badParams });
  await request('ui/initialize', hello);
  for (const method of ['sampling/createMessage', 'ui/download-file', 'constructor', '__proto__'])
    expect(await request(method)).toEqual({
      code: errorCodes.unknownMethod,
      message: `Method not found: ${method}.`,
    });
});

test('calls tools and reads resources, and passes refusals on', async () => {
  const { request } = await started();
  expect(await request('tools/call', { name: 'a', arguments: { b: [1] } })).toEqual({
    content: [{ type: 'text', text: 'a' }],
    args: { b: [1] },
  });
  expect(await request('tools/call', { name: 'none' })).toMatchObject({
    code: errorCodes.badParams,
  });
  expect(await request('tools/call', { name: 'a', arguments: [] })).toMatchObject({
    code: errorCodes.badParams,
  });
  expect(await request('resources/read', { uri: 'ui://a' })).toEqual({
    contents: [{ uri: 'ui://a' }],
  });
  expect(await request('resources/read', {})).toMatchObject({ code: errorCodes.badParams });
});

test('bounds the calls at once, and ends them when the app cancels or goes', async () => {
  const { relay, request, tell, signals } = await started();
  const call = (id: string): void =>
    relay.receive({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hang' } });
  for (const id of ['a', 'b', 'c', 'd']) call(id);
  expect(await request('tools/call', { name: 'a' })).toMatchObject({ code: errorCodes.refused });
  tell('notifications/cancelled', { requestId: 'b' });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false, false]);
  relay.dispose();
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test('asks the user about links and messages, one at a time, and not again after three refusals', async () => {
  const app = await started({ yes: false });
  const link = { url: 'https://example.com/a?b=1' };
  expect(await app.request('ui/open-link', link)).toEqual({ isError: true });
  const message = { role: 'user', content: [{ type: 'text', text: 'Say it' }] };
  expect(await app.request('ui/message', message)).toEqual({ isError: true });
  expect(await app.request('ui/open-link', link)).toEqual({ isError: true });
  expect(await app.request('ui/open-link', link)).toEqual({ isError: true });
  expect(app.asked).toEqual([
    { kind: 'link', url: 'https://example.com/a?b=1' },
    { kind: 'message', text: 'Say it' },
    { kind: 'link', url: 'https://example.com/a?b=1' },
  ]);
  const other = await started();
  other.relay.receive({ jsonrpc: '2.0', id: 'x', method: 'ui/open-link', params: link });
  expect(await other.request('ui/open-link', link)).toEqual({ isError: true });
  expect(other.asked).toHaveLength(1);
});

test.for([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'https://a:b@c.example/',
  'x',
  3,
])('does not offer to open %s', async (url) => {
  const { request, asked } = await started();
  expect(await request('ui/open-link', { url })).toMatchObject({ code: errorCodes.badParams });
  expect(asked).toEqual([]);
});

test('takes texts for the message field only where there is one, and bounded', async () => {
  const { request } = await started({ takesMessages: false });
  const content = [{ type: 'text', text: 'a' }];
  expect(await request('ui/message', { role: 'user', content })).toMatchObject({
    code: errorCodes.refused,
  });
  const app = await started();
  expect(await app.request('ui/message', { role: 'assistant', content })).toMatchObject({
    code: errorCodes.badParams,
  });
  const long = [{ type: 'text', text: 'a'.repeat(20_001) }];
  expect(await app.request('ui/message', { role: 'user', content: long })).toMatchObject({
    code: errorCodes.badParams,
  });
  expect(await app.request('ui/update-model-context', { content: long })).toMatchObject({
    code: errorCodes.badParams,
  });
  const offer = { content, structuredContent: { chosen: 3 } };
  expect(await app.request('ui/update-model-context', offer)).toEqual({});
  expect(app.offered).toEqual(['a\n\n{"chosen":3}']);
  expect(app.asked).toEqual([]);
});

test('keeps the height within its bounds, and the size to the user', async () => {
  const { request, tell, heights } = await started();
  for (const height of [200.2, 1e9, -5, NaN, '300', undefined])
    tell('ui/notifications/size-changed', { height });
  expect(heights).toEqual([201, 640, 64]);
  expect(await request('ui/request-display-mode', { mode: 'fullscreen' })).toEqual({
    mode: 'inline',
  });
});

test('waits a moment for an app that is about to be ended, and not for one that is not ready', async () => {
  const { relay, sent } = await started();
  const left = relay.leave();
  expect(sent.at(-1)).toEqual({
    jsonrpc: '2.0',
    id: 'leaving',
    method: 'ui/resource-teardown',
    params: {},
  });
  relay.receive({ jsonrpc: '2.0', id: 'leaving', result: {} });
  await left;
  // Without an answer, the wait ends by itself.
  await relay.leave();
  const early = opened();
  await early.relay.leave();
  expect(early.sent).toEqual([]);
});

test('ends itself only once, and says nothing afterwards', async () => {
  const { relay, tell, sent, ends } = await started();
  const before = sent.length;
  tell('ui/notifications/request-teardown');
  tell('ui/notifications/request-teardown');
  relay.notify('ui/notifications/tool-result', {});
  relay.receive({ jsonrpc: '2.0', id: 9, method: 'ping' });
  expect(relay.count()).toBe(false);
  expect(ends).toEqual(['It ended itself.']);
  expect(sent).toHaveLength(before);
});

test('a flood ends the app, and an honest rate does not', () => {
  const slow = opened();
  for (let n = 0; n < 2_000; n += 1) {
    slow.pass(25);
    expect(slow.relay.count()).toBe(true);
  }
  const { relay, ends } = opened();
  const counted = Array.from({ length: 1_000 }, () => relay.count());
  expect(counted.filter(Boolean)).toHaveLength(200);
  expect(ends).toEqual(['Cloche ended it because it sent too many messages.']);
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

test.for([
  ['a long text', 'a'.repeat(1_000_001)],
  ['many members', Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n]))],
  ['a long list', new Array(1_000_001).fill(0)],
  ['a buffer', { data: new ArrayBuffer(8) }],
  ['a map', new Map([['jsonrpc', '2.0']])],
  ['a cycle', cyclic],
] as const)('%s ends the app', ([, data]) => {
  const { relay, ends } = opened();
  relay.receive(data);
  expect(ends).toEqual([
    'Cloche ended it because it sent a message that is too large or not JSON.',
  ]);
});

test.for([
  null,
  'text',
  [],
  { jsonrpc: '1.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: {}, method: 'ping' },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 'x'.repeat(300), method: 'ping' },
  [{ jsonrpc: '2.0', id: 1, method: 'ping' }],
])('what is no message of the protocol is ignored: %j', async (data) => {
  const { relay, sent, ends } = opened();
  relay.receive(data);
  await Promise.resolve();
  expect([sent, ends]).toEqual([[], []]);
  // Control: the same relay answers.
  relay.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
  await vi.waitFor(() => expect(asFields(sent[0])).toEqual({ jsonrpc: '2.0', id: 1, result: {} }));
});

test('an id that is in use is refused, and no prototype is changed', async () => {
  const { relay, sent } = await started();
  const before = sent.length;
  const call = { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'hang' } };
  relay.receive(call);
  relay.receive(JSON.parse(JSON.stringify({ ...call, params: { name: 'a' } })));
  relay.receive(
    JSON.parse(
      '{"jsonrpc":"2.0","method":"ui/notifications/size-changed","params":{"__proto__":{"height":9}}}',
    ),
  );
  await vi.waitFor(() => expect(sent).toHaveLength(before + 1));
  expect(sent.at(-1)).toMatchObject({ id: 'x', error: { code: errorCodes.badRequest } });
  expect('height' in {}).toBe(false);
});
