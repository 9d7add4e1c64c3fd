import { expect, test } from 'vitest';
import { parseSessionMessage, type SessionMessage } from './session-pages.ts';

const messages: readonly SessionMessage[] = [
  { type: 'events', session: 's', from: 3, events: ['{}'] },
  { type: 'draft', session: 's', stepId: 'step', piece: 0, grown: '[]' },
  { type: 'head', session: 's', head: '{}' },
  { type: 'removed', session: 's' },
  { type: 'restored', session: 's' },
  { type: 'title', session: 's', title: '' },
];

test('every message is parsed, without unknown fields', () => {
  const read = messages.map((message) => parseSessionMessage({ ...message, more: 1 }));
  expect(read).toEqual(messages);
});

test.each([
  [null],
  ['events'],
  [[]],
  [{ type: 'removed', session: '' }],
  [{ type: 'removed', session: 1 }],
  [{ type: '__proto__', session: 's' }],
  [{ type: 'events', session: 's', from: -1, events: [] }],
  [{ type: 'events', session: 's', from: 0, events: [1] }],
  [{ type: 'events', session: 's', from: 0, events: { length: 1 } }],
  [{ type: 'draft', session: 's', stepId: 's', piece: 0.5, grown: '[]' }],
  [{ type: 'draft', session: 's', stepId: 's', piece: 0, grown: [] }],
  [{ type: 'head', session: 's', head: {} }],
  [{ type: 'title', session: 's' }],
])('%j is rejected', (data) => {
  expect(parseSessionMessage(data)).toBeNull();
});
