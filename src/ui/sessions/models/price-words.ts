/** Where prices of models are from, in words. */

import type { ModelInfo, Price } from '../../../spec/model.ts';
import { money } from '../transcript/usage-words.ts';

type Priced = Pick<ModelInfo, 'price'> | undefined;

/** `$2 in, $10 out per million, read on 2026-11-18`; empty if the price is unknown. */
export function priceWords(price: Price | null): string {
  if (price === null) return '';
  const { input, output, published } = price;
  const read = published === undefined ? '' : `, read on ${published.read}`;
  return `${money(input)} in, ${money(output)} out per million${read}`;
}

/** Says which published prices are used; empty if none are. */
export function publishedWords(models: readonly Priced[]): string {
  const used = new Map(
    models.flatMap((info) => {
      const published = info?.price?.published;
      return published === undefined ? [] : [[published.by, published.read] as const];
    }),
  );
  const names = Array.from(used, ([by, read]) => `${by} (read on ${read})`);
  return names.length === 0 ? '' : `Costs are estimates by the prices of ${names.join(' and ')}.`;
}
