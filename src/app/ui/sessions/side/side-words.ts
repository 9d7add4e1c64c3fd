/** Describes figures and calls of sessions side by side. */

import type { CallRow, Figures, TurnSide } from '../../../../agent/session/compare-sessions.ts';
import type { CallSpan } from '../../../../agent/session/trace/trace.ts';
import { countText } from '../../../../runtime/spec/count-text.ts';
import { formatDuration } from '../../parts/format.ts';
import { outcomeOf } from '../../tools/result/outcome-words.ts';
import { formatMoney, usageWords } from '../../parts/usage-words.ts';

/** The compared figures, each with its words for one session; `–` if it is unknown. */
export const figureRows: readonly (readonly [name: string, words: (figures: Figures) => string])[] =
  [
    ['Requests', ({ requests }) => String(requests)],
    [
      'Calls',
      ({ calls, failedCalls }) =>
        failedCalls === 0 ? String(calls) : `${calls}, ${failedCalls} failed`,
    ],
    [
      'Tokens',
      ({ usage, estimated }) => {
        const words = usageWords(usage).replace(/ tokens$/, '');
        return words === '' ? '–' : `${estimated ? 'about ' : ''}${words}`;
      },
    ],
    ['Cost', ({ cost }) => (cost === null ? '–' : formatMoney(cost))],
    ['First token after', ({ firstMs }) => (firstMs === null ? '–' : formatDuration(firstMs))],
    ['Time', ({ ms }) => (ms === null ? '–' : formatDuration(ms))],
  ];

/** How the calls of a row differ. */
export function differenceWords({ differ, calls }: CallRow): string {
  if (differ === 'not') return 'Same';
  if (differ !== 'missing') return `Differ ${differ}`;
  return `Only in ${countText(calls.filter((call) => call !== null).length, 'session')}`;
}

/** How a call ended, and how long it took. */
export function callEnd({ result, ms }: CallSpan): string {
  if (result === null) return 'running';
  return `${outcomeOf(result).words}${ms === null ? '' : `, ${formatDuration(ms)}`}`;
}

/** The figures of a turn, on one line. */
export function figureWords({ requests, usage, estimated, cost, ms, firstMs }: Figures): string {
  const tokens = usageWords(usage);
  return [
    countText(requests, 'request'),
    tokens === '' ? '' : `${estimated ? 'about ' : ''}${tokens}`,
    cost === null ? '' : formatMoney(cost),
    firstMs === null ? '' : `first token after ${formatDuration(firstMs)}`,
    ms === null ? '' : formatDuration(ms),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** How a turn ended, if not with an answer. */
export function endWords({ end }: TurnSide): string {
  switch (end) {
    case null:
    case 'done':
      return '';
    case 'stopped':
      return 'Stopped · ';
    case 'lost':
      return 'Interrupted · ';
    case 'failed':
      return 'Failed · ';
  }
}
