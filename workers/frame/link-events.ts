/** Events of a {@link ToolWorkerLink}. */

import type { Ask } from '../../src/protocol/ask.ts';
import type { Loss } from '../../src/protocol/frame.ts';
import type { Stream } from '../../src/spec/result.ts';

export interface LinkEvents {
  onStep(step: string): void;
  onStream(id: number, stream: Stream): void;
  onAsk(id: number, n: number, ask: Ask): void;
  /** The call has its result. */
  onEnd(id: number): void;
  onLost(loss: Loss): void;
}
