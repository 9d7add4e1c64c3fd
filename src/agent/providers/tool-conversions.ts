/** Computes in a worker how providers change a tool. The time depends on the tool's schema, so it may take too long for the page. */

import { askOnce } from '../../runtime/async/worker-client.ts';
import type { MessageTap } from '../../runtime/protocol/message-tap.ts';
import type { ModelWorker, ToolConversion } from '../../runtime/protocol/models.ts';
import type { ToolDefinition } from '../../runtime/spec/model.ts';
import { startModelWorker } from './model-asker.ts';

const deadlineMs = 5_000;
const died = (): Error => new Error('The worker for models has failed');

/**
 * Returns how each kind of provider changes a tool. Rejects if that takes too long, fails, or is
 * aborted.
 */
export function convertForProviders(
  signal: AbortSignal,
  tool: ToolDefinition,
  tap: MessageTap,
  start = startModelWorker,
): Promise<readonly ToolConversion[]> {
  return askOnce<ModelWorker, readonly ToolConversion[]>(
    signal,
    { start: () => start(tap), died },
    async (worker): Promise<readonly ToolConversion[]> => worker.convertTool(tool),
    { deadlineMs, what: 'Comparing the schema with the limits of providers' },
  );
}
