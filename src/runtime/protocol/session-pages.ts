/** Messages about sessions between pages of one browser. Any script of the origin can send them, so each is validated. */

import { asFields, isCount, isStrings } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';

export type SessionMessage =
  /** Events were written to the log; `from` is the index of the first. */
  | {
      readonly type: 'events';
      readonly session: string;
      readonly from: number;
      /** The events, each as JSON. */
      readonly events: readonly JsonText[];
    }
  /** A running step received more of its answer. */
  | {
      readonly type: 'draft';
      readonly session: string;
      readonly stepId: string;
      /** The number of the piece, from 0 in each step. */
      readonly piece: number;
      /** The addition as JSON: a {@link DraftDelta}. */
      readonly grown: JsonText;
    }
  /** The session's entry in lists, as JSON. */
  | { readonly type: 'head'; readonly session: string; readonly head: JsonText }
  | { readonly type: 'removed' | 'restored'; readonly session: string }
  /** Asks the page that writes the session to change its title. */
  | { readonly type: 'title'; readonly session: string; readonly title: string };

/** Validates a message; null for anything else. */
export function parseSessionMessage(data: unknown): SessionMessage | null {
  const { type, session, from, events, stepId, piece, grown, head, title } = asFields(data);
  if (typeof session !== 'string' || session === '') return null;
  switch (type) {
    case 'events':
      return isCount(from) && isStrings(events) ? { type, session, from, events } : null;
    case 'draft':
      return typeof stepId === 'string' && isCount(piece) && typeof grown === 'string'
        ? { type, session, stepId, piece, grown }
        : null;
    case 'head':
      return typeof head === 'string' ? { type, session, head } : null;
    case 'removed':
    case 'restored':
      return { type, session };
    case 'title':
      return typeof title === 'string' ? { type, session, title } : null;
    default:
      return null;
  }
}
