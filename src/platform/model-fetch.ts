/** Sends requests to model providers in a worker of their own: keys never share one with the requests of tools. */

import type { ModelNetwork } from '../agent/model-network.ts';
import type { Send, SentResponse } from '../grants/sender.ts';
import type { NetworkRequest } from '../protocol/network.ts';
import { ModelError } from '../spec/model-error.ts';

/** @param send through a worker that nothing else uses */
export function modelNetwork(send: Send, pageOrigin: string, online: () => boolean): ModelNetwork {
  return {
    send: async (signal, request) => {
      signal.throwIfAborted();
      const sent = await send(signal, request);
      signal.throwIfAborted();
      if (!('failed' in sent)) return responseOf(sent);
      if (sent.failed === 'network') throw new TypeError(sent.why);
      throw redirected(request);
    },
    answers: async (signal, url) => {
      const sent = await send(signal, {
        ...{ url, method: 'GET', headers: [], body: null },
        blind: true,
      });
      if ('failed' in sent) return false;
      sent.cancel();
      return true;
    },
    pageOrigin,
    online,
  };
}

/** Its body is asked for piece by piece, as it is read. */
function responseOf(sent: SentResponse): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await sent.read();
        if (piece === null) controller.close();
        else controller.enqueue(piece);
      },
      cancel: () => {
        sent.cancel();
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = sent;
  const init = {
    status,
    statusText,
    headers: headers.map(([...header]): [string, string] => header),
  };
  // With these there can be no body.
  return new Response([204, 205, 304].includes(status) ? null : body, init);
}

function redirected({ url }: NetworkRequest): ModelError {
  const { origin } = new URL(url);
  return new ModelError(
    'request',
    `${origin} leads to another address. That was not followed, since the key would have gone along.`,
    'Enter the address that it leads to as the base URL; often it is the same with https, or with www.',
  );
}
