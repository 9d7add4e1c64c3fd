/** The broker: passes messages between the page and the hostile tool worker, and checks them, so that no flood reaches the page. */

import { expose, transfer } from 'comlink';
import type { Broker, FromBroker, ToBroker } from '../../src/protocol/frame.ts';
import { LiveStreams } from './live-streams.ts';
import { Outcomes } from './outcomes.ts';
import { requestsTo } from './requests.ts';
import { ToolWorkerLink } from './tool-worker-link.ts';

function createBroker(toolWorker: Blob, messages: MessagePort): Broker {
  const send = (message: FromBroker): void => messages.postMessage(message);
  const live = new LiveStreams((id, stream) => send({ type: 'stream', id, stream }));
  const outcomes = new Outcomes(send);
  const link = new ToolWorkerLink(toolWorker, {
    onStep: (step) => send({ type: 'step', step }),
    onStream: (id, stream) => live.push(id, stream),
    onAsk: (id, n, ask) => send({ type: 'ask', id, n, ask }),
    onEnd: (id) => live.end(id),
    onLost: (loss) => send({ type: 'lost', loss }),
  });
  messages.onmessage = ({ data }: MessageEvent<ToBroker>) => {
    switch (data.type) {
      case 'call': {
        const { type: _, id, ...call } = data;
        if (call.live) live.begin(id);
        void link.call(id, call).then((outcome) => outcomes.send(id, outcome));
        return;
      }
      case 'cancel':
        link.cancel(data.id);
        return;
      case 'credit':
        live.credit(data.id);
        return;
      case 'taken':
        outcomes.next(data.id);
        return;
      case 'answer':
        link.answer(data.id, data.n, data.answer);
    }
  };
  const requests = requestsTo(link);
  return {
    ...requests,
    start: (start) => link.start(start),
    addLibraries: (libraries) => link.addLibraries(libraries),
    makeSnapshot: (...files) => link.makeSnapshot(...files),
    workspace: async (...request) => {
      const answer = await requests.workspace(...request);
      const files = answer.ok ? answer.value.files : [];
      return transfer(
        answer,
        files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
      );
    },
    streamed: (id) => link.streamed(id),
    ping: () => true,
  };
}

onmessage = ({ data: toolWorker, ports }: MessageEvent<Blob>) => {
  const [control, messages] = ports;
  if (!control || !messages) return;
  expose(createBroker(toolWorker, messages), control);
  onmessage = null;
  postMessage('up');
};
