import { expect, it } from 'vitest';
import type { FromBroker, OrLost, PythonOutcome } from '../../src/protocol/frame.ts';
import { textPieceChars } from '../../src/protocol/long-texts.ts';
import { StreamRecord } from '../../src/protocol/stream-record.ts';
import { defaultLimits } from '../../src/spec/limits.ts';
import { Outcomes } from './live-streams.ts';

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
