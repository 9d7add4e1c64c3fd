import { expect, it } from 'vitest';
import type { Stream } from '../../src/spec/result.ts';
import { LiveStreams, merge, Outcomes } from './live-streams.ts';
import type { FromBroker, OrLost, PythonOutcome } from '../../src/protocol/frame.ts';
import { textPieceChars } from '../../src/protocol/long-texts.ts';
import { StreamRecord } from '../../src/protocol/stream-record.ts';
import { defaultLimits } from '../../src/spec/limits.ts';

const stream = (n: number, out = ''): Stream => ({
  updates: [{ n, json: String(n) }],
  dropped: 0,
  out,
  err: '',
  log: [],
});

it('sends one batch, and merges later ones until the page has processed it', () => {
  const sent: [number, Stream][] = [];
  const live = new LiveStreams((id, batch) => sent.push([id, batch]));
  live.begin(3);
  live.push(3, stream(0, 'a'));
  live.push(3, stream(1, 'b'));
  live.push(3, stream(2, 'c'));
  expect(sent).toEqual([[3, stream(0, 'a')]]);
  live.credit(3);
  expect(sent[1]).toEqual([3, merge(stream(1, 'b'), stream(2, 'c'))]);
});

it('sends nothing for calls that are not watched or have ended', () => {
  const sent: number[] = [];
  const live = new LiveStreams((id) => sent.push(id));
  live.push(1, stream(0));
  live.begin(2);
  live.end(2);
  live.push(2, stream(0));
  live.credit(2);
  expect(sent).toEqual([]);
});

it('limits the waiting batch to the first updates and the latest, and counts the rest', () => {
  let waiting = stream(0);
  for (let n = 1; n < 1_000; n += 1) waiting = merge(waiting, stream(n));
  expect(waiting.updates).toHaveLength(200);
  expect(waiting.updates.at(-1)).toEqual({ n: 999, json: '999' });
  expect(waiting.dropped).toBe(800);
});

const streamed = new StreamRecord(defaultLimits).streamed();

function outcome(text: string): OrLost<PythonOutcome> {
  const content = [{ text, mediaType: 'text/plain' }] as unknown as PythonOutcome['content'];
  return { ok: true, value: { ok: true, content, metadata: '{}', recoverable: false, streamed } };
}

function outcomes() {
  const sent: FromBroker[] = [];
  return { sent, outcomes: new Outcomes((message) => sent.push(message)) };
}

it('sends a short outcome at once', () => {
  const { sent, outcomes: sender } = outcomes();
  sender.send(3, outcome('short'));
  expect(sent).toEqual([{ type: 'outcome', id: 3, outcome: outcome('short') }]);
});

it('sends the next piece when the page has processed the last one, and then the outcome', () => {
  const { sent, outcomes: sender } = outcomes();
  sender.send(3, outcome('x'.repeat(textPieceChars) + 'end'));
  expect(sent.map(({ type }) => type)).toEqual(['text']);
  sender.next(4);
  expect(sent).toHaveLength(1);
  sender.next(3);
  sender.next(3);
  expect(sent.map(({ type }) => type)).toEqual(['text', 'text', 'outcome']);
  expect(sent[1]).toMatchObject({ id: 3, piece: { text: 'end' } });
  expect(sent[2]).toEqual({ type: 'outcome', id: 3, outcome: outcome('') });
  sender.next(3);
  expect(sent).toHaveLength(3);
});

it('sends the outcomes of several calls in parallel', () => {
  const { sent, outcomes: sender } = outcomes();
  sender.send(1, outcome('a'.repeat(textPieceChars + 1)));
  sender.send(2, outcome('short'));
  sender.next(1);
  sender.next(1);
  expect(sent.map((one) => 'id' in one && [one.type, one.id])).toEqual([
    ['text', 1],
    ['outcome', 2],
    ['text', 1],
    ['outcome', 1],
  ]);
});
