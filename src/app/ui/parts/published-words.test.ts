import { expect, test } from 'vitest';
import { publishedWords } from './published-words.ts';

test('each company whose published prices are used is named once, with the day', () => {
  const price = { input: 1, cached: 1, output: 1 };
  const by = (name: string) => ({
    price: { ...price, published: { by: name, read: '2026-11-18' } },
  });
  expect(publishedWords([by('OpenAI'), by('OpenAI'), { price }, undefined, by('Google')])).toBe(
    'Costs are estimates based on the prices of OpenAI (read on 2026-11-18) and Google (read on 2026-11-18).',
  );
  expect(publishedWords([{ price }, { price: null }, undefined])).toBe('');
});
