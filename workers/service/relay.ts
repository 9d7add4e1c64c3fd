/**
 * Decides which requests are for the API, and relays them to an app page.
 *
 * The host of a folder is the page that has it open and answers for it. A request goes to the host of its folder; one
 * without a folder goes to the host that was used last, or else to an idle page, which has no folder open. If no page
 * replies, the saved listing of tools answers some requests.
 */

import { apiRoute } from '../../src/runtime/protocol/api-route.ts';
import { problemResponse } from '../../src/runtime/protocol/problem-document.ts';
import { joinBytes } from '../../src/runtime/spec/bytes.ts';
import { defaultLimits } from '../../src/runtime/spec/limits.ts';
import { AppPage, type Exchange, type PageRequest } from './app-page.ts';
import type { PageFinder } from './find-page.ts';
import {
  failed,
  folderNotFound,
  formRefused,
  noPage,
  noReply,
  pageClosed,
  tooLarge,
} from './refusals.ts';
import { appFramePage } from '../../src/runtime/protocol/app-frame.ts';
import { savedAnswer } from './saved-answer.ts';
import type { ServiceDeps } from './service-deps.ts';

// Larger bodies are transferred instead of copied, and so can be sent only once.
const copiedBytes = 256 * 1024;
const attempts = 3;

export type Route =
  /** `path` is what follows `api/`, and `query` what follows the question mark; both are still percent-encoded. */
  | { readonly to: 'api'; readonly path: string; readonly query: string }
  /** The frame around the app of a tool. */
  | { readonly to: 'app'; readonly query: string }
  /** The page itself. */
  | { readonly to: 'page' }
  /** A file of the app, which may be stored. */
  | { readonly to: 'file' };

/** `undefined` if the browser should fetch the request itself. `address` is that of the app, with a trailing slash. */
export function routeOf(
  { url, method, mode, headers }: Pick<Request, 'url' | 'method' | 'mode' | 'headers'>,
  address: string,
): Route | undefined {
  if (!url.startsWith(address)) return undefined;
  const [path = '', query = ''] = url
    .slice(address.length)
    .replace(/#.*$/s, '')
    .split(/\?(.*)/s);
  if (path.startsWith('api/')) return { to: 'api', path: path.slice('api/'.length), query };
  // Stored responses are complete answers to GET.
  if (method !== 'GET' || headers.has('range')) return undefined;
  if (path === appFramePage) return { to: 'app', query };
  if (path !== '' && path !== 'index.html') return { to: 'file' };
  // A script that fetches the page wants the server's version.
  return mode === 'navigate' ? { to: 'page' } : undefined;
}

export interface Relayed {
  readonly response: Promise<Response>;
  /** Resolves when the response's body has ended. */
  readonly done: Promise<void>;
}

/** Relays a request. Neither promise rejects. */
export function relay(
  request: Request,
  route: Pick<Extract<Route, { to: 'api' }>, 'path' | 'query'>,
  finder: PageFinder,
  deps: ServiceDeps,
): Relayed {
  const exchanges: Exchange[] = [];
  const response = answer(request, route, finder, deps, exchanges).catch(failed);
  return {
    response,
    done: response.then(async () => {
      await Promise.all(exchanges.map((exchange) => exchange.done));
    }),
  };
}

/** Answers a request. @param exchanges gets the exchanges with pages that it takes */
async function answer(
  request: Request,
  { path, query }: Parameters<typeof relay>[1],
  finder: PageFinder,
  deps: ServiceDeps,
  exchanges: Exchange[],
): Promise<Response> {
  // Any website can make a browser post a form to this address. Its other requests do not reach the service worker.
  // @mutant a form of another site is not passed on => removed
  if (request.mode === 'navigate' && request.method !== 'GET') return formRefused();
  const asked = new URLSearchParams(query);
  const folder = asked.get('folder');
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  const body = await readBody(request);
  if (body === 'too-large') return tooLarge();
  const transfer = body !== null && body.byteLength > copiedBytes ? [body] : [];
  const pageRequest: PageRequest = {
    method: request.method,
    path,
    ...(query !== '' && { query }),
    headers: [...request.headers],
    body,
  };
  const saved = (): Promise<Response | undefined> => savedAnswer(request, path, asked, deps);
  // A page may close after it was found, and before it begins with the request, which is then sent to another one.
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const page = await finder.find(folder);
    if (page === 'no-page') return (await saved()) ?? noPage(deps.address);
    if (page === 'silent') return (await saved()) ?? noReply();
    // No page has this folder, or several have one of this name: `page` lists the open folders.
    if (!(page instanceof AppPage)) return folderNotFound(folder ?? '', page);
    const { folders } = finder;
    const exchange = page.ask(
      route.at === 'folders' ? { ...pageRequest, folders } : pageRequest,
      transfer,
    );
    exchanges.push(exchange);
    // An idle page is asked only once, because the next request may find a host. Its channel is closed when this one
    // has ended.
    if (page.role !== 'host') page.retire();
    const answered = await exchange.answer;
    if (answered.kind === 'answer') {
      return new Response(answered.body, {
        status: answered.status,
        headers: answered.headers.map(([name, value]): [string, string] => [name, value]),
      });
    }
    finder.forget(page);
    if (answered.kind === 'silent') return (await saved()) ?? noReply();
    // A call that has begun must not run twice, and a transferred body is gone.
    if (answered.begun || transfer.length > 0) return problemResponse(pageClosed(answered));
  }
  return problemResponse(pageClosed({ begun: false }));
}

// The page's limit for a value, so that larger bodies are rejected here.
const maxBytes = defaultLimits.valueChars;

/** Reads the body, and stops as soon as it exceeds the limit; `null` if there is none. */
async function readBody(request: Request): Promise<ArrayBuffer | 'too-large' | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  // Firefox has no `body` here, so it reads the whole body, and only the page checks its size.
  const reader = request.body?.getReader();
  if (reader === undefined) return request.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joinBytes(chunks).buffer;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      return 'too-large';
    }
    chunks.push(value);
  }
}
