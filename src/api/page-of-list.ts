/** Cuts a list, newest first, into the pages of `GET api/calls` and `GET api/sessions`. */

import { problemResponse } from '../protocol/problem-document.ts';

const usual = 100;
const most = 1_000;

export interface ListPage<T> {
  readonly entries: readonly T[];
  /** The id after which the next page begins; null if this is the last one. */
  readonly next: string | null;
}

/**
 * The page that `limit` and `after` choose; or why there is none.
 *
 * @param query with `limit`, a number of entries, and `after`, the `next` of the page before
 */
export function pageOf<T extends { readonly id: string }>(
  list: readonly T[],
  query: URLSearchParams,
): ListPage<T> | Response {
  const text = query.get('limit') ?? String(usual);
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > most)
    return badQuery(`"limit" is not a number from 1 to ${most}: ${text.slice(0, 100)}.`);
  const after = query.get('after');
  const before = after === null ? -1 : list.findIndex(({ id }) => id === after);
  if (after !== null && before < 0)
    return badQuery(`"after" names no entry of this list: ${after.slice(0, 100)}.`);
  const entries = list.slice(before + 1, before + 1 + limit);
  const isLast = before + 1 + limit >= list.length;
  return { entries, next: isLast ? null : (entries.at(-1)?.id ?? null) };
}

export function badQuery(detail: string): Response {
  return problemResponse({
    status: 400,
    code: 'bad-query',
    detail,
    hint: 'GET api/openapi.json describes the parameters of each address.',
  });
}
