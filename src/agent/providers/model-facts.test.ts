import { expect, test } from 'vitest';
import { modelFactsText, readModelFacts, withDocuments, withFacts } from './model-facts.ts';
import type { ProviderKind } from '../../runtime/spec/model.ts';

test('prices and context are read from a line in any order, and written back', () => {
  const text = 'gpt-5 1.25 10 400k\nllama3:8b 8.192k\n\n m/x  $3, 15 0.3 \nbig 1M 1 2';
  const facts = readModelFacts(text);
  expect(facts).toEqual([
    { model: 'gpt-5', price: { input: 1.25, output: 10, cached: 1.25 }, context: 400_000 },
    { model: 'llama3:8b', price: null, context: 8_192 },
    { model: 'm/x', price: { input: 3, output: 15, cached: 0.3 }, context: null },
    { model: 'big', price: { input: 1, output: 2, cached: 1 }, context: 1_000_000 },
  ]);
  expect(readModelFacts(modelFactsText(facts))).toEqual(facts);
});

test.each(['gpt-5', 'gpt-5 cheap', 'gpt-5 1', 'gpt-5 1 2 3 4', 'gpt-5 4k 8k', 'gpt-5 -1 2'])(
  'what says nothing is refused: %s',
  (line) => {
    expect(() => readModelFacts(line)).toThrow(
      `“${line}” contains neither a price nor a context size.`,
    );
  },
);

test('models behind the APIs of companies read documents, unless they do not read images', () => {
  const info = { ref: { provider: 'p', model: 'm' }, label: 'M', context: null, price: null };
  const reads = (images: boolean | null, kind: ProviderKind): boolean | undefined =>
    withDocuments({ ...info, images }, kind).documents;
  expect([
    reads(true, 'anthropic'),
    reads(null, 'openai-responses'),
    reads(false, 'google'),
    reads(true, 'openai-compatible'),
    reads(null, 'browser'),
  ]).toEqual([true, true, undefined, undefined, undefined]);
});

test('what the user entered takes precedence, for that model only', () => {
  const info = {
    ref: { provider: 'p', model: 'm' },
    label: 'M',
    images: false,
    context: 100,
    price: null,
  };
  const price = { input: 1, output: 2, cached: 1 };
  expect(withFacts(info, [{ model: 'm', price, context: null }])).toEqual({ ...info, price });
  expect(withFacts(info, [{ model: 'other', price, context: 1 }])).toEqual(info);
});
