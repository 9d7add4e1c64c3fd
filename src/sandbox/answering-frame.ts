/**
 * A frame whose broker answers, so that there is a tool worker too. Firefox (140 to 153) stops for ever in one of a
 * hundred `new Worker` of a worker, more often on a busy machine: docs/decisions/workers-in-workers.md. Nothing but the end of the
 * frame helps then, and a worker is there in milliseconds otherwise.
 */

import { wait } from '../async/wait.ts';
import { ToolError } from '../spec/error.ts';
import type { SandboxFrame } from './frame.ts';

/** How long each try may take, longer each time: a machine can be that busy; milliseconds. */
const patienceMs = [3_000, 8_000, 20_000];

/** @throws {ToolError}, or what opening a frame throws */
export async function openAnswering(
  signal: AbortSignal,
  open: () => Promise<SandboxFrame>,
): Promise<SandboxFrame> {
  let failed: unknown;
  for (const ms of patienceMs) {
    const frame = await open();
    const gone = new AbortController();
    frame.onGone(() => {
      gone.abort(new ToolError('crashed', 'The sandbox is gone'));
    });
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
