import { expect, test } from 'vitest';
import {
  parsePageMessage,
  parseWhoAreYou,
  parseWorkerMessage,
  type PageMessage,
  type WorkerMessage,
} from './service.ts';

const fromWorker: WorkerMessage[] = [
  {
    type: 'request',
    id: 1,
    method: 'POST',
    path: 'tools/a%3Ab',
    headers: [['accept', '*/*']],
    body: new ArrayBuffer(2),
    sentAt: 5,
  },
  { type: 'request', id: 2, method: 'GET', path: 'tools', headers: [], body: null, sentAt: 5 },
  { type: 'abort', id: 1 },
  { type: 'bye' },
];

const fromPage: PageMessage[] = [
  { type: 'role', role: 'standby', lock: 'cloche-page:/:1' },
  { type: 'accepted', id: 1 },
  { type: 'head', id: 1, status: 200, headers: [['etag', '"a"']], hasBody: true },
  { type: 'chunk', id: 1, bytes: new Uint8Array([1, 2]) },
  { type: 'end', id: 1 },
  { type: 'failed', id: 1, message: 'no' },
];

test('every valid message is parsed unchanged', () => {
  for (const message of fromWorker)
    expect(parseWorkerMessage(structuredClone(message))).toEqual(message);
  for (const message of fromPage)
    expect(parsePageMessage(structuredClone(message))).toEqual(message);
  const who = { type: 'cloche-who', base: '/x/', lock: 'cloche-worker:/x/:1' };
  expect(parseWhoAreYou(structuredClone(who))).toEqual(who);
});

test.each([
  null,
  'request',
  [],
  {},
  { type: 'cloche-who' },
  { type: 'cloche-who', base: '/' },
  { type: 'cloche-who', base: 1, lock: 'a' },
])('%j is not a WhoAreYou message', (data) => {
  expect(parseWhoAreYou(data)).toBeUndefined();
});

test('a worker message with a missing field or one of another type is rejected', () => {
  for (const message of fromWorker) {
    for (const key of Object.keys(message)) {
      expect(parseWorkerMessage({ ...message, [key]: undefined })).toBeUndefined();
      expect(parseWorkerMessage({ ...message, [key]: true })).toBeUndefined();
    }
  }
  const request = fromWorker[0];
  expect(parseWorkerMessage({ ...request, headers: [['accept']] })).toBeUndefined();
  expect(parseWorkerMessage({ ...request, headers: [['accept', 1]] })).toBeUndefined();
  expect(parseWorkerMessage('abort')).toBeUndefined();
});

test('a page message with a missing field or one of another type is rejected', () => {
  for (const message of fromPage) {
    for (const key of Object.keys(message)) {
      expect(parsePageMessage({ ...message, [key]: undefined })).toBeUndefined();
      expect(parsePageMessage({ ...message, [key]: [1] })).toBeUndefined();
    }
  }
  expect(parsePageMessage({ type: 'role', role: 'king', lock: 'a' })).toBeUndefined();
  expect(parsePageMessage(null)).toBeUndefined();
});
