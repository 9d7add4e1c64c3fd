/** Limits of network requests and tool calls. They become exceptions in the tool, since the broker would end the interpreter. */

import { maxRequestBytes, type Ask } from '../../src/runtime/protocol/ask.ts';

/** The limits in src/runtime/spec/schemas/sandbox.ts; the page's own limits are lower. */
const maxUrlChars = 16_000;
const maxArgumentChars = 8_000_000;
const maxHeaders = 2_000;
const maxNameChars = 1_000;
const maxValueChars = 100_000;
const maxBodyChars = Math.ceil(maxRequestBytes / 3) * 4;

/** @returns the message of the exception; null if the ask is within the limits */
export function askFault(ask: Ask): string | null {
  if (ask.ask === 'call') {
    if (ask.tool.length > maxNameChars)
      return `The name of the tool has ${ask.tool.length} characters, more than the limit of ${maxNameChars}.`;
    if (ask.arguments.length > maxArgumentChars)
      return `The arguments have ${ask.arguments.length} characters, more than the limit of ${maxArgumentChars}.`;
    return null;
  }
  if (ask.ask !== 'fetch') return null;
  const { url, method, headers, body } = ask;
  if (!/^[A-Za-z]{1,20}$/.test(method))
    return `Browsers do not support the method ${method.slice(0, 20)}.`;
  if (url.length > maxUrlChars)
    return `The address has ${url.length} characters, more than the limit.`;
  if (headers.length > maxHeaders)
    return `The request has ${headers.length} headers, more than the limit.`;
  const long = headers.find(
    ([name, value]) => name.length > maxNameChars || value.length > maxValueChars,
  );
  if (long) return `The header ${long[0].slice(0, 100)} is longer than the limit.`;
  if (body !== null && body.length > maxBodyChars)
    return `The body of the request is larger than the limit of ${maxRequestBytes / 2 ** 20} MB.`;
  return null;
}
