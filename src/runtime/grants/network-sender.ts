/** Sends allowed requests, in a worker that starts with the first one. It does not know about grants. */

import { transfer } from 'comlink';
import { WorkerClient } from '../async/worker-client.ts';
import type { NetworkHead, NetworkRequest, NetworkWorker } from '../protocol/network.ts';
import { errorText } from '../spec/error.ts';
import type { HttpHeader } from '../protocol/ask.ts';

export interface SentResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly HttpHeader[];
  /** Returns the next piece of the body; null at the end. @throws if the connection breaks */
  read(): Promise<Uint8Array<ArrayBuffer> | null>;
  cancel(): void;
}

/**
 * `redirect`: the response redirects, which is not followed. `network`: there was no response that this page may read.
 */
export type Sent = SentResponse | { readonly failed: 'redirect' | 'network'; readonly why: string };

/** Sends a request without cookies and referrer, and follows no redirect. Never rejects: an abort is a failure too. */
export type Send = (signal: AbortSignal, request: NetworkRequest) => Promise<Sent>;

export function networkSender(start: () => Worker): Send {
  const client = new WorkerClient<NetworkWorker>({
    start,
    died: () => new Error('The part of this page that sends requests has failed'),
  });
  let ids = 0;
  return async (signal, request) => {
    const worker = client.connect();
    const network = worker.remote;
    const id = ++ids;
    const cancel = (): void => void network.cancel(id);
    const buffers = request.body === null ? [] : [request.body.buffer];
    let head: NetworkHead;
    try {
      const opened: Promise<NetworkHead> = network.open(id, transfer(request, buffers));
      head = await worker.ask(signal, opened);
    } catch (thrown) {
      cancel();
      return { failed: 'network', why: errorText(thrown) };
    }
    if (!head.ok) return { failed: head.failed, why: head.why };
    signal.addEventListener('abort', cancel, { once: true });
    const response: SentResponse = {
      status: head.status,
      statusText: head.statusText,
      headers: head.headers,
      read: () => worker.ask(signal, network.read(id)),
      cancel: () => {
        signal.removeEventListener('abort', cancel);
        cancel();
      },
    };
    return response;
  };
}
