/** Picks the form of a result that the caller accepts: JSON or an event stream. */

import { problemResponse } from '../protocol/problem-document.ts';
import type { ApiRequest } from './api-deps.ts';

/** The form of a result in a response. */
export type ResultForm = 'json' | 'events';

const mediaTypes: Readonly<Record<ResultForm, string>> = {
  json: 'application/json',
  events: 'text/event-stream',
};

/** The headers of an answer. Browsers must not sniff its type, since it may quote foreign text, nor keep it. */
export function answerHeaders(form: ResultForm): Record<string, string> {
  return {
    'Content-Type': mediaTypes[form],
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
}

/**
 * Returns the form that the caller prefers: JSON without an `Accept` header; of two equal preferences, the one named
 * first.
 */
export function acceptedForm(request: ApiRequest): ResultForm | Response {
  const accept = request.headers.get('Accept');
  if (accept === null || accept.trim() === '') return 'json';
  const ranges = accept.split(',').map(readRange);
  const json = preference(ranges, mediaTypes.json);
  const events = preference(ranges, mediaTypes.events);
  if (json.quality === 0 && events.quality === 0) return notAcceptable(accept);
  if (events.quality !== json.quality) return events.quality > json.quality ? 'events' : 'json';
  if (events.exact !== json.exact) return events.exact ? 'events' : 'json';
  return events.exact && events.place < json.place ? 'events' : 'json';
}

interface Range {
  readonly type: string;
  /** From 0 (refused) to 1. */
  readonly quality: number;
}

function readRange(range: string): Range {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters
    .map((part) => /^q\s*=\s*([01](?:\.\d*)?)$/.exec(part)?.[1])
    .find(Boolean);
  return { type, quality: weight === undefined ? 1 : Math.min(1, Number(weight)) };
}

/** Applies the most specific range that matches the media type. */
function preference(
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
