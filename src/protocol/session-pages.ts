/** What pages of one browser tell each other about sessions. Whoever is of this origin can send it: nothing is believed. */

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
  if (typeof data !== 'object' || data === null) return null;
  const { type, session, from, events, stepId, piece, grown, head, title }: Loose = data;
  if (typeof session !== 'string' || session === '') return null;
  switch (type) {
    case 'events':
      return isPlace(from) && isTexts(events) ? { type, session, from, events } : null;
    case 'draft':
      return typeof stepId === 'string' && isPlace(piece) && typeof grown === 'string'
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

type Loose = Readonly<Partial<Record<Field, unknown>>>;
type Field =
  'type' | 'session' | 'from' | 'events' | 'stepId' | 'piece' | 'grown' | 'head' | 'title';

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
