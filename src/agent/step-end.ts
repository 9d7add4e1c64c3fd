/** The end of an answer on its way into the log: where something of it is refused, that is left out, and not the answer. */

import type { SessionLog } from '../session/session-log.ts';
import { noUsage } from '../session/usage.ts';
import { errorText } from '../spec/error.ts';
import type { AssistantPart } from '../spec/model.ts';
import { ModelError } from '../spec/model-error.ts';
import type { SessionFact } from '../spec/session.ts';
import { keptFault } from './retry.ts';

export type StepEnded = Extract<SessionFact, { type: 'step-ended' }>;

/** Characters of each part and of all of them, where the whole answer is refused. */
const keptChars = 100_000;

export interface LoggedEnd {
  readonly parts: readonly AssistantPart[];
  /** Null: all that the answer said and called is in the log. */
  readonly refused: ModelError | null;
}

/** Never throws, since a step without an end would stay open; tells what is in the log of it. */
export function logStepEnd(log: Pick<SessionLog, 'append'>, whole: StepEnded): LoggedEnd {
  const first = refusalOf(log, whole);
  if (first === null) return { parts: whole.parts, refused: null };
  // Counts that make no sense, then data of the provider's own.
  const uncounted = { ...whole, usage: noUsage, cost: null, ms: 0 };
  const plain = { ...uncounted, parts: whole.parts.map(withoutOpaque) };
  for (const fact of [uncounted, plain])
    if (refusalOf(log, fact) === null) return { parts: fact.parts, refused: null };
  const refused = new ModelError(
    'provider',
    `The answer could not be kept whole: ${errorText(first).slice(0, 500)}`,
    'Press “Go on” to ask for it again.',
  );
  const fault = keptFault(refused);
  const short = { parts: beginnings(whole.parts), finish: 'cut', fault } as const;
  for (const fact of [
    { ...whole, ...short },
    { ...uncounted, ...short },
    { ...uncounted, ...short, parts: [] },
  ])
    if (refusalOf(log, fact) === null) return { parts: fact.parts, refused };
  return { parts: [], refused };
}

/** Null: it is in the log, or this page does not write it any more. */
function refusalOf(log: Pick<SessionLog, 'append'>, fact: StepEnded): Error | null {
  try {
    log.append(fact);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(errorText(thrown));
  }
}

function withoutOpaque({ opaque: _, ...part }: AssistantPart): AssistantPart {
  return part;
}

/** What was said, as far as there is room for it; calls that are cut are none. */
function beginnings(parts: readonly AssistantPart[]): AssistantPart[] {
  let left = keptChars;
  return parts.flatMap((part) => {
    if (part.type === 'call') return [];
    const text = part.text.slice(0, left).toWellFormed();
    left -= text.length;
    return text === '' ? [] : [{ type: part.type, text }];
  });
}
