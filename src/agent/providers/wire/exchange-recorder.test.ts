/** Recorded requests to providers. */

import { expect, test } from 'vitest';
import { ExchangeRecorder } from './exchange-recorder.ts';

const sent = {
  method: 'POST',
  url: 'https://m.example/v1?k=sk-secret-key',
  headers: [['authorization', 'Bearer sk-secret-key']] as const,
  body: '{"key": "sk-secret-key", "n": 1}',
};

function recorder() {
  const clock = { now: 100 };
  return {
    clock,
    made: new ExchangeRecorder({ key: 'sk-secret-key', headers: [] }, () => clock.now),
  };
}

test('a request and its response are recorded with their times, and without secrets', () => {
  const { clock, made } = recorder();
  const one = made.begin(sent);
  clock.now = 130;
  one.responded(200);
  clock.now = 150;
  one.received('echo sk-secret-key');
  expect(made.exchanges).toEqual([
    {
      at: 100,
      method: 'POST',
      url: 'https://m.example/v1?k=[secret]',
      status: 200,
      headers: [['authorization', 'Bearer [secret]']],
      body: '{"key": "[secret]", "n": 1}',
      received: 'echo [secret]',
      skipped: 0,
      cut: false,
      firstMs: 50,
      ms: 50,
    },
  ]);
});

test('a secret that arrives in two pieces is replaced', () => {
  const { made } = recorder();
  const one = made.begin(sent);
  one.received('sk-sec');
  one.received('ret-key');
  expect(made.exchanges[0]?.received).toBe('[secret]');
});

test('a request without response has none, and long texts are cut', () => {
  const { made } = recorder();
  const one = made.begin({ ...sent, body: 'x'.repeat(2_000_001) });
  expect(made.exchanges[0]).toMatchObject({ status: null, received: '', firstMs: null, cut: true });
  expect(made.exchanges[0]?.body).toHaveLength(2_000_000);
  one.received('y'.repeat(1_000_001));
  expect(made.exchanges[0]?.received).toHaveLength(1_000_000);
});

test('only the first requests of an answer are recorded', () => {
  const { made } = recorder();
  for (let n = 0; n < 12; n += 1) made.begin(sent);
  expect(made.exchanges).toHaveLength(10);
});
