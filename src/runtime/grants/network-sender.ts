/** Sends the requests of tools in a worker, which is started with the first request. */

import { wrap, transfer, type Remote } from 'comlink';
import { wait } from '../async/wait.ts';
import type { Send, SentResponse } from './sender.ts';
import type { NetworkHead, NetworkWorker } from '../protocol/network.ts';
import { errorText } from '../spec/error.ts';

/** A worker until its death. */
interface Running {
  readonly network: Remote<NetworkWorker>;
  /** Aborts with the reason when the worker has died. */
  readonly lost: AbortSignal;
}

/** @param start starts the worker; an `error` event of the worker means that it has died */
export function networkSender(start: () => Worker): Send {
  let running: Running | null = null;
  let ids = 0;
  const connect = (): Running => {
    if (running !== null) return running;
    const worker = start();
    const life = new AbortController();
    running = { network: wrap<NetworkWorker>(worker), lost: life.signal };
    worker.addEventListener('error', () => {
      // The next request starts another worker.
      running = null;
      worker.terminate();
      life.abort(new Error('The part of this page that sends requests has failed'));
    });
    return running;
  };
  return async (signal, request) => {
    const { network, lost } = connect();
    const id = ++ids;
    const cancel = (): void => void network.cancel(id);
    const buffers = request.body === null ? [] : [request.body.buffer];
    let head: NetworkHead;
    try {
      head = await wait<NetworkHead>(signal, network.open(id, transfer(request, buffers)), {
        lost,
      });
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
      read: () => wait(signal, network.read(id), { lost }),
      cancel: () => {
        signal.removeEventListener('abort', cancel);
        cancel();
      },
    };
    return response;
  };
}

export function startNetworkWorker(): Worker {
  return new Worker(new URL('../../../workers/network/sender.ts', import.meta.url), {
    type: 'module',
    name: 'network',
  });
}
