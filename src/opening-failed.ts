/** Why a folder could not be opened, for the person. */

import { errorText, ToolError } from './spec/error.ts';
import type { Problem } from './spec/problem.ts';

export function openingFailed(thrown: unknown): Problem {
  return {
    severity: 'error',
    code: 'not-opened',
    file: '',
    line: null,
    column: null,
    message: errorText(thrown),
    expected: '',
    hint: (thrown instanceof ToolError ? thrown.hint : undefined) ?? 'Open the folder again.',
  };
}
