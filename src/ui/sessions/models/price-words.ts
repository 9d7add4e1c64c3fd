/** Prices of models in words. */

import type { Price } from '../../../spec/model.ts';
import { money } from '../transcript/usage-words.ts';

/** `$2.00 in, $10.00 out per million, read on 2026-11-18`; empty if the price is unknown. */
export function priceWords(price: Price | null): string {
  if (price === null) return '';
  const { input, output, published } = price;
  const read = published === undefined ? '' : `, read on ${published.read}`;
  return `${money(input)} in, ${money(output)} out per million${read}`;
}
