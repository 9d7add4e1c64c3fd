/** Classifies provider errors by what the user or the turn can do about them. */

import type { ModelFault } from '../../../runtime/spec/model-error.ts';
import { saysTooLong } from './too-long.ts';

/** Characters of an error message that are examined. */
const maxMessageChars = 2_000;

/** An error of a provider, as far as it could be read. */
export interface ProviderError {
  /** The HTTP status, or its equivalent in a stream; null if there is none. */
  readonly status: number | null;
  /** Types and codes, in lower case, joined by spaces. */
  readonly codes: string;
  readonly message: string;
  /** Whether the message has the provider's own error shape. Messages of proxies and wrong addresses count less. */
  readonly inShape: boolean;
}

/** OpenAI and Groq: the request exceeds the limit per minute by itself, so waiting does not help. */
const overLimit = [/request too large for .{0,300}tokens per min/i];
const unpaid = [
  /insufficient_quota|billing_hard_limit|billing_not_active|insufficient_credits/,
  /credit balance is too low|insufficient (balance|credits|funds)|out of credits/i,
  /requires more credits|exceeded your current quota, please check your plan and billing/i,
  /insufficient_user_quota|\bquota is not enough|\bkey limit exceeded|余额不足|额度不足/i,
];
/** Anthropic, for organisations that forbid browser requests. The error type wrongly says that the key is invalid. */
const noPages = [/\bcors requests? (is|are) not allowed/i];
const wrongKey = [
  /invalid_api_key|authentication_error|unauthenticated|api_key_invalid/,
  /api key (not valid|not found|expired)|(incorrect|invalid) api key|no auth credentials/i,
];
const noModel = [
  /model_not_found|model_not_available/,
  /models?\b.{0,200}?(does not exist|not found|is not found|not a valid model|is not supported for generatecontent)/i,
  /(invalid|unknown|no such) model|not a valid model|no endpoints found for/i,
  /no models? (is )?loaded/i,
];
/** llama.cpp has reported this with status 500 too; vLLM has two messages for it. */
const noImages = [
  /image input is not supported|does not support (image|vision)|not a multimodal model/i,
  /at most 0 image/i,
];
const forbidden = [
  /content_filter|content_policy|responsibleaipolicy|moderation/,
  /content filter|content management policy|flagged by|violat(es|ing|ion of) .{0,40}polic/i,
];

export function faultOf(reported: ProviderError): ModelFault {
  const { status, codes } = reported;
  const message = reported.message.slice(0, maxMessageChars);
  const says = (patterns: readonly RegExp[]): boolean =>
    patterns.some((pattern) => pattern.test(codes) || pattern.test(message));
  const client = status === null || (status >= 400 && status < 500);
  // Google mentions "plan and billing" for every limit, including those per minute.
  if (status === 402 || (says(unpaid) && !codes.includes('resource_exhausted'))) return 'credit';
  if (says(overLimit)) return 'context';
  if (status === 429 || /rate_limit|resource_exhausted|too_many_requests|throttl/.test(codes))
    return 'rate-limit';
  // Some servers report this with status 500.
  if (status === 413 || saysTooLong(message, codes)) return 'context';
  if (client && says(noPages)) return 'cors';
  if (client && says(wrongKey)) return 'key';
  if (says(noImages)) return 'request';
  if (says(forbidden)) return 'refused';
  if (client && says(noModel)) return 'model';
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return reported.inShape ? 'model' : 'request';
  if (/overloaded|unavailable|timeout|capacity/.test(codes)) return 'overloaded';
  // Ollama calls each of its errors an api_error, also those that no repetition mends.
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 408;
  if (!isRefused && /server_error|api_error|internal/.test(codes)) return 'overloaded';
  if (status === 408 || (status !== null && status >= 500)) return 'overloaded';
  if (/invalid|bad_request/.test(codes) || (status !== null && client)) return 'request';
  return 'provider';
}
