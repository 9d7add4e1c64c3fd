/** Relays a request to the app page that hosts the API, and returns its answer. */

import { apiRoute } from '../../src/protocol/api-route.ts';
import { problemResponse } from '../../src/protocol/problem-document.ts';
import type { PageRequest } from './app-page.ts';
import type { Exchange } from './exchange.ts';
import type { PageFinder } from './find-page.ts';
import { readBody } from './read-body.ts';
import { failed, formRefused, noPage, noReply, pageClosed, tooLarge } from './refusals.ts';
import { savedAnswer } from './saved-answer.ts';
import type { ServiceDeps } from './service-deps.ts';

// Larger bodies are transferred instead of copied, and so can be sent only once.
const copiedBytes = 256 * 1024;
const attempts = 3;

export interface Relayed {
  readonly response: Promise<Response>;
  /** Resolves when the response's body has ended. */
  readonly done: Promise<void>;
}

/** Relays a request. `path` is what follows `api/`, still percent-encoded. Neither promise rejects. */
export function relay(
  request: Request,
  path: string,
  finder: PageFinder,
  deps: ServiceDeps,
): Relayed {
  const exchanges: Exchange[] = [];
  const response = answer(request, path, finder, deps, exchanges).catch(failed);
  return {
    response,
    done: response.then(async () => {
      await Promise.all(exchanges.map((exchange) => exchange.done));
    }),
  };
}

async function answer(
  request: Request,
  path: string,
  finder: PageFinder,
  deps: ServiceDeps,
  exchanges: Exchange[],
): Promise<Response> {
  // Any website can make a browser post a form to this address. Its other requests do not reach the service worker.
  if (request.mode === 'navigate' && request.method !== 'GET') return formRefused();
  // Checked before the body, of any size, is read.
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  const body = await readBody(request);
  if (body === 'too-large') return tooLarge();
  const transfer = body !== null && body.byteLength > copiedBytes ? [body] : [];
  const pageRequest: PageRequest = {
    method: request.method,
    path,
    headers: [...request.headers],
    body,
  };
  // A closing page may still count as the host. A listing can be answered without it.
  const withoutReply = async (): Promise<Response> =>
    (await savedAnswer(request, path, deps)) ?? noReply();
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const page = await finder.find();
    if (page === 'no-page') {
      return (await savedAnswer(request, path, deps)) ?? noPage(deps.address);
    }
    if (page === 'silent') return withoutReply();
    const exchange = page.ask(pageRequest, transfer);
    exchanges.push(exchange);
    const answered = await exchange.answer;
    if (answered.kind === 'answer') {
      return new Response(answered.body, {
        status: answered.status,
        headers: answered.headers.map(([name, value]): [string, string] => [name, value]),
      });
    }
    finder.forget(page);
    if (answered.kind === 'silent') return withoutReply();
    if (answered.begun || transfer.length > 0) return problemResponse(pageClosed(answered.begun));
  }
  return problemResponse(pageClosed(false));
}
