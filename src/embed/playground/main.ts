/** Starts the frame of a playground, which stays small until the reader wants Python. */

import {
  embedLimits,
  type FromPlayground,
  type PlaygroundSetup,
} from '../../runtime/protocol/embed.ts';
import { openHostPort, reportHeight } from './frame-port.ts';
import { readParameters } from './parameters.ts';
import { Playground } from './lazy-playground.ts';
import { visibleText } from '../../app/ui/parts/visible-text.ts';

const root = document.querySelector<HTMLElement>('#playground');
/** Milliseconds after which the frame is shown even if a part of it is not loaded. */
const longestMs = 2_000;
const framed = window.parent !== window;
if (root !== null) void start(root);

async function start(target: HTMLElement): Promise<void> {
  if (framed && location.hash === '#element') {
    const host = await openHostPort(window);
    const playground = openPlayground(target, host.setup, (message) => host.send(message));
    host.listen((message) => playground.take(message));
    // The page shows the source until then, so the frame takes its place once, with all of its height.
    await Promise.race([
      playground.begin(),
      new Promise((resolve) => setTimeout(resolve, longestMs)),
    ]);
    reportHeight(document.body, (height) => {
      host.send({ type: 'height', height: Math.min(height, embedLimits.height) });
    });
    host.send({ type: 'ready' });
    return;
  }
  // The playground is not resized by a page, so it scrolls in its frame.
  document.documentElement.dataset.alone = '';
  const setup = readParameters(location.hash, crypto.randomUUID(), framed);
  if ('fault' in setup) {
    target.textContent = visibleText(`This playground cannot be shown. ${setup.fault}`);
    return;
  }
  // No page around it receives messages.
  void openPlayground(target, setup, () => undefined).begin();
  window.addEventListener('hashchange', () => location.reload());
}

function openPlayground(
  target: HTMLElement,
  setup: PlaygroundSetup,
  send: (message: FromPlayground) => void,
): Playground {
  return new Playground({ target, setup, send, base: new URL('./', document.baseURI), window });
}
