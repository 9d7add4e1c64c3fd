/** Turns an inspection that was ended early into an inspection with a problem. */

import type { ToolError, ToolErrorCode } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';

/** The errors that the inspected file causes, and their problems. Other errors have nothing to do with the file. */
const faults = new Map<ToolErrorCode, { code: string; expected: string; hint: string }>([
  [
    'timeout',
    {
      code: 'import-timeout',
      expected: 'a file that can be imported within the time limit',
      hint: 'Move slow code and infinite loops from the top level of the file into a handler.',
    },
  ],
  [
    'crashed',
    {
      code: 'import-crashed',
      expected: 'a file that can be imported without crashing Python',
      hint: 'Remove code at the top level of the file that uses all memory or exits the interpreter.',
    },
  ],
  [
    'flood',
    {
      code: 'import-flood',
      expected: 'an import with little output',
      hint: 'Remove loops that print or send messages from the top level of the file.',
    },
  ],
  [
    'limit',
    {
      code: 'import-limit',
      expected: 'tools whose description fits within the limit',
      hint: 'Shorten descriptions and schemas, or split the file.',
    },
  ],
  [
    'protocol',
    {
      code: 'import-protocol',
      expected: 'a file that does not change Cloche’s Python code',
      hint: 'Remove code that changes json, sys, js or builtins at the top level of the file.',
    },
  ],
]);

/** Returns an inspection for a file that caused this error; undefined if the file did not cause it. */
export function failedInspection(file: string, error: ToolError): Inspection | undefined {
  const fault = faults.get(error.code);
  if (fault === undefined) return undefined;
  return {
    file,
    tools: [],
    problems: [
      {
        severity: 'error',
        code: fault.code,
        file,
        line: 1,
        column: null,
        message: error.message,
        expected: fault.expected,
        hint: error.hint ?? fault.hint,
      },
    ],
    noSpecs: false,
    imports: [],
    output: '',
    durationMs: 0,
  };
}
