/** The parts of an answer as they are shown: calls that follow one another form a group. */

import type { DraftPart } from '../../../../agent/session/log/draft.ts';
import type { AskedCall } from '../../../../runtime/spec/model.ts';

export type ShownPart =
  DraftPart | { readonly type: 'calls'; readonly calls: readonly AskedCall[] };

export function groupParts(parts: readonly DraftPart[]): readonly ShownPart[] {
  const shown: ShownPart[] = [];
  for (const part of parts) {
    const last = shown.at(-1);
    if (part.type !== 'call' || last === undefined) shown.push(part);
    else if (last.type === 'call') shown[shown.length - 1] = { type: 'calls', calls: [last, part] };
    else if (last.type === 'calls')
      shown[shown.length - 1] = { type: 'calls', calls: [...last.calls, part] };
    else shown.push(part);
  }
  return shown;
}
