/** Sends requests to model providers. */

import type { HttpHeader } from '../../../runtime/protocol/ask.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';

export interface ModelHttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly HttpHeader[];
  readonly body: string | null;
}

export interface ModelNetwork {
  /**
   * Sends a request without cookies, and without following redirects.
   *
   * @throws {ModelError} `request` if the response is a redirect
   * @throws the signal's reason; any other error if there is no response that this page may read
   */
  send(signal: AbortSignal, request: ModelHttpRequest): Promise<Response>;
  /** The origin of this page, which providers must allow. */
  readonly pageOrigin: string;
  /** False if the browser knows that it is offline. */
  online(): boolean;
}

/** The part of a worker's globals that is used. */
interface WorkerScope {
  fetch(url: string, init: RequestInit): Promise<Response>;
  readonly location: { readonly origin: string };
  readonly navigator: { readonly onLine: boolean };
}

/** Returns a network that uses the worker's `fetch`. */
export function modelNetwork(scope: WorkerScope): ModelNetwork {
  const { navigator, location } = scope;
  const fetch = scope.fetch.bind(scope);
  return {
    send: async (signal, { url, method, headers, body }) => {
      const response = await fetch(url, {
        method,
        body,
        signal,
        mode: 'cors',
        credentials: 'omit',
        // @mutant a redirect of a model provider is not followed => 'manual' -> 'follow'
        redirect: 'manual',
        referrerPolicy: 'no-referrer',
        // POST requests are never answered from the cache. With `no-store`, Chromium would send a
        // preflight before each one, although it knows the answer.
        cache: method === 'POST' ? 'default' : 'no-store',
        headers: headers.map(([name, value]): [string, string] => [name, value]),
      });
      if (response.type === 'opaqueredirect') throw redirectError(url);
      return response;
    },
    pageOrigin: location.origin,
    online: () => navigator.onLine,
  };
}

function redirectError(url: string): ModelError {
  const { origin } = new URL(url);
  return new ModelError(
    'request',
    `${origin} redirects to another address. The redirect was not followed, to protect your key.`,
    'Enter the final address instead. Often it is the same with https or www.',
  );
}
