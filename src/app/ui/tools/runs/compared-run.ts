/** Reads the parts of a logged call that are compared with other calls, as JSON text. */

import type { LoggedCall } from '../../../../runtime/spec/call.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import { readReturnedValue } from '../result/return-check.ts';

export function writeComparedArguments({ call, cut }: LoggedCall): JsonText {
  // Arguments that were cut are no JSON.
  return cut ? JSON.stringify(call.arguments) : call.arguments;
}

/** The value that the tool returned, or the text that the caller got instead. */
export function writeComparedResult({ result }: Pick<LoggedCall, 'result'>): JsonText {
  const value = readReturnedValue(result);
  if (value !== null) return value;
  const { resultType, error, textResultForLlm } = result;
  return JSON.stringify(
    resultType === 'failure' ? { error, text: textResultForLlm } : textResultForLlm,
  );
}
