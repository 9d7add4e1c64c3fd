import { expect, test } from 'vitest';
import type { ModelExchange } from '../../runtime/spec/model.ts';
import { Exchanges } from './exchanges.ts';

function newExchanges() {
  return new Exchanges((thrown) => {
    throw thrown;
  });
}

function exchange(body: string): ModelExchange {
  return {
    at: 0,
    method: 'POST',
    url: 'https://m.example',
    headers: [],
    body,
    status: 200,
    received: '',
    skipped: 0,
    cut: false,
    firstMs: 1,
    ms: 2,
  };
}

test('the requests of a step are kept, and replaced by later ones of the same step', () => {
  const kept = newExchanges();
  let changes = 0;
  kept.observe(() => (changes += 1));
  kept.keep('a', [exchange('1')]);
  kept.keep('a', []);
  expect(changes).toBe(1);
  expect(kept.of('a')).toEqual([exchange('1')]);
  kept.keep('a', [exchange('2')]);
  expect([kept.of('a'), kept.of('b')]).toEqual([[exchange('2')], []]);
});

test('the oldest steps are dropped when there are too many, or they are too large', () => {
  const kept = newExchanges();
  for (let n = 0; n < 201; n += 1) kept.keep(`s${n}`, [exchange('')]);
  expect([kept.of('s0').length, kept.of('s1').length]).toEqual([0, 1]);
  kept.keep('large', [exchange('x'.repeat(29_999_999))]);
  expect([kept.of('s1').length, kept.of('s2').length]).toEqual([0, 1]);
  kept.keep('more', [exchange('xx')]);
  expect([kept.of('large').length, kept.of('more').length]).toEqual([0, 1]);
});
