/** Passes a request to the app page that hosts the API, and its answer back. */

import { apiRoute } from '../../src/protocol/api-route.ts';
import { problemResponse } from '../../src/protocol/problem-document.ts';
import type { PageRequest } from './app-page.ts';
import type { Exchange } from './exchange.ts';
import type { PageFinder } from './find-page.ts';
import { readBody } from './read-body.ts';
import { failed, formRefused, noPage, noReply, pageClosed, tooLarge } from './refusals.ts';
import { savedAnswer } from './saved-answer.ts';
import type { ServiceDeps } from './service-deps.ts';

// Larger bodies change hands instead of being copied, so that they can be sent once only.
const copiedBytes = 256 * 1024;
const attempts = 3;

export interface Relayed {
  readonly response: Promise<Response>;
  /** When the response's body has ended too. */
  readonly done: Promise<void>;
}

/** `path` is what follows `api/`, still percent-encoded. Neither promise rejects. */
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
  // Any page of the web can make a browser open this address or post a form at it; nothing else reaches a service worker.
  if (request.mode === 'navigate' && request.method !== 'GET') return formRefused();
  // Before a body of any size is read.
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  const body = await readBody(request);
  if (body === 'too-large') return tooLarge();
  const transfer = body !== null && body.byteLength > copiedBytes ? [body] : [];
  const asked: PageRequest = { method: request.method, path, headers: [...request.headers], body };
  // One that goes away may still be taken for the host; the listing can be had without it.
  const withoutReply = async (): Promise<Response> =>
    (await savedAnswer(request, path, deps)) ?? noReply();
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const page = await finder.find();
    if (page === 'no-page') {
      return (await savedAnswer(request, path, deps)) ?? noPage(deps.address);
    }
    if (page === 'silent') return withoutReply();
    const exchange = page.ask(asked, transfer);
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
