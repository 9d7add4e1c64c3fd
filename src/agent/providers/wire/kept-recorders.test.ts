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

test('what was recorded is given without secrets', () => {
  const kept = new KeptRecorders();
  kept.keep(1, recorderOf('a sk-secret-key', 'b sk-secret-key'));
  expect(kept.exchangesOf(1)).toMatchObject([{ body: 'a [secret]', received: 'b [secret]' }]);
  expect(kept.exchangesOf(2)).toEqual([]);
});

test('the oldest requests are dropped when there are too many, or they are too large', () => {
  const kept = new KeptRecorders();
  const count = (id: number): number => kept.exchangesOf(id).length;
  for (let id = 0; id < 201; id += 1) kept.keep(id, recorderOf(''));
  expect([count(0), count(1)]).toEqual([0, 1]);
  const large = new ExchangeRecorder({ key: '', headers: [] });
  for (let n = 0; n < 10; n += 1)
    large.begin({ method: 'POST', url: '', headers: [], body: 'x'.repeat(3_000_000) });
  kept.keep(201, large);
  expect([count(1), count(2), count(201)]).toEqual([0, 1, 10]);
  kept.keep(202, recorderOf('x'));
  expect([count(201), count(202)]).toEqual([0, 1]);
});
