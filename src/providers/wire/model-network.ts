/** How requests get to a model provider, and answers back. */

import type { HttpHeader } from '../../protocol/ask.ts';
import { ModelError } from '../../spec/model-error.ts';

export interface ModelHttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HttpHeader[];
  readonly body: string | null;
}

export interface ModelNetwork {
  /**
   * Without cookies; follows no redirect.
   * @throws {ModelError} `request` where it was to be redirected
   * @throws the signal's reason; anything else where there is no answer that this page may read
   */
  send(signal: AbortSignal, request: ModelHttpRequest): Promise<Response>;
  /** Whether anything answers there at all, be it unreadable for this page. Never rejects. */
  answers(signal: AbortSignal, url: string): Promise<boolean>;
  /** Of this page: what providers have to allow. */
  readonly pageOrigin: string;
  /** False where the browser knows that there is no network. */
  online(): boolean;
}

/** Globals of a worker. */
interface WorkerScope {
  fetch(url: string, init: RequestInit): Promise<Response>;
  readonly location: { readonly origin: string };
  readonly navigator: { readonly onLine: boolean };
}

/** A worker's own network. */
export function modelNetwork(scope: WorkerScope): ModelNetwork {
  const { navigator, location } = scope;
  const fetch = scope.fetch.bind(scope);
  const always = { credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' } as const;
  return {
    send: async (signal, { url, method, headers, body }) => {
      const response = await fetch(url, {
        ...{ method, body, signal, mode: 'cors', redirect: 'manual', ...always },
        headers: headers.map(([name, value]): [string, string] => [name, value]),
      });
      if (response.type === 'opaqueredirect') throw redirected(url);
      return response;
    },
    answers: async (signal, url) => {
      // What cannot be read cannot be kept from following either, and takes nothing along.
      const blind = { signal, mode: 'no-cors', redirect: 'follow', ...always } as const;
      return fetch(url, blind).then(
        () => true,
        () => false,
      );
    },
    pageOrigin: location.origin,
    online: () => navigator.onLine,
  };
}

function redirected(url: string): ModelError {
  const { origin } = new URL(url);
  return new ModelError(
    'request',
    `${origin} redirects to another address. The redirect was not followed, to protect your key.`,
    'Enter the final address instead. Often it is the same with https or www.',
  );
}
