/** Why an interpreter is no more, as an error. */

import type { Loss, OrLost } from '../protocol/frame.ts';
import { errorText, ToolError } from '../spec/error.ts';

/** A loss in words for a person. */
export function lossError({ reason, detail }: Loss): ToolError {
  switch (reason) {
    case 'flood':
      return new ToolError('flood', `The interpreter was stopped: it ${detail}`);
    case 'protocol':
      return new ToolError('protocol', `The interpreter was stopped: it ${detail}`);
    case 'start':
      return new ToolError('crashed', `Python could not be started: ${detail}`, 'Reload the page.');
    case 'terminated':
      return new ToolError('aborted', detail);
    case 'crashed':
      return new ToolError('crashed', `The interpreter crashed: ${detail}`);
  }
}

/** Why a start has failed, whatever was thrown on the way. */
export function startError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return lossError({ reason: 'start', detail: errorText(thrown) });
}

/** @throws {ToolError} */
export function orThrow<T>(answer: OrLost<T>): T {
  if (answer.ok) return answer.value;
  throw lossError(answer.loss);
}
