/** Finds out in a separate worker how providers change a tool, because a schema decides how long that takes. */

import { wrap } from 'comlink';
import { wait } from '../../runtime/async/wait.ts';
import type { ModelWorker, ProviderFit } from '../../runtime/protocol/models.ts';
import type { ToolDefinition } from '../../runtime/spec/model.ts';
import { startModelWorker } from './model-asker.ts';

const deadlineMs = 5_000;

/**
 * Returns how each kind of provider changes a tool. Rejects if that takes too long, fails, or is
 * aborted.
 */
export async function providerFits(
  signal: AbortSignal,
  tool: ToolDefinition,
  start: () => Worker = startModelWorker,
): Promise<readonly ProviderFit[]> {
  signal.throwIfAborted();
  const worker = start();
  const died = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('The worker for models has failed')));
  });
  try {
    const fits: Promise<readonly ProviderFit[]> = wrap<ModelWorker>(worker).fit(tool);
    return await wait(signal, Promise.race([fits, died]), {
      deadlineMs,
      what: 'Comparing the schema with the limits of providers',
    });
  } finally {
    worker.terminate();
  }
}
