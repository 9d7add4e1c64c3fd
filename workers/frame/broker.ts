/** The broker: stands between the page and the tool worker, so that no flood reaches the page. Ours, not the tool's. */

import { expose } from 'comlink';
import type { Broker, BrokerNotice, StreamCredit } from '../../src/protocol/frame.ts';
import { LiveStreams } from './live-streams.ts';
import { ToolWorkerLink } from './tool-worker-link.ts';

function createBroker(notices: MessagePort): Broker {
  const tell = (notice: BrokerNotice): void => {
    notices.postMessage(notice);
  };
  const live = new LiveStreams((id, stream) => {
    tell({ type: 'stream', id, stream });
  });
  const link = new ToolWorkerLink({
    onStep: (step) => {
      tell({ type: 'step', step });
    },
    onStream: (id, stream) => {
      live.push(id, stream);
    },
    onEnd: (id) => {
      live.end(id);
    },
    onLost: (loss) => {
      tell({ type: 'lost', loss });
    },
  });
  notices.onmessage = ({ data }: MessageEvent<StreamCredit>) => {
    live.credit(data.id);
  };
  return {
    start: (start) => link.start(start),
    putFiles: (id, name, files, last) => link.putFiles(id, name, files, last),
    inspect: (id, file) => link.inspect(id, file),
    call: (id, call) => {
      if (call.live) live.begin(id);
      return link.call(id, call);
    },
    cancel: (id) => {
      link.cancel(id);
    },
    streamed: (id) => link.streamed(id),
    ping: () => true,
  };
}

onmessage = ({ ports }: MessageEvent) => {
  const [control, notices] = ports;
  if (!control || !notices) return;
  expose(createBroker(notices), control);
  onmessage = null;
  postMessage('up');
};
