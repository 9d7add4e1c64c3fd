/** Describes how an answer ended, and what failed before it. */

import type { DraftPart } from '../../../../agent/session/log/draft.ts';
import type { StepEntry } from '../../../../agent/session/session-state.ts';
import { countText } from '../../../../runtime/spec/count-text.ts';
import { endsWithCall } from '../../../../runtime/spec/call-formats.ts';
import { formatDuration } from '../../parts/format.ts';
import type { Tries } from './transcript-rows.ts';

const leftCallWords =
  'The text ends with a tool call that the server did not parse, so no tool ran. If the server has a parser for the calls of this model, turn it on. Otherwise, choose another model.';

/**
 * The end of a step in words; empty if the answer is complete or still streaming.
 * @param isShownBelow whether the end of the turn shows why it failed
 */
export function stepEndWords(
  { finish, fault }: Pick<StepEntry, 'finish' | 'fault'>,
  parts: readonly DraftPart[],
  isShownBelow: boolean,
): string {
  switch (finish) {
    case 'stop': {
      const last = parts.findLast(({ type }) => type !== 'reasoning');
      if (last?.type === 'text' && endsWithCall(last.text)) return leftCallWords;
      return parts.some((part) => part.type !== 'reasoning' && (part.type !== 'text' || part.text))
        ? ''
        : 'The model stopped after its reasoning and gave no answer.';
    }
    case 'length':
      return 'Cut off: the answer reached the model’s output limit.';
    case 'filtered':
      return 'Cut off by the provider’s content filter.';
    case 'cut':
      return fault === null || isShownBelow ? 'Not finished.' : `Not finished: ${fault.message}`;
    default:
      return '';
  }
}

export function triesWords({ count, ms, fault }: Tries): string {
  const words = countText(count, 'failed request');
  const time = count === 1 ? '' : ` in ${formatDuration(ms)}`;
  return `${words}${time}${fault === null ? '' : `: ${fault.message}`}`;
}
