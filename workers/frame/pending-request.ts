/** A request to the tool worker that has not been answered yet. */

import type { Loss } from '../../src/protocol/frame.ts';
import type { Header } from '../../src/protocol/python.ts';
import type { StreamRecord } from '../../src/protocol/stream-record.ts';

export interface Pending {
  readonly answer: Header['t'];
  /** Limit of the answer, in characters. */
  readonly maxChars: number;
  readonly record: StreamRecord | null;
  /** Resolves the request. @returns false if the payload is not a valid answer */
  take(payload: string): boolean;
  /** Fails the request, because the tool worker is lost. */
  lose(loss: Loss): void;
}
