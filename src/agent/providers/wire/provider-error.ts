/** Parses provider errors: the body of a failed response, or an error in a stream. */

import { asFields, parseJson, type Fields } from '../../../runtime/spec/guards.ts';
import type { ModelFault } from '../../../runtime/spec/model-error.ts';
import { otherError } from './error-shapes.ts';
import type { ProviderError } from './classify-fault.ts';

/** Parses the body of a failed response. */
export function parseProviderError(status: number, body: string): ProviderError {
  const value = parseJson(body);
  if (value !== undefined) return readError(status, value);
  const text = /<html|<!doctype/i.test(body) ? '' : body.trim();
  return { status, codes: '', message: text, inShape: false };
}

/**
 * Parses an error from a stream.
 *
 * @param error the error as the SDK passes it on
 */
export function parseStreamError(error: unknown): ProviderError & { readonly inside: boolean } {
  // The SDKs invent a status for errors in a stream, so it is not read.
  const { responseBody, value: chunk } = asFields(error);
  // The SDK could not parse a chunk, which may contain an error of another shape.
  const inside = asFields(chunk).error !== undefined;
  const reportedError = inside ? chunk : (parseJson(responseBody) ?? error);
  return { ...readError(null, reportedError), inside };
}

/** @param status null if the error is from a stream */
function readError(status: number | null, value: unknown): ProviderError {
  // Google has sent errors in a list.
  const outer = asFields(Array.isArray(value) ? value[0] : value);
  const direct = directError(outer);
  const other = otherError(direct);
  const ofResponse = asFields(asFields(outer.response).error);
  const error = Object.keys(ofResponse).length > 0 ? ofResponse : direct;
  const details = Array.isArray(error.details)
    ? error.details.map((detail) => asFields(detail).reason)
    : [];
  const metadata = asFields(error.metadata);
  const upstream = upstreamError(metadata.raw);
  const codes = [
    error.type,
    error.code,
    error.status,
    other?.code,
    outer.type,
    ...details,
    metadata.error_type,
    // The parameter shows whether the conversation is too long, or a tool's description.
    ...(error.code === 'string_above_max_length' ? [error.param] : []),
    ...(Array.isArray(metadata.reasons) ? ['moderation'] : []),
    upstream?.codes,
  ];
  const ownMessage = [
    error.message,
    outer.error,
    outer.message,
    outer.detail,
    other?.message,
    outer.msg,
    value,
  ]
    .map(messageIn)
    .find((text) => text !== '');
  const saysMore = ownMessage !== undefined && !genericMessage.test(ownMessage);
  const message = saysMore ? ownMessage : (upstream?.message ?? ownMessage);
  const httpStatus = [error.code, error.status, other?.code]
    .map(Number)
    .find((code) => code >= 400 && code < 600);
  return {
    status: status ?? httpStatus ?? null,
    codes: codes
      .filter((code) => typeof code === 'string')
      .join(' ')
      .toLowerCase(),
    message: message ?? '',
    inShape: message !== undefined && !unknownPathMessage.test(message),
  };
}

/** The object with the facts about an error: in `error.error` or `error`, or else the value itself. */
function directError(outer: Fields): Fields {
  const nested = asFields(asFields(outer.error).error);
  if (Object.keys(nested).length > 0) return nested;
  return typeof outer.error === 'object' ? asFields(outer.error) : outer;
}

/** Limit for the list of invalid fields; there may be one for each tool. */
const maxFields = 5;

/** Returns a message, or joins a list of invalid fields, as servers built with FastAPI (such as Mistral's) send it. */
function messageIn(value: unknown): string {
  if (typeof value === 'string') return value;
  const list = Array.isArray(value) ? value : asFields(value).detail;
  if (typeof list === 'string') return list;
  if (!Array.isArray(list)) return '';
  const wrong = list.slice(0, maxFields).map((one) => {
    const { msg, loc } = asFields(one);
    const words = [one, msg].find((text) => typeof text === 'string') ?? '';
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : '';
    return place === '' || words === '' ? words : `${place}: ${words}`;
  });
  return wrong.filter((words) => words !== '').join('; ');
}

/** Messages of FastAPI, llama.cpp, Anthropic and OpenAI for an unknown path, as opposed to an unknown model. */
const unknownPathMessage = /^(?:(?:file|page) )?not found\.?$|^invalid url\b/i;

/** OpenRouter's message for an error that it passes on. */
const genericMessage = /^provider returned error\.?$/i;

/** Parses the error of a provider behind a gateway. Returns undefined if it has no message. */
function upstreamError(raw: unknown): Pick<ProviderError, 'codes' | 'message'> | undefined {
  if (raw === undefined) return undefined;
  const { codes, message } = readError(null, parseJson(raw) ?? raw);
  if (message !== '') return { codes, message };
  return typeof raw === 'string' && raw.trim() !== ''
    ? { codes: '', message: raw.trim() }
    : undefined;
}

/**
 * Returns how long the provider asks to wait, in milliseconds; null if it does not say so, or names a time in the past.
 *
 * @param fault what the error is: a limit ends at its reset, but other errors may be over long before
 */
export function retryAfterMs(
  fault: ModelFault,
  headers: Headers,
  body: string,
  now: number,
): number | null {
  const waits = [
    amountIn(headers.get('retry-after-ms')),
    waitIn(headers.get('retry-after') ?? '', now),
    // Most providers do not let pages read those headers. Google and OpenAI repeat the delay in the body.
    parseRetryDelay(body),
    fault === 'rate-limit' ? untilReset(headers, body, now) : null,
  ];
  // If the clock here is ahead, a time has passed already. Without a wait, all attempts would follow at once.
  return waits.find((ms) => ms !== null && ms > 0) ?? null;
}

/** @param after the value of Retry-After: seconds, a point in time, or a delay with its unit */
function waitIn(after: string, now: number): number | null {
  const seconds = amountIn(after);
  if (seconds !== null) return seconds * 1000;
  const end = timeIn(after) ?? (/[a-z]{3}|T/i.test(after) ? Date.parse(after) : NaN);
  return Number.isNaN(end) ? parseRetryDelay(`retry in ${after}`) : end - now;
}

/** Returns the time until a limit ends, which OpenRouter repeats in the body; null if another limit was reached. */
function untilReset(headers: Headers, body: string, now: number): number | null {
  const left = headers.get('x-ratelimit-remaining') ?? limitLeft.exec(body)?.[1] ?? '0';
  const end = timeIn(headers.get('x-ratelimit-reset') ?? limitEnd.exec(body)?.[1] ?? '');
  return end === null || Number(left) > 0 ? null : end - now;
}

/** Match what is left of a limit, and the time at which it ends, in headers that the body repeats. */
const limitLeft = /"x-ratelimit-remaining" ?: ?"?(\d{1,10})\b/i;
const limitEnd = /"x-ratelimit-reset" ?: ?"?(\d{10,13})\b/i;

/** Returns a point in time that is written in seconds or milliseconds; null for any other text. */
function timeIn(text: string): number | null {
  if (!/^\s*\d{10,13}(?:\.\d+)?\s*$/.test(text)) return null;
  const amount = Number(text);
  return amount < 1e11 ? amount * 1000 : amount;
}

/** Returns a number from a header; null if it is none, or too large to be a delay. */
function amountIn(text: string | null): number | null {
  const amount = text === null || !/^\s*\d+(?:\.\d+)?\s*$/.test(text) ? NaN : Number(text);
  return amount <= maxAmount ? amount : null;
}

/** Larger numbers are points in time. */
const maxAmount = 1e9;

/** An amount with its unit, such as `6m`. */
const span = String.raw`\d+(?:\.\d+)?\s{0,2}(?:milliseconds?|ms|days?|d|h|m|s)[a-z]{0,10}[\s,]{0,2}`;
/** Words before a delay. */
const lead = String.raw`"retryDelay": ?"|\b(?:try again|retry(?:ing)?|available again|resets?) (?:in|after) (?:about |approximately |~ ?)?|\bwait (?:for |about )?`;
const delayText = new RegExp(`(?:${lead})((?:${span})+)`, 'i');
/** A member with seconds or milliseconds. */
const delayMember = /"retry_?after_?(ms|seconds)?" ?: ?"?(\d{1,9}(?:\.\d{1,9})?)\b(?!\s?[a-z:-])/i;

/** Returns the delay named in a text, such as `6m0s`, in milliseconds; null if there is none. */
export function parseRetryDelay(text: string): number | null {
  const delay = delayText.exec(text)?.[1];
  if (delay === undefined) {
    const [, unit = 's', amount] = delayMember.exec(text) ?? [];
    return amount === undefined ? null : Math.ceil(Number(amount) * (unit === 'ms' ? 1 : 1000));
  }
  const spans = delay.matchAll(/([\d.]+)\s*(milli|ms|d|h|m|s)/gi);
  const sum = [...spans].reduce(
    (ms, [, number, unit = '']) => ms + Number(number) * (unitMs[unit.toLowerCase()] ?? 0),
    0,
  );
  return Math.ceil(sum);
}

const unitMs: Readonly<Record<string, number>> = {
  milli: 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
