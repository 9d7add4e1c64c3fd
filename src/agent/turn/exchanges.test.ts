import { expect, test } from 'vitest';
import type { LoadExchanges } from '../../runtime/spec/model.ts';
import { Exchanges } from './exchanges.ts';

const nothing: LoadExchanges = () => Promise.resolve([]);

function newExchanges() {
  return new Exchanges((thrown) => {
    throw thrown;
  });
}

test('the requests of a step are kept, and replaced by later ones of the same step', () => {
  const kept = newExchanges();
  let changes = 0;
  kept.observe(() => (changes += 1));
  kept.keep('a', () => Promise.reject(new Error('replaced')));
  kept.keep('a', nothing);
  expect([kept.of('a'), kept.of('b'), changes]).toEqual([nothing, undefined, 2]);
});

test('the oldest steps are dropped when there are too many', () => {
  const kept = newExchanges();
  for (let n = 0; n < 201; n += 1) kept.keep(`s${n}`, nothing);
  expect([kept.of('s0'), kept.of('s1')]).toEqual([undefined, nothing]);
});
