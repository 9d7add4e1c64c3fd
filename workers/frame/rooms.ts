/** How long the messages of a tool worker may be. */

import type { Header } from '../../src/protocol/python.ts';
import { mostRequestBytes } from '../../src/protocol/ask.ts';

/** Characters of answers that carry no data of a tool. */
export const smallAnswer = 100_000;
/** Characters of a list of all files that a folder may have. */
export const droppedRoom = 5_000 * 1_003 * 2;
/** Characters of what the resolver of packages says. */
export const resolvedRoom = 8_000_000;
/**
 * Characters of one batch of a call's output. The loader sends up to 4,000,000 of updates and the latest one
 * besides (2,000,000), and all that a call may print (1,000,000, of which each may be escaped to six).
 */
const streamRoom = 13_000_000;
/** Characters of one question: the body of a request is what is large in it, in base64. */
const askRoom = Math.ceil((mostRequestBytes * 4) / 3) + 400_000;

/** A request that waits for its answer. */
export interface Expecting {
  readonly answer: Header['t'];
  /** Characters that its answer may have. */
  readonly room: number;
  /** Null for what is no call: it neither streams nor asks. */
  readonly record: object | null;
}

/** Characters that a message with this header may have; 0: nobody waits for it. */
export function roomFor({ t }: Header, pending: Expecting | undefined): number {
  switch (t) {
    case 'step':
    case 'crashed':
    case 'failed':
      return smallAnswer;
    case 'stream':
      return pending?.record ? streamRoom : 0;
    case 'ask':
      return pending?.record ? askRoom : 0;
    default:
      return pending?.answer === t ? pending.room : 0;
  }
}
