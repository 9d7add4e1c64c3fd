/** Describes how the limits of model providers change a tool. */

import type { ProviderFit, SchemaChange } from '../../../../runtime/protocol/models.ts';

export type FitState = 'accepted' | 'altered' | 'refused';

export interface FitWords {
  readonly state: FitState;
  readonly words: string;
  /** The changes, one line each; foreign text. */
  readonly details: readonly string[];
}

export function fitWords(fit: ProviderFit): FitWords {
  if (fit.refused.length > 0)
    return {
      state: 'refused',
      words: 'Refused: some parameters have names that it cannot tell apart. Rename one of them',
      details: [...fit.refused],
    };
  const details = [
    ...fit.renamed.map(([name, wire]) => `Parameter ${name} is sent as ${wire}`),
    // A renamed parameter is not a change of its schema.
    ...(fit.renamed.length > 0 ? [] : fit.changes.map(changeWords)),
    ...(fit.describes ? ['What is left out at the top level is told in the description'] : []),
  ];
  const afterwards = fit.afterRefusal.map((change) => `If refused: ${changeWords(change)}`);
  if (details.length === 0)
    return {
      state: 'accepted',
      words:
        afterwards.length === 0
          ? 'Sent as it is'
          : 'Sent as it is; some servers refuse it, and are sent less',
      details: afterwards,
    };
  return { state: 'altered', words: 'Sent in another form', details: [...details, ...afterwards] };
}

function changeWords({ pointer, is }: SchemaChange): string {
  return `${pointer === '' ? 'The schema' : pointer} is ${is}`;
}
