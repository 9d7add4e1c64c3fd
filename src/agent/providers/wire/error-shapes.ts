/** Finds errors that servers and gateways report in other members than `error`. */

import { asFields, type Fields } from '../../../runtime/spec/guards.ts';
import { asList, asText } from '../../../runtime/spec/lenient.ts';

/** An error that was found. The code is a number, a text, or missing. */
export interface ShapedError {
  readonly message: string;
  readonly code: unknown;
}

/**
 * Returns the error that an object reports. A text alone is none, because servers also send their state in such frames.
 */
export function otherError(value: Fields): ShapedError | undefined {
  const [first] = asList(value.errors);
  // Cloudflare reports a list of errors.
  if (first !== undefined) return errorOf(asFields(first), asText(first));
  const beside = errorBeside(value);
  if (beside !== undefined) return beside;
  const { faultstring } = asFields(value.fault);
  if (typeof faultstring === 'string') return { message: faultstring, code: undefined };
  const [[name, inside] = ['', null], ...others] = Object.entries(value);
  // Bedrock wraps the error in a member named after the exception.
  if (others.length === 0 && /exception$/i.test(name))
    return { ...errorOf(asFields(inside), name), code: name };
  const error = errorOf(value, '');
  const isError =
    isErrorCode(error.code) ||
    value.success === false ||
    /error|exception/i.test(asText(value.type));
  if (isError && error.message !== '') return error;
  return typeof value.detail === 'string' && Object.keys(value).length === 1 ? error : undefined;
}

/** Returns the error that an object reports beside a part of an answer, which would hide it. */
export function errorBeside({ base_resp, x_groq }: Fields): ShapedError | undefined {
  const { status_code, status_msg } = asFields(base_resp);
  // MiniMax reports 0 for success.
  if (typeof status_code === 'number' && status_code !== 0)
    return { message: asText(status_msg), code: status_code };
  // Groq says why it stopped a stream early.
  const { error } = asFields(x_groq);
  return typeof error === 'string' && error !== ''
    ? { message: error, code: undefined }
    : undefined;
}

function errorOf(value: Fields, otherwise: string): ShapedError {
  const messages = [value.message, value.error_msg, value.error_message, value.Message, value.msg];
  const codes = [value.code, value.error_code, value.status_code, value.statusCode, value.status];
  return {
    message: [...messages, value.detail].map(asText).find((text) => text !== '') ?? otherwise,
    code: codes.find(isErrorCode),
  };
}

function isErrorCode(code: unknown): boolean {
  if (typeof code === 'number') return code >= 400;
  return (
    typeof code === 'string' && /^[45]\d\d$|error|invalid|exceed|limit|denied|fail/i.test(code)
  );
}
