/** Sends the requests of tools in a worker, which is started with the first request. */

import { transfer } from 'comlink';
import { WorkerClient } from '../async/worker-client.ts';
import type { Send, SentResponse } from './sender.ts';
import type { NetworkHead, NetworkWorker } from '../protocol/network.ts';
import { errorText } from '../spec/error.ts';

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
