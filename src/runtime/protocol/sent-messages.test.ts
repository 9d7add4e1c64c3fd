import { expect, test } from 'vitest';
import type { ModelMessage } from '../spec/model.ts';
import { SentMessages } from './sent-messages.ts';

function message(text: string): ModelMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

test('the longest start of a conversation is found, until a later request continues it', () => {
  const sent = new SentMessages();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(message) as [ModelMessage, ...ModelMessage[]];
  const of = (...messages: (ModelMessage | undefined)[]): ModelMessage[] =>
    messages.filter((one) => one !== undefined);
  sent.add(1, of(a, b), null);
  sent.add(2, of(a, c, d), null);
  const start = sent.startOf(of(a, c, b));
  expect(start).toEqual({ id: 2, count: 2 });
  expect(start && sent.messagesOf(start)).toEqual(of(a, c));
  sent.add(3, of(a, c, b), start);
  expect(sent.startOf(of(a, c, d))).toEqual({ id: 3, count: 2 });
  expect(sent.startOf([message('a')])).toBeNull();
  expect(sent.messagesOf({ id: 2, count: 1 })).toBeNull();
  expect(sent.messagesOf({ id: 3, count: 4 })).toBeNull();
});

test('a conversation is not kept if it has images, was cancelled, or is the oldest', () => {
  const sent = new SentMessages();
  const image: ModelMessage = {
    role: 'tool',
    answers: [
      {
        askedId: '1',
        wire: 'f',
        isError: false,
        parts: [{ type: 'image', mediaType: 'image/png', data: '' }],
      },
    ],
  };
  const all = Array.from({ length: 18 }, (_, n) => message(String(n)));
  sent.add(0, [message('x'), image], null);
  for (const [n, one] of all.entries()) sent.add(n + 1, [one], null);
  sent.remove(18);
  const isKnown = (one: ModelMessage): boolean => sent.startOf([one]) !== null;
  expect([image, ...all].map(isKnown)).toEqual([
    false,
    false,
    false,
    ...Array<boolean>(15).fill(true),
    false,
  ]);
  // Added again, the oldest is the newest.
  const [, , oldest, next] = all as [ModelMessage, ModelMessage, ModelMessage, ModelMessage];
  sent.add(3, [oldest], null);
  sent.add(19, [message('y')], null);
  sent.add(20, [message('z')], null);
  expect([oldest, next].map(isKnown)).toEqual([true, false]);
});
