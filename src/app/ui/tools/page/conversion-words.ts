/** Describes how the limits of model providers change a tool. */

import type { ToolConversion, SchemaChange } from '../../../../runtime/protocol/models.ts';

export type ConversionState = 'accepted' | 'altered' | 'refused';

export interface ConversionWords {
  readonly state: ConversionState;
  readonly words: string;
  /** The changes, one line each; foreign text. */
  readonly details: readonly string[];
}

export function conversionWords(conversion: ToolConversion): ConversionWords {
  if (conversion.refused.length > 0)
    return {
      state: 'refused',
      words: 'Refused: some parameters have names that it cannot tell apart. Rename one of them',
      details: [...conversion.refused],
    };
  const details = [
    ...conversion.renamed.map(([name, wire]) => `Parameter ${name} is sent as ${wire}`),
    // A renamed parameter is not a change of its schema.
    ...(conversion.renamed.length > 0 ? [] : conversion.changes.map(changeWords)),
    ...(conversion.describes ? ['The description says what is left out at the top level'] : []),
  ];
  const afterwards = conversion.afterRefusal.map((change) => `If refused: ${changeWords(change)}`);
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
