/** An error in the form that the user is shown. */

import { ModelError, type ModelFault } from '../../../runtime/spec/model-error.ts';
import { errorText, ToolError } from '../../../runtime/spec/error.ts';

export interface Fault {
  readonly message: string;
  /** The next step for the user; empty if unknown. */
  readonly hint: string;
  /** Kind of the error, if it is one of a model or its provider. */
  readonly of?: ModelFault;
}

export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof ModelError)
    return { message: thrown.message, hint: thrown.hint ?? '', of: thrown.fault };
  if (thrown instanceof ToolError) return { message: thrown.message, hint: thrown.hint ?? '' };
  return { message: errorText(thrown), hint: '' };
}
