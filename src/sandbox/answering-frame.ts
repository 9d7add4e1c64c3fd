/**
 * Opens a sandbox frame and makes sure that its broker answers. In Firefox 140 to 153, about one in a hundred
 * `new Worker` calls made inside a worker hangs forever, more often on a busy machine
 * (docs/decisions/workers-in-workers.md). The only remedy is to remove the frame and open another.
 */

import { wait } from '../async/wait.ts';
import { ToolError } from '../spec/error.ts';
import type { SandboxFrame } from './frame.ts';

/** Timeout of each try, in milliseconds. It grows, because the machine may just be busy. */
const patienceMs = [3_000, 8_000, 20_000];

/** @throws {ToolError} if no frame answers; rethrows errors of `open` */
export async function openAnswering(
  signal: AbortSignal,
  open: () => Promise<SandboxFrame>,
): Promise<SandboxFrame> {
  let failed: unknown;
  for (const ms of patienceMs) {
    const frame = await open();
    const gone = new AbortController();
    frame.onGone(() => gone.abort(new ToolError('crashed', 'The sandbox is gone')));
    try {
      await wait(signal, frame.broker.ping(), {
        ...{ lost: gone.signal, deadlineMs: ms, what: 'Starting the sandbox' },
      });
      return frame;
    } catch (thrown) {
      frame.remove();
      if (signal.aborted) throw thrown;
      failed = thrown;
    }
  }
  throw failed;
}
