import { expect, onTestFinished, test, vi } from 'vitest';
import { MessageReporter, watchPort } from './message-reporter.ts';
import type { MessageReport } from './message-tap.ts';

function channel(): [MessagePort, MessagePort] {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  return [port1, port2];
}

test('messages in both directions are seen and still arrive, sent ones before their transfer', async () => {
  const [near, far] = channel();
  const seen: unknown[] = [];
  watchPort(near, ({ sent, message }) => {
    seen.push([sent, message instanceof ArrayBuffer ? message.byteLength : message]);
  });
  const arrived = new Promise((resolve) => {
    far.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
  });
  const buffer = new ArrayBuffer(8);
  near.postMessage(buffer, [buffer]);
  expect(await arrived).toMatchObject({ byteLength: 8 });
  expect(buffer.byteLength).toBe(0);
  const answered = new Promise((resolve) => {
    near.onmessage = resolve;
  });
  far.postMessage('answer');
  await answered;
  expect(seen).toEqual([
    [true, 8],
    [false, 'answer'],
  ]);
});

test('messages are reported together, and further ones of a flood are counted', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reports: MessageReport[] = [];
  const reporter = new MessageReporter({
    postMessage: (report: MessageReport) => void reports.push(report),
  });
  const description = { kind: 'k', bytes: 1, preview: 'b' };
  let described = 0;
  for (let count = 0; count < 1_000; count += 1)
    reporter.add({ sent: true }, () => {
      described += 1;
      return description;
    });
  expect(reports).toEqual([]);
  vi.runAllTimers();
  expect(reports.map(({ messages, skipped }) => [messages.length, skipped])).toEqual([[200, 800]]);
  expect(described).toBe(200);
  reporter.add({ sent: false }, () => description);
  vi.runAllTimers();
  expect(reports[1]).toMatchObject({ messages: [{ sent: false, ...description }], skipped: 0 });
});
