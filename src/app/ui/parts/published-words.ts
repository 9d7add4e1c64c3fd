/** Describes where prices of models are from. */

import type { ModelInfo } from '../../../runtime/spec/model.ts';

/** Describes which published prices are used; empty if none are. */
export function publishedWords(models: readonly (Pick<ModelInfo, 'price'> | undefined)[]): string {
  const used = new Map(
    models.flatMap((info) => {
      const published = info?.price?.published;
      return published === undefined ? [] : [[published.by, published.read] as const];
    }),
  );
  const names = Array.from(used, ([by, read]) => `${by} (read on ${read})`);
  return names.length === 0
    ? ''
    : `Costs are estimates based on the prices of ${names.join(' and ')}.`;
}
