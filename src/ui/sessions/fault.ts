/** An error in the form that the user is shown. */

import { ModelError } from '../../spec/model-error.ts';
import { errorText, ToolError } from '../../spec/error.ts';

export interface Fault {
  readonly message: string;
  /** What to do next; empty if unknown. */
  readonly hint: string;
}

export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof ToolError || thrown instanceof ModelError)
    return { message: thrown.message, hint: thrown.hint ?? '' };
  return { message: errorText(thrown), hint: '' };
}
