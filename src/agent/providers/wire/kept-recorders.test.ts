import { expect, test } from 'vitest';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { KeptRecorders } from './kept-recorders.ts';

function recorderOf(body: string, received = ''): ExchangeRecorder {
  const recorder = new ExchangeRecorder({ key: 'sk-secret-key', headers: [] });
  recorder
    .begin({ method: 'POST', url: 'https://m.example', headers: [], body })
    .received(received);
  return recorder;
}

test('what was recorded is returned without secrets', () => {
  const kept = new KeptRecorders();
  kept.keep(1, recorderOf('a sk-secret-key', 'b sk-secret-key'));
  expect(kept.exchangesOf(1)).toMatchObject([{ body: 'a [secret]', received: 'b [secret]' }]);
  expect(kept.exchangesOf(2)).toEqual([]);
});

test('the oldest requests are dropped when there are too many, or when they are too large', () => {
  const kept = new KeptRecorders();
  const count = (id: number): number => kept.exchangesOf(id).length;
  for (let id = 0; id < 201; id += 1) kept.keep(id, recorderOf(''));
  expect([count(0), count(1)]).toEqual([0, 1]);
  const large = new ExchangeRecorder({ key: 'sk-secret-key', headers: [] });
  const sent = { method: 'POST', url: '', headers: [], body: 'x'.repeat(31_000_000) };
  const answers = Array.from({ length: 10 }, () => large.begin(sent));
  for (const answer of answers.slice(1)) answer.received('y'.repeat(1_000_000));
  kept.keep(201, large);
  expect([count(200), count(201)]).toEqual([1, 10]);
  // What arrives later was not added to the total, and is not subtracted when the recorder is dropped.
  answers[0]?.received('y'.repeat(1_000_000));
  kept.keep(202, recorderOf('z'.repeat(1_000_000)));
  expect([count(200), count(201), count(202)]).toEqual([0, 0, 1]);
  for (let id = 203; id < 218; id += 1) kept.keep(id, recorderOf('z'.repeat(1_990_000)));
  expect([count(202), count(203)]).toEqual([0, 1]);
});

test('the newest request is kept even if it exceeds the limit for all of them', () => {
  const kept = new KeptRecorders();
  const large = new ExchangeRecorder({ key: 'sk-secret-key', headers: [] });
  const body = `${'x'.repeat(1_999_995)}sk-secret-key${'x'.repeat(1_000_000)}`;
  for (let n = 0; n < 10; n += 1)
    large.begin({ method: 'POST', url: '', headers: [], body }).received('y'.repeat(1_000_000));
  kept.keep(1, recorderOf(''));
  kept.keep(2, large);
  const [first] = kept.exchangesOf(2);
  expect([kept.exchangesOf(1), first?.cut, first?.body?.length]).toEqual([[], true, 2_000_000]);
  expect(first?.body?.slice(-8)).toBe('xxx[secr');
});
