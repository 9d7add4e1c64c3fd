/** Reads what a provider says went wrong: the body of a failed request, or an error in mid-stream. */

import { fields } from '../../spec/guards.ts';
import type { ProviderError } from './fault-of.ts';

/** @param body of a failed answer */
export function parseProviderError(status: number, body: string): ProviderError {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const text = /<html|<!doctype/i.test(body) ? '' : body.trim();
    return { status, codes: '', message: text, inShape: false };
  }
  return reported(status, value, true);
}

/** @param error whatever an SDK made of it */
export function parseStreamError(error: unknown): ProviderError & { readonly inside: boolean } {
  const { statusCode, responseBody, value } = fields(error);
  const status = typeof statusCode === 'number' ? statusCode : null;
  // It found no place for what it was sent, which may be an error in another shape.
  const inside = fields(value).error === undefined ? undefined : value;
  const about = reported(status, inside ?? parsed(responseBody) ?? error, true);
  return { ...about, inside: inside !== undefined };
}

function reported(status: number | null, value: unknown, inShape: boolean): ProviderError {
  // Google has put its errors into lists.
  const outer = fields(Array.isArray(value) ? value[0] : value);
  const error = typeof outer.error === 'object' ? fields(outer.error) : outer;
  const response = fields(fields(outer.response).error);
  const own = Object.keys(response).length > 0 ? response : error;
  const details = Array.isArray(own.details) ? own.details.map((one) => fields(one).reason) : [];
  const metadata = fields(own.metadata);
  const inner = passedOn(metadata.raw);
  const codes = [
    ...[own.type, own.code, own.status, outer.type, ...details, metadata.error_type],
    // Which string is too long says whether the conversation is.
    ...(own.code === 'string_above_max_length' ? [own.param] : []),
    ...(Array.isArray(metadata.reasons) ? ['moderation'] : []),
    inner?.codes,
  ];
  const said = [own.message, outer.error, outer.message, outer.detail]
    .map(wordsIn)
    .find((text) => text !== '');
  const message =
    inner === undefined || (said !== undefined && !saysNothing.test(said)) ? said : inner.message;
  const code = typeof own.code === 'number' && own.code >= 400 && own.code < 600 ? own.code : null;
  return {
    status: status ?? code,
    codes: codes
      .filter((one) => typeof one === 'string')
      .join(' ')
      .toLowerCase(),
    message: message ?? '',
    inShape: inShape && message !== undefined && !saysNoPlace.test(message),
  };
}

/** Places of a request that are told as wrong; there may be one for each tool. */
const mostPlaces = 5;

/** Words as they are, or those of a list of what is wrong where: of servers made with FastAPI, Mistral's among them. */
function wordsIn(said: unknown): string {
  if (typeof said === 'string') return said;
  const list = Array.isArray(said) ? said : fields(said).detail;
  if (typeof list === 'string') return list;
  if (!Array.isArray(list)) return '';
  const wrong = list.slice(0, mostPlaces).map((one) => {
    const { msg, loc } = fields(one);
    const words = typeof one === 'string' ? one : typeof msg === 'string' ? msg : '';
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : '';
    return place === '' || words === '' ? words : `${place}: ${words}`;
  });
  return wrong.filter((words) => words !== '').join('; ');
}

/** Said of any address that is not there, by FastAPI, llama.cpp, Anthropic, OpenAI: of no model. */
const saysNoPlace = /^(?:(?:file|page) )?not found\.?$|^invalid url\b/i;

/** OpenRouter's, of an error that it passes on. */
const saysNothing = /^provider returned error\.?$/i;

/** What a provider behind a provider says: an error in its own shape, or words. Undefined where it says nothing. */
function passedOn(raw: unknown): Pick<ProviderError, 'codes' | 'message'> | undefined {
  if (raw === undefined) return undefined;
  const { codes, message } = reported(null, parsed(raw) ?? raw, true);
  if (message !== '') return { codes, message };
  return typeof raw === 'string' && raw.trim() !== ''
    ? { codes: '', message: raw.trim() }
    : undefined;
}

/** How long the provider asks to wait; milliseconds. */
export function retryAfterMs(headers: Headers, body: string, now: number): number | null {
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  if (exact >= 0) return exact;
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = Number(after);
    const until = Date.parse(after);
    if (seconds >= 0) return seconds * 1000;
    if (!Number.isNaN(until)) return Math.max(0, until - now);
  }
  // Most do not let pages read those headers; Google and OpenAI say it in the body too.
  return waitIn(body);
}

/** How long a text says to wait, such as `6m0s`; null where it does not. Milliseconds. */
export function waitIn(text: string): number | null {
  const said =
    /(?:"retryDelay": ?"|\b(?:try again|retry) (?:in|after) )((?:\d+(?:\.\d+)?\s{0,2}(?:ms|h|m|s)[a-z]{0,10}[\s,]{0,2})+)/i.exec(
      text,
    )?.[1];
  if (said === undefined) return null;
  const spans = said.matchAll(/([\d.]+)\s*(ms|h|m|s)/gi);
  const sum = [...spans].reduce(
    (ms, [, number, unit = '']) => ms + Number(number) * (unitMs[unit.toLowerCase()] ?? 0),
    0,
  );
  return Math.ceil(sum);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}
