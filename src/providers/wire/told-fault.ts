/** Reads what a provider says went wrong: the body of a failed request, or an error in mid-stream. */

import type { ToldFault } from './fault-of.ts';

type Fields = Readonly<Record<string, unknown>>;

const longestMessage = 600;

/** @param body of a failed answer */
export function toldByBody(status: number, body: string): ToldFault {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const text = /<html|<!doctype/i.test(body) ? '' : body.trim();
    return { status, codes: '', message: text.slice(0, longestMessage), inShape: false };
  }
  return told(status, value, true);
}

/** @param error whatever an SDK made of it */
export function toldInStream(error: unknown): ToldFault & { readonly inside: boolean } {
  const { statusCode, responseBody, value } = fields(error);
  const status = typeof statusCode === 'number' ? statusCode : null;
  // It found no place for what it was sent, which may be an error in another shape.
  const inside = fields(value).error === undefined ? undefined : value;
  const about = told(status, inside ?? parsed(responseBody) ?? error, true);
  return { ...about, inside: inside !== undefined };
}

function told(status: number | null, value: unknown, inShape: boolean): ToldFault {
  // Google has put its errors into lists.
  const outer = fields(Array.isArray(value) ? value[0] : value);
  const error = typeof outer.error === 'object' ? fields(outer.error) : outer;
  const response = fields(fields(outer.response).error);
  const own = Object.keys(response).length > 0 ? response : error;
  const details = Array.isArray(own.details) ? own.details.map((one) => fields(one).reason) : [];
  const metadata = fields(own.metadata);
  const codes = [own.type, own.code, own.status, outer.type, ...details, metadata.error_type];
  const message = [own.message, outer.error, outer.message, outer.detail, metadata.raw].find(
    (text): text is string => typeof text === 'string' && text !== '',
  );
  const code = typeof own.code === 'number' && own.code >= 400 && own.code < 600 ? own.code : null;
  return {
    status: status ?? code,
    codes: codes
      .filter((one) => typeof one === 'string')
      .join(' ')
      .toLowerCase(),
    message: (message ?? '').slice(0, longestMessage),
    inShape: inShape && message !== undefined,
  };
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
  const [, number = '', unit] =
    /"retryDelay": ?"([\d.]+)(s)"/.exec(body) ?? /try again in ([\d.]+)(ms|s)\b/.exec(body) ?? [];
  const value = Number.parseFloat(number);
  if (Number.isNaN(value)) return null;
  return Math.ceil(unit === 'ms' ? value : value * 1000);
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? (JSON.parse(text) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
