/** Whose setup a playground takes, and how many messages of the page around it. */

import { expect, test, vi } from 'vitest';
import {
  embedLimits,
  helloMark,
  setupMark,
  type ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { openHostPort } from './frame-port.ts';

const setup = {
  page: 'p',
  files: [{ path: 'a.py', text: 'x = 1' }],
  packages: [],
  tool: '',
  arguments: '',
  view: 'full',
  autorun: false,
  readonly: false,
  recording: '',
  look: { scheme: 'auto', values: {}, labels: {} },
};

class FakePort {
  readonly sent: unknown[] = [];
  onmessage: (event: { data: unknown }) => void = () => undefined;

  postMessage(message: unknown): void {
    this.sent.push(message);
  }
}

function framed() {
  const around = { postMessage: vi.fn() };
  const frame = Object.assign(new EventTarget(), { parent: around });
  return {
    around,
    opening: openHostPort(frame as unknown as Window),
    offer(source: unknown, data: unknown): FakePort {
      const port = new FakePort();
      frame.dispatchEvent(Object.assign(new Event('message'), { source, data, ports: [port] }));
      return port;
    },
  };
}

test('the first good setup of the page around the frame is taken, and no other', async () => {
  const { around, opening, offer } = framed();
  expect(around.postMessage).toHaveBeenCalledExactlyOnceWith(helloMark, '*');
  offer({ postMessage: vi.fn() }, { type: setupMark, setup: { ...setup, page: 'forged' } });
  offer(around, { type: 'other', setup: { ...setup, page: 'unmarked' } });
  offer(around, { type: setupMark, setup: { ...setup, page: '../bad' } });
  const taken = offer(around, { type: setupMark, setup });
  const late = offer(around, { type: setupMark, setup: { ...setup, page: 'late' } });
  const port = await opening;
  expect(port.setup).toEqual(setup);
  port.send({ type: 'ready' });
  expect([taken.sent, late.sent]).toEqual([[{ type: 'ready' }], []]);
});

test('messages are read within their form and their rate', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(5_000);
  const { around, opening, offer } = framed();
  const port = offer(around, { type: setupMark, setup });
  const read: ToPlayground[] = [];
  (await opening).listen((message) => void read.push(message));
  port.onmessage({ data: { type: 'navigate', url: 'https://example.org' } });
  port.onmessage({ data: { type: 'run', id: 1, extra: true } });
  expect(read).toEqual([{ type: 'run', id: 1 }]);
  for (let n = 0; n < 500; n += 1) port.onmessage({ data: { type: 'cancel' } });
  expect(read).toHaveLength(embedLimits.messagesPerSecond - 1);
  vi.spyOn(performance, 'now').mockReturnValue(6_000);
  port.onmessage({ data: { type: 'cancel' } });
  expect(read).toHaveLength(embedLimits.messagesPerSecond);
});
