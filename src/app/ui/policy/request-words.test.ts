import { expect, test } from 'vitest';
import type { LoggedRequest } from '../../../runtime/grants/request-log.ts';
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

test('a request is described by its status, sizes and time', () => {
  expect(requestWords(ended)).toEqual({
    ending: '200',
    failed: false,
    sent: '0 B',
    received: '1.2 kB',
    took: '38 ms',
  });
});

test('a running request is described as running, with its status once known', () => {
  const endings = [{ status: null, durationMs: null }, { durationMs: null }].map(
    (over) => requestWords({ ...ended, ...over }).ending,
  );
  expect(endings).toEqual(['pending', '200, receiving']);
});

test('a refused request has a reason and no time, and one that broke off its status', () => {
  const refused = requestWords({ ...ended, status: null, durationMs: 0, fault: 'Not allowed.' });
  expect([refused.ending, refused.failed, refused.took]).toEqual(['Not allowed.', true, '']);
  expect(requestWords({ ...ended, fault: 'It broke off.' }).ending).toBe('200: It broke off.');
});
