/** Turns the loss of an interpreter into an error. */

import type { Loss, OrLost } from '../protocol/frame.ts';
import { errorText, ToolError } from '../spec/error.ts';

/** Returns the error that says how an interpreter was lost. */
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

/** Returns the error for a failed start, whatever was thrown. */
export function startError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return lossError({ reason: 'start', detail: errorText(thrown) });
}

/** Returns the value of an answer. @throws {ToolError} if the interpreter was lost */
export function orThrow<T>(answer: OrLost<T>): T {
  if (answer.ok) return answer.value;
  throw lossError(answer.loss);
}
