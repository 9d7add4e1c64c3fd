/** An event on its way into the log: stamped, checked, and as the text that is kept of it. */

import { cutResult } from '../call/cut-call.ts';
import { ToolError } from '../spec/error.ts';
import type { Json } from '../spec/json.ts';
import type { ToolResult } from '../spec/result.ts';
import type { SessionEvent, SessionFact } from '../spec/session.ts';
import { checkedEvent } from './read-event.ts';
import type { KeptEvent } from './session-store.ts';

/** What happened, and when: milliseconds since the epoch. */
export type DatedFact = SessionFact & { readonly at: number };

export interface Written extends KeptEvent {
  readonly event: SessionEvent;
}

/**
 * @param mostChars of its JSON; a result that is larger is cut
 * @throws {ToolError} `limit`, `bad-input`
 */
export function writtenEvent(event: SessionEvent, mostChars: number): Written {
  const whole = written(event);
  if (whole.text.length <= mostChars) return whole;
  if (event.type === 'call-ended') {
    // Written out, a text may be longer than it is: by its quotes, line breaks and signs of control.
    for (const textChars of [0.4 * mostChars, 0.15 * mostChars, 0]) {
      const cut = written({ ...event, result: markedCut(event.result, Math.floor(textChars)) });
      if (cut.text.length <= mostChars) return cut;
    }
  }
  const most = Math.round(mostChars / 1024 / 1024);
  throw new ToolError(
    'limit',
    `The session did not keep a ${event.type} of ${whole.text.length} characters: that is more than ${most} MB.`,
    'Send less at once: fewer or smaller pictures, or a part of the text.',
  );
}

/** Texts that are cut end with a mark: who reads on to there has not read all of it. */
function markedCut(result: ToolResult, textChars: number): ToolResult {
  const cut = cutResult(result, { textChars, mark: marked });
  // Of a tool that returns nothing, what it printed is what is read.
  const isPrinted = result.textResultForLlm === 'null';
  return {
    ...cut,
    stdout: isPrinted ? marked(cut.stdout, result.stdout) : cut.stdout,
  };
}

function marked(cut: string, { length }: string): string {
  if (cut.length === length) return cut;
  const chars = length.toLocaleString('en');
  return `${cut}\n[Cut here: there were ${chars} characters, and the session keeps no more of them.]`;
}

function written(event: SessionEvent): Written {
  // What its types promise, as the next visit will ask for it.
  const { wrong } = checkedEvent(event as unknown as Json, event.n);
  if (wrong !== undefined)
    throw new ToolError('bad-input', `The session cannot keep a ${event.type}: ${wrong}`);
  return { ...keptEvent(event), event };
}

/** An event that was added before, as it is written. */
export function keptEvent(event: SessionEvent): KeptEvent {
  return { n: event.n, text: JSON.stringify(event) };
}

/** An event as it can be added to another log. */
export function datedFact({ n: _, ...fact }: SessionEvent): DatedFact {
  return fact;
}
