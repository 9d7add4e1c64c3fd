/** Requests of a growing session. */

import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { applySessionEvent, replaySession } from '../session/reduce.ts';
import { message, model, stamped, wholeTurn } from '../session/session.fixture.ts';
import type { ModelMessage } from '../../runtime/spec/model.ts';
import type { SessionFact } from '../../runtime/spec/session.ts';
import { joinRoles, messagesOf } from './request.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const room = { images: true };

test('unchanged messages are reused, and changed ones are built again', () => {
  const lost = { ...failure('crashed', 'gone'.repeat(100)), stateLost: true };
  const events = stamped(
    wholeTurn.map((fact): SessionFact =>
      fact.type === 'call-ended' ? { ...fact, result: lost } : fact,
    ),
  );
  // Also before its call has ended.
  const begun = replaySession('s', events.slice(0, 9));
  const state = replaySession('s', events);
  const grown = applySessionEvent(state, { n: 13, at: 1, ...message('And now?', 'turn-2') });
  const fresh = (): ModelMessage[] =>
    messagesOf(replaySession('s', structuredClone(events)), model, room);
  const first = messagesOf(begun, model, room);
  const reported = messagesOf(state, model, room);
  expect(JSON.stringify(first)).toContain('This call is still running');
  expect([reported, messagesOf(grown, model, room).slice(0, reported.length)]).toEqual([
    fresh(),
    reported,
  ]);
  const again = messagesOf(grown, model, room);
  expect(reported.slice(1).map((one, index) => one === again[index + 1])).toEqual([
    true,
    true,
    true,
  ]);
  // Another model, and one with less room, get other messages.
  const other = { provider: 'theirs', model: 'small' };
  expect(messagesOf(state, other, room)).not.toEqual(reported);
  expect(messagesOf(state, other, { ...room, chars: 300 })).not.toEqual(
    messagesOf(state, other, room),
  );
  expect(messagesOf(state, model, room)).toEqual(reported);
});

test('thousands of consecutive messages of one role become one', () => {
  const text = (n: number) => ({ type: 'text', text: String(n) }) as const;
  const many = Array.from({ length: 30_000 }, (_, n) => n);
  const said = many.map((n): ModelMessage => ({ role: 'user', parts: [text(n)] }));
  const began = threadMs();
  const all = joinRoles([...said, { role: 'assistant', parts: [text(1)] }, ...said]);
  expect(threadMs() - began).toBeLessThan(2_000);
  expect(all).toEqual([
    { role: 'user', parts: many.map(text) },
    { role: 'assistant', parts: [text(1)] },
    { role: 'user', parts: many.map(text) },
  ]);
});

test('a model that reads no images is told what is attached', () => {
  const png = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;
  const pdf = { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: 'AA==' } as const;
  const text = { type: 'text', text: 'What is this?' } as const;
  const sent = (images: boolean | null): unknown => {
    const said: SessionFact = {
      type: 'message',
      id: 'a',
      turnId: 't',
      parts: [png, pdf, text],
      steering: false,
    };
    return messagesOf(replaySession('s', stamped([said])), model, { images });
  };
  const note = { type: 'text', text: '[Attached, but not shown to you: image/png, a.pdf]' };
  expect([sent(null), sent(false)]).toEqual([
    [{ role: 'user', parts: [png, pdf, text] }],
    [{ role: 'user', parts: [text, note] }],
  ]);
});
