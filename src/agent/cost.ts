/** What a step costs, as far as prices are known. */

import type { ModelInfo, Usage } from '../spec/model.ts';

const million = 1_000_000;
/** Of the price of a token, what one costs that goes into a cache for five minutes: Anthropic’s page on prompt caching. */
const cacheWrite = 1.25;

/** US dollars; null where price or usage is unknown. */
export function costOf(info: Pick<ModelInfo, 'price'> | undefined, usage: Usage): number | null {
  const { price } = info ?? { price: null };
  if (price === null || (usage.input === null && usage.output === null)) return null;
  const cached = usage.cached ?? 0;
  const writes = usage.cacheWrites ?? 0;
  const fresh = Math.max(0, (usage.input ?? 0) - cached - writes);
  const input = (fresh + writes * cacheWrite) * price.input;
  return (input + cached * price.cached + (usage.output ?? 0) * price.output) / million;
}
