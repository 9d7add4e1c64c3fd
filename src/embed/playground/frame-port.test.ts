/** From whom a playground takes its setup, how many messages it takes from the page around it, and which heights it reports. */

import { expect, test, vi } from 'vitest';
import {
  embedLimits,
  helloMark,
  setupMark,
  type ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { HeightReports, openHostPort } from './frame-port.ts';

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

test('a height is reported when it changes', () => {
  const reports = new HeightReports();
  expect([reports.next(100.2, 0), reports.next(100.9, 1), reports.next(80, 2)]).toEqual([
    101,
    null,
    80,
  ]);
});

test('a height is bounded', () => {
  expect(new HeightReports().next(1e9, 0)).toBe(embedLimits.height);
});

test('content that swings with the height of its frame settles at the larger height', () => {
  const reports = new HeightReports();
  const reported = Array.from({ length: 100 }, (_, n) => reports.next(n % 2 === 0 ? 300 : 200, 10));
  expect(reported.filter((each) => each !== null)).toHaveLength(13);
  expect(reported.findLast((each) => each !== null)).toBe(300);
  // Later, it may shrink again.
  expect(reports.next(200, 2_000)).toBe(200);
});
