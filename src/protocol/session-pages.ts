/** What pages of one browser tell each other about sessions. Whoever is of this origin can send it: nothing is believed. */

import { fields, isCount, isStrings } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';

export type SessionMessage =
  /** They have been written; `from` is the place of the first. */
  | {
      readonly type: 'events';
      readonly session: string;
      readonly from: number;
      /** JSON of each. */
      readonly events: readonly JsonText[];
    }
  /** A step under way grew. */
  | {
      readonly type: 'draft';
      readonly session: string;
      readonly stepId: string;
      readonly piece: number;
      /** JSON of what it grew by. */
      readonly grown: JsonText;
    }
  /** What a list shows of it now, as JSON. */
  | { readonly type: 'head'; readonly session: string; readonly head: JsonText }
  | { readonly type: 'removed' | 'restored'; readonly session: string }
  /** The page that writes it is to call it so. */
  | { readonly type: 'title'; readonly session: string; readonly title: string };

/** Null where it is none. */
export function parseSessionMessage(data: unknown): SessionMessage | null {
  const { type, session, from, events, stepId, piece, grown, head, title } = fields(data);
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
