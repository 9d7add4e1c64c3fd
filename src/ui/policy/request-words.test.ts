import { expect, test } from 'vitest';
import type { LoggedRequest } from '../../grants/request-log.ts';
import { requestWords } from './request-words.ts';

const ended: LoggedRequest = {
  n: 1,
  at: 0,
  tool: 'weather:get',
  callId: 'c',
  origin: 'https://a.example',
  method: 'GET',
  url: 'https://a.example/',
  sentBytes: 0,
  receivedBytes: 1_200,
  durationMs: 38,
  status: 200,
  fault: '',
};

test('a request is told by its status, its sizes and its time', () => {
  expect(requestWords(ended)).toEqual({
    ending: '200',
    failed: false,
    sent: '0 B',
    received: '1.2 kB',
    took: '38 ms',
  });
});

test('while it lasts it is under way, with its status as soon as there is one', () => {
  const endings = [{ status: null, durationMs: null }, { durationMs: null }].map(
    (over) => requestWords({ ...ended, ...over }).ending,
  );
  expect(endings).toEqual(['pending', '200, receiving']);
});

test('what was refused has a reason and no time, what broke off keeps its status', () => {
  const refused = requestWords({ ...ended, status: null, durationMs: 0, fault: 'Not allowed.' });
  expect([refused.ending, refused.failed, refused.took]).toEqual(['Not allowed.', true, '']);
  expect(requestWords({ ...ended, fault: 'It broke off.' }).ending).toBe('200: It broke off.');
});
