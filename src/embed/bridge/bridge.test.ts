/** The script of bridge.html: whose requests it takes, in whose name it passes them on, and when it sends nothing. */

import { expect, test, vi } from 'vitest';
import { bridgeReady, type BridgeAnswer } from '../../runtime/protocol/bridge.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';

const app = 'https://cloche.example';
const docs = 'https://docs.example';
const hello = { type: 'cloche-hello' };
const list = { type: 'request', id: 1, method: 'GET', path: 'tools', headers: {}, body: null };

interface Options {
  readonly controlled?: boolean;
  /** False in a frame of another site. */
  readonly storage?: boolean;
  readonly respond?: (signal: AbortSignal) => Promise<Response>;
}

/** A page around a hidden frame, in which the script has run. */
async function framed({ controlled = true, storage = true, respond }: Options = {}) {
  vi.resetModules();
  const sent: { readonly url: string; readonly init: RequestInit }[] = [];
  const around = { postMessage: vi.fn() };
  const frame = Object.assign(new EventTarget(), { opener: null, parent: around });
  vi.stubGlobal('window', frame);
  vi.stubGlobal('location', { origin: app });
  vi.stubGlobal('document', {
    baseURI: `${app}/app/bridge.html`,
    querySelector: () => null,
    hasStorageAccess: () => Promise.resolve(storage),
  });
  const controller = controlled ? {} : null;
  const getRegistration = (): Promise<undefined> => Promise.resolve(undefined);
  vi.stubGlobal('navigator', { serviceWorker: { controller, getRegistration } });
  vi.stubGlobal('fetch', (url: URL, init: RequestInit) => {
    sent.push({ url: url.href, init });
    return respond?.(init.signal!) ?? Promise.resolve(new Response('{}'));
  });
  await import('./bridge.ts');
  return {
    sent,
    around,
    /** Offers a port to the frame. @returns the page's end of it, and what arrives there */
    greet(source: unknown = around, origin = docs, data: unknown = hello) {
      const { port1, port2 } = new MessageChannel();
      const answers: BridgeAnswer[] = [];
      port1.onmessage = ({ data: answer }: MessageEvent<BridgeAnswer>) => void answers.push(answer);
      frame.dispatchEvent(
        Object.assign(new Event('message'), { source, origin, data, ports: [port2] }),
      );
      return { answers, port: port1 };
    },
  };
}

test('a request is sent in the name of the page that has offered the port', async () => {
  const { greet, sent, around } = await framed();
  expect(around.postMessage).toHaveBeenCalledExactlyOnceWith(bridgeReady, '*');
  const { port, answers } = greet();
  port.postMessage({ ...list, headers: { Accept: 'text/plain', 'Cloche-Origin': app } });
  await expect.poll(() => answers.map(({ type }) => type)).toEqual(['head', 'chunk', 'end']);
  expect(sent).toMatchObject([
    {
      url: `${app}/app/api/tools`,
      init: { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' },
    },
  ]);
  expect(sent[0]?.init.headers).toEqual({ Accept: 'text/plain', 'Cloche-Origin': docs });
  port.close();
});

test('a page of the app’s own origin is not another site', async () => {
  const { greet, sent } = await framed();
  const { port, answers } = greet(undefined, app);
  port.postMessage(list);
  await expect.poll(() => answers.at(-1)?.type).toBe('end');
  expect(sent[0]?.init.headers).toEqual({});
  port.close();
});

test('a port of another window, or without a greeting, is not served', async () => {
  const { greet, sent } = await framed();
  const ignored = [greet({ postMessage: vi.fn() }), greet(undefined, docs, 'hello')];
  for (const { port } of ignored) port.postMessage(list);
  // Control: the page around the frame is served.
  const { port, answers } = greet();
  port.postMessage(list);
  await expect.poll(() => answers.at(-1)?.type).toBe('end');
  expect([sent.length, ...ignored.map(({ answers: none }) => none)]).toEqual([1, [], []]);
  for (const one of [...ignored, { port }]) one.port.close();
});

test('without a service worker, nothing is sent, since it would reach the server', async () => {
  const { greet, sent } = await framed({ controlled: false });
  const { port, answers } = greet();
  port.postMessage(list);
  await expect.poll(() => answers).toMatchObject([{ type: 'failed', id: 1, code: 'needs-window' }]);
  expect(sent).toEqual([]);
  port.close();
});

test('nor is anything in a frame of another site, whose service worker is another one', async () => {
  const { greet, sent } = await framed({ storage: false });
  const { port, answers } = greet();
  port.postMessage(list);
  await expect.poll(() => answers).toMatchObject([{ type: 'failed', id: 1, code: 'needs-window' }]);
  expect(sent).toEqual([]);
  port.close();
});

const refused = (code: string): Promise<Response> =>
  Promise.resolve(
    problemResponse({ status: 503, code, detail: 'No page answers.', hint: 'Open one.' }),
  );

test('a worker that knows no page of the app may be that of a frame of another site', async () => {
  const { greet, sent } = await framed({ respond: () => refused('no-page') });
  const { port, answers } = greet();
  port.postMessage(list);
  await expect.poll(() => answers).toMatchObject([{ type: 'failed', id: 1, code: 'needs-window' }]);
  expect(sent).toHaveLength(1);
  port.close();
});

test.each([
  ['for a page of the app’s own origin', 'no-page', app],
  ['that says something else', 'page-closed', docs],
])('an answer %s is passed on', async (_, code, origin) => {
  const { greet } = await framed({ respond: () => refused(code) });
  const { port, answers } = greet(undefined, origin);
  port.postMessage(list);
  await expect.poll(() => answers.map(({ type }) => type)).toEqual(['head', 'chunk', 'end']);
  expect(answers[0]).toMatchObject({ status: 503 });
  port.close();
});

test('a page of the app that has answered a frame may be closed later', async () => {
  let isOpen = true;
  const respond = (): Promise<Response> =>
    isOpen ? Promise.resolve(new Response('{}')) : refused('no-page');
  const { greet } = await framed({ respond });
  const { port, answers } = greet();
  port.postMessage(list);
  await expect.poll(() => answers.at(-1)?.type).toBe('end');
  isOpen = false;
  port.postMessage({ ...list, id: 2 });
  await expect.poll(() => answers.at(-1)).toEqual({ type: 'end', id: 2 });
  expect(answers.at(3)).toMatchObject({ type: 'head', id: 2, status: 503 });
  port.close();
});

test('what is no request is refused, and so is the hundred and first at once', async () => {
  const { greet, sent } = await framed({ respond: () => new Promise(() => undefined) });
  const { port, answers } = greet();
  port.postMessage({ ...list, path: '../index.html' });
  for (let id = 2; id <= 102; id += 1) port.postMessage({ ...list, id });
  await expect
    .poll(() => answers.map((answer) => 'code' in answer && [answer.id, answer.code]))
    .toEqual([
      [1, 'bad-request'],
      [102, 'bad-request'],
    ]);
  await expect.poll(() => sent.length).toBe(100);
  port.close();
});

test('an aborted request ends without an answer', async () => {
  const { greet, sent } = await framed({
    respond: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      }),
  });
  const { port, answers } = greet();
  port.postMessage(list);
  await expect.poll(() => sent.length).toBe(1);
  port.postMessage({ type: 'abort', id: 1 });
  await expect.poll(() => sent[0]?.init.signal?.aborted).toBe(true);
  // The id is free again.
  await expect
    .poll(() => {
      port.postMessage({ ...list, id: 1 });
      return sent.length;
    })
    .toBe(2);
  expect(answers).toEqual([]);
  port.close();
});

test('a page opens eight channels at most', async () => {
  const { greet, sent } = await framed();
  const ports = Array.from({ length: 9 }, () => greet());
  for (const { port } of ports) port.postMessage(list);
  await expect.poll(() => ports.filter(({ answers }) => answers.length === 3)).toHaveLength(8);
  expect([sent.length, ports[8]?.answers]).toEqual([8, []]);
  for (const { port } of ports) port.close();
});
