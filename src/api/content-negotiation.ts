/** What a caller sends and is ready to take: JSON, or a problem that says so. */

import { problemResponse } from '../protocol/problem-document.ts';
import type { ApiRequest } from './api-request.ts';

/**
 * `undefined` where the body is declared as JSON. A page of another origin can post forms at the service worker, but
 * none of a form's media types is JSON: this check is one of the two doors against it.
 */
export function refuseUnlessJsonBody(request: ApiRequest): Response | undefined {
  const declared = request.headers.get('Content-Type') ?? '';
  if (/^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(declared))
    return undefined;
  return problemResponse({
    status: 415,
    code: 'not-json',
    detail:
      declared === '' ? 'The request has no Content-Type.' : `The Content-Type is ${declared}.`,
    hint: 'Send the body as Content-Type: application/json.',
  });
}

/** How a result is written. */
export type ResultForm = 'json' | 'events';

export const mediaTypes: Readonly<Record<ResultForm, string>> = {
  json: 'application/json',
  events: 'text/event-stream',
};

/** What the caller prefers; JSON where it does not say. Of two that it likes alike, the one that it names first. */
export function acceptedForm(request: ApiRequest): ResultForm | Response {
  const accept = request.headers.get('Accept');
  if (accept === null || accept.trim() === '') return 'json';
  const ranges = accept.split(',').map(readRange);
  const json = liking(ranges, mediaTypes.json);
  const events = liking(ranges, mediaTypes.events);
  if (json.quality === 0 && events.quality === 0) return notAcceptable(accept);
  if (events.quality !== json.quality) return events.quality > json.quality ? 'events' : 'json';
  if (events.exact !== json.exact) return events.exact ? 'events' : 'json';
  return events.exact && events.place < json.place ? 'events' : 'json';
}

interface Range {
  readonly type: string;
  /** From 0, which is a refusal, to 1. */
  readonly quality: number;
}

function readRange(range: string): Range {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters
    .map((part) => /^q\s*=\s*([01](?:\.\d*)?)$/.exec(part)?.[1])
    .find(Boolean);
  return { type, quality: weight === undefined ? 1 : Math.min(1, Number(weight)) };
}

/** The range that says most about a media type has the word. */
function liking(
  ranges: readonly Range[],
  mediaType: string,
): { quality: number; exact: boolean; place: number } {
  const family = mediaType.replace(/\/.*/, '/*');
  for (const wanted of [mediaType, family, '*/*']) {
    const place = ranges.findIndex(({ type }) => type === wanted);
    const range = ranges[place];
    if (range) return { quality: range.quality, exact: wanted === mediaType, place };
  }
  return { quality: 0, exact: false, place: -1 };
}

function notAcceptable(accept: string): Response {
  return problemResponse({
    status: 406,
    code: 'not-acceptable',
    detail: `The result is available as application/json or text/event-stream, but the request accepts only ${accept}.`,
    hint: 'Add one of them to the Accept header, or omit the header.',
  });
}
