/** An error in the form that the user is shown. */

import { ModelError, type ModelFault } from '../../../runtime/spec/model-error.ts';
import { errorText, ToolError } from '../../../runtime/spec/error.ts';

export interface Fault {
  readonly message: string;
  /** What to do next; empty if unknown. */
  readonly hint: string;
  /** Of an error of a model or its provider. */
  readonly of?: ModelFault;
}

export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof ModelError)
    return { message: thrown.message, hint: thrown.hint ?? '', of: thrown.fault };
  if (thrown instanceof ToolError) return { message: thrown.message, hint: thrown.hint ?? '' };
  return { message: errorText(thrown), hint: '' };
}
