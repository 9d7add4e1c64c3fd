/** Sends requests for tools in a worker of their own, started when the first one is sent. */

import { wrap, transfer, type Remote } from 'comlink';
import type { Send, SentResponse } from '../grants/sender.ts';
import { unlessAborted } from '../hooks/unless-aborted.ts';
import type { NetworkHead, NetworkWorker } from '../protocol/network.ts';

export function networkSender(start: () => Worker): Send {
  let remote: { readonly worker: Worker; readonly network: Remote<NetworkWorker> } | null = null;
  let ids = 0;
  const connect = (): Remote<NetworkWorker> => {
    if (remote !== null) return remote.network;
    const worker = start();
    remote = { worker, network: wrap<NetworkWorker>(worker) };
    worker.addEventListener('error', () => {
      // The next request starts another one.
      worker.terminate();
      remote = null;
    });
    return remote.network;
  };
  return async (signal, request) => {
    const network = connect();
    const id = ++ids;
    const cancel = (): void => void network.cancel(id);
    const buffers = request.body === null ? [] : [request.body.buffer];
    const head = await headOrAbort(signal, network.open(id, transfer(request, buffers)), cancel);
    if (!head.ok) return { failed: head.failed, why: head.why };
    signal.addEventListener('abort', cancel, { once: true });
    const response: SentResponse = {
      status: head.status,
      statusText: head.statusText,
      headers: head.headers,
      read: () => unlessAborted(signal, network.read(id)),
      cancel: () => {
        signal.removeEventListener('abort', cancel);
        cancel();
      },
    };
    return response;
  };
}

export function startNetworkWorker(): Worker {
  return new Worker(new URL('../../workers/network/sender.ts', import.meta.url), {
    type: 'module',
    name: 'network',
  });
}

/** A worker that never starts, or is gone, answers nothing; then so does this, when the caller gives up. */
async function headOrAbort(
  signal: AbortSignal,
  head: Promise<NetworkHead>,
  cancel: () => void,
): Promise<NetworkHead> {
  try {
    return await unlessAborted(signal, head);
  } catch (thrown) {
    cancel();
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { ok: false, failed: 'network', why };
  }
}
