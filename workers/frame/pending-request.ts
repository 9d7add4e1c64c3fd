/** A request to the tool worker that waits for its answer. */

import type { Loss } from '../../src/protocol/frame.ts';
import type { Header } from '../../src/protocol/python.ts';
import type { StreamRecord } from '../../src/protocol/stream-record.ts';

export interface Pending {
  readonly answer: Header['t'];
  /** Characters that its answer may have. */
  readonly room: number;
  readonly record: StreamRecord | null;
  /** false: the payload is not such an answer. */
  take(payload: string): boolean;
  lose(loss: Loss): void;
}
