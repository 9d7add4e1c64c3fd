/** The limits match those of the broker's schema: each request is either refused here or accepted there. */

import { expect, test } from 'vitest';
import { toAsk } from '../frame/incoming.ts';
import { maxRequestBytes, type Ask, type FetchAsk } from '../../src/runtime/protocol/ask.ts';
import { askFault } from './ask-limits.ts';

const ordinary: FetchAsk = {
  ask: 'fetch',
  url: 'https://api.example/',
  method: 'GET',
  headers: [['X', '1']],
  body: null,
  timeoutMs: null,
};
const base64Chars = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Whether the broker accepts the ask. */
const isAccepted = (ask: Ask): boolean => toAsk(JSON.stringify({ n: 1, ask })) !== undefined;

test.each<[string, Partial<FetchAsk>]>([
  ['ordinary', {}],
  ['a long method', { method: 'x'.repeat(20) }],
  ['a long address', { url: 'x'.repeat(16_000) }],
  ['many headers', { headers: Array(2_000).fill(['X', '1']) as [string, string][] }],
  ['a long header', { headers: [['X'.repeat(1_000), 'x'.repeat(100_000)]] }],
  ['a large body', { body: 'A'.repeat(base64Chars(maxRequestBytes)) }],
])('a request within the limits is sent: %s', (_, fields) => {
  const ask = { ...ordinary, ...fields };
  expect([askFault(ask), isAccepted(ask)]).toEqual([null, true]);
});

test.each<[string, Partial<FetchAsk>]>([
  ['the method M-SEARCH', { method: 'M-SEARCH' }],
  ['the method .', { method: '' }],
  ['the method x', { method: 'x'.repeat(21) }],
  ['the method GET', { method: 'GET\n' }],
  ['The address has 16001', { url: 'x'.repeat(16_001) }],
  ['The request has 2001', { headers: Array(2_001).fill(['X', '1']) as [string, string][] }],
  ['The header XX', { headers: [['X'.repeat(1_001), '1']] }],
  ['The header X ', { headers: [['X', 'x'.repeat(100_001)]] }],
])('%s…: refused, since the broker would end the interpreter', (why, fields) => {
  const ask = { ...ordinary, ...fields };
  expect([askFault(ask), isAccepted(ask)]).toEqual([expect.stringContaining(why), false]);
});

test('a body that is too large is refused', () => {
  const body = 'A'.repeat(base64Chars(maxRequestBytes + 3));
  expect(askFault({ ...ordinary, body })).toContain('limit of 8 MB');
});

test.each([
  ['long arguments', 't:f', 8_000_000, null],
  ['a long name', 't'.repeat(1_000), 2, null],
  ['a name that is too long', 't'.repeat(1_001), 2, 'The name of the tool has 1001'],
  ['arguments that are too long', 't:f', 8_000_001, 'The arguments have 8000001'],
])('a call with %s is sent, or refused with the reason', (_, tool, length, why) => {
  const ask: Ask = { ask: 'call', tool, arguments: 'x'.repeat(length) };
  const fault: unknown = why === null ? null : expect.stringContaining(why);
  expect([askFault(ask), isAccepted(ask)]).toEqual([fault, why === null]);
});

test('other asks have no limits here', () => {
  expect(askFault({ ask: 'read', request: 1 })).toBeNull();
  expect(askFault({ ask: 'approve', question: 'x', details: null })).toBeNull();
});
