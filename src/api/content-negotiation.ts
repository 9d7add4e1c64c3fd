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

/** `undefined` where the caller takes JSON, or does not say. */
export function refuseUnlessJsonAccepted(request: ApiRequest): Response | undefined {
  const accept = request.headers.get('Accept');
  if (accept === null || accept.trim() === '' || accept.split(',').some(takesJson))
    return undefined;
  return problemResponse({
    status: 406,
    code: 'not-acceptable',
    detail: `The result comes as application/json; the request accepts ${accept} alone.`,
    hint: 'Add application/json to the Accept header, or leave the header out.',
  });
}

function takesJson(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const refused = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  return !refused && ['application/json', 'application/*', '*/*'].includes(type);
}
