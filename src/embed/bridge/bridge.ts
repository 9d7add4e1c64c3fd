/**
 * The script of bridge.html: relays requests of the page that has framed or opened it to the API,
 * with that page's origin. The bridge opens no folder, hosts nothing and allows nothing: the app
 * asks the user, in its own page.
 */

import {
  bridgeReady,
  isHello,
  parseBridgeRequest,
  siteHeader,
  type BridgeAnswer,
  type BridgeRequest,
} from '../../runtime/protocol/bridge.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { asFields } from '../../runtime/spec/guards.ts';

/** Requests of one channel that may wait for an answer. */
const maxAtOnce = 100;
/** Channels; a page opens one. */
const maxChannels = 8;
/** Milliseconds in which the service worker must take the page over. */
const workerMs = 5_000;

const opener = window.opener as Window | null;
const caller = opener ?? (window.parent === window ? null : window.parent);
let channels = 0;
/** Whether a page of the app has answered, so that the service worker is the app's own. */
let isReached = false;

window.addEventListener('message', ({ source, origin, data, ports: [port] }) => {
  // @mutant bridge: only the page around it or behind it is served => without source !== caller ||
  if (caller === null || source !== caller || port === undefined || !isHello(data)) return;
  if ((channels += 1) > maxChannels) return;
  show(origin);
  serve(port, origin);
});
show(null);
// The message only says that a bridge is here, which anybody can find out.
caller?.postMessage(bridgeReady, '*');

function serve(port: MessagePort, origin: string): void {
  const running = new Map<number, AbortController>();
  const send = (answer: BridgeAnswer, transfer: Transferable[] = []): void => {
    port.postMessage(answer, transfer);
  };
  port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const request = parseBridgeRequest(data);
    if (request?.type === 'abort') running.get(request.id)?.abort();
    // @mutant bridge: requests at once => running.size >= maxAtOnce || running.has -> running.has
    else if (request === undefined || running.size >= maxAtOnce || running.has(request.id)) {
      const id = (data as { id?: unknown } | null)?.id;
      if (typeof id === 'number' && !running.has(id))
        send({ type: 'failed', id, code: 'bad-request', message: 'The bridge refused a request.' });
    } else {
      const stop = new AbortController();
      running.set(request.id, stop);
      void relay(stop.signal, request, origin, send).finally(() => running.delete(request.id));
    }
  });
  port.start();
}

async function relay(
  signal: AbortSignal,
  { id, method, path, headers, body }: Extract<BridgeRequest, { type: 'request' }>,
  origin: string,
  send: (answer: BridgeAnswer, transfer?: Transferable[]) => void,
): Promise<void> {
  try {
    // @mutant bridge: requests do not reach the server => never
    if (!(await isControlled())) {
      const message = 'The browser gives this frame no access to Cloche’s service worker.';
      send({ type: 'failed', id, code: 'needs-window', message });
      return;
    }
    const response = await fetch(new URL(`api/${path}`, document.baseURI), {
      method,
      body,
      signal,
      // Pages of Cloche's own origin that are outside of its path have the rights of other sites.
      // @mutant bridge: requests have the origin of the page that has greeted it => without : origin ===
      //   location.origin ? headers : { ...headers, [siteHeader]: origin }
      headers: origin === location.origin ? headers : { ...headers, [siteHeader]: origin },
      credentials: 'omit',
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    isReached ||= response.ok;
    // Some browsers say that a frame of another site has storage access although its service worker is another one.
    const mayBeOther = opener === null && origin !== location.origin && !isReached;
    if (mayBeOther && (await saysNoPage(response))) {
      const message =
        'This frame reaches no page of Cloche: none is open, or the browser separates frames of another site.';
      send({ type: 'failed', id, code: 'needs-window', message });
      return;
    }
    send({
      type: 'head',
      id,
      status: response.status,
      headers: Object.fromEntries(response.headers),
    });
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) break;
      send({ type: 'chunk', id, bytes: value }, [value.buffer]);
    }
    send({ type: 'end', id });
  } catch (thrown) {
    if (!signal.aborted) send({ type: 'failed', id, code: 'failed', message: errorText(thrown) });
  }
}

/** Returns whether the app's service worker answers this page's requests. Otherwise they would reach the server. */
async function isControlled(): Promise<boolean> {
  try {
    // In a frame of another site, a playground may have installed a service worker, which reaches no page of the app.
    if (opener === null && !(await document.hasStorageAccess())) return false;
    const { serviceWorker } = navigator;
    if (serviceWorker.controller !== null) return true;
    // The service worker may have been installed a moment ago.
    if ((await serviceWorker.getRegistration()) === undefined) return false;
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), workerMs);
      serviceWorker.addEventListener('controllerchange', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  } catch {
    return false;
  }
}

/** Returns whether the service worker has answered that no page of the app is open. */
async function saysNoPage(response: Response): Promise<boolean> {
  if (response.status !== 503) return false;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return asFields(problem).code === 'no-page';
}

/** Says in a window what it is for; a frame is hidden. */
function show(origin: string | null): void {
  const text = document.querySelector('p');
  if (text === null || opener === null) return;
  text.textContent =
    origin === null
      ? 'Waiting for the page that has opened this window …'
      : `This window connects ${origin} with Cloche. Keep it open while that page uses tools. If it is not allowed yet, Cloche asks you in its own tab.`;
}
