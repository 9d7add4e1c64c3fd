/** Limits of the lengths of a tool worker's messages. */

import type { Header } from '../../src/protocol/python.ts';
import { mostRequestBytes } from '../../src/protocol/ask.ts';

/** Answers that contain no data of a tool; characters. */
export const smallAnswerChars = 100_000;
/** A list of all files of a folder; characters. */
export const droppedChars = 5_000 * 1_003 * 2;
/** An answer of the resolver; characters. */
export const resolvedChars = 8_000_000;
/**
 * One batch of a call's updates and output; characters. The loader sends up to 4,000,000 of updates, plus the latest
 * update (2,000,000), plus everything that a call may print (1,000,000, of which each may be escaped to six).
 */
const streamChars = 13_000_000;
/** One ask, mostly the base64 body of a request; characters. */
const askChars = Math.ceil((mostRequestBytes * 4) / 3) + 400_000;

/** A request that has not been answered yet. */
export interface Expecting {
  readonly answer: Header['t'];
  /** Limit of the answer, in characters. */
  readonly maxChars: number;
  /** Null if the request is not a call, and so neither streams nor asks. */
  readonly record: object | null;
}

/** Limit of a message with this header, in characters; 0 if it was not requested. */
export function maxCharsOf({ t }: Header, pending: Expecting | undefined): number {
  switch (t) {
    case 'step':
    case 'crashed':
    case 'failed':
      return smallAnswerChars;
    case 'stream':
      return pending?.record ? streamChars : 0;
    case 'ask':
      return pending?.record ? askChars : 0;
    default:
      return pending?.answer === t ? pending.maxChars : 0;
  }
}
