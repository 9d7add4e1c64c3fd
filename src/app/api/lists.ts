/** Answers `GET api/calls` and `GET api/sessions`: lists, newest first, in pages. */

import type { SessionEntry, CallEntry } from '../../runtime/protocol/api-types.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import { callers, type LoggedCall, type ToolCall } from '../../runtime/spec/call.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { siteOf } from '../../runtime/protocol/bridge.ts';
import { answerHeaders } from './http-form.ts';

/**
 * Answers `GET api/sessions`: the stored sessions, without their messages, the last changed one first. Sessions of
 * sub-agents are listed only if `run` names their run.
 */
export async function answerSessions(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  const { query = new URLSearchParams() } = request;
  const run = query.get('run') ?? undefined;
  const { folderId } = deps.listing();
  const page = pageOf(
    (await deps.sessionHeads()).filter(
      (head) => head.run === run && (!query.has('folder') || head.folderId === folderId),
    ),
    query,
  );
  if (page instanceof Response) return page;
  const sessions = page.entries.map((head): SessionEntry => ({
    id: head.id,
    title: head.title,
    folder: head.folder,
    folderId: head.folderId,
    createdAt: head.createdAt,
    changedAt: head.changedAt,
    messages: head.messages,
    model: head.model?.model ?? null,
    forkOf: head.forkOf,
    run: head.run ?? null,
    open: deps.isOpen(head.id),
  }));
  return new Response(JSON.stringify({ sessions, next: page.next }), {
    headers: answerHeaders('json'),
  });
}

const states = ['running', 'ended', 'success', 'failure'] as const;

/**
 * Answers `GET api/calls`: the running calls, and those in the call log, newest first. Filters: `tool`, `caller`,
 * `session`, `state` (`running`, `ended`, `success`, `failure`), `since` (a date, or milliseconds since the epoch)
 * and `folder`. A page of another origin gets only the calls that it has made.
 */
export async function answerCallList(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  const { query = new URLSearchParams() } = request;
  const state = query.get('state');
  const unknown = noneOf('state', query, states) ?? noneOf('caller', query, callers);
  if (unknown !== null) return unknown;
  const since = timeOf(query.get('since'));
  if (Number.isNaN(since))
    return badQuery('"since" is neither a date nor a number of milliseconds.');
  const { folder, folderId } = deps.listing();
  const running = [...deps.path.running].reverse();
  const known = new Set(running.map(({ id }) => id));
  const logged = (await deps.log()).recent(Infinity).filter(({ id }) => !known.has(id));
  const here = { folder: folder ?? '', folderId };
  const all = [...running.map((call) => runningEntry(call, here)), ...logged.map(endedEntry)];
  const site = siteOf(request);
  const isWanted = (value: string, name: string): boolean =>
    !query.has(name) || query.get(name) === value;
  const page = pageOf(
    all.filter(
      (entry) =>
        (site === null || entry.site === site) &&
        isWanted(entry.tool, 'tool') &&
        isWanted(entry.caller, 'caller') &&
        isWanted(entry.session, 'session') &&
        (!query.has('folder') || entry.folderId === folderId) &&
        (state === null || state === entry.state || state === entry.resultType) &&
        (entry.endedAt ?? Infinity) >= since,
    ),
    query,
  );
  if (page instanceof Response) return page;
  const body = { calls: page.entries, next: page.next };
  return new Response(JSON.stringify(body), { headers: answerHeaders('json') });
}

/** The problem of a parameter whose value is not one of these; null if the value is allowed or missing. */
function noneOf(name: string, query: URLSearchParams, values: readonly string[]): Response | null {
  const wrong = query.getAll(name).find((value) => !values.includes(value));
  if (wrong === undefined) return null;
  return badQuery(`"${name}" must be ${values.join(', ')}, not ${wrong.slice(0, 100)}.`);
}

/** Milliseconds since the epoch; NaN if the text is no time. */
function timeOf(text: string | null): number {
  if (text === null) return -Infinity;
  return /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
}

function runningEntry(call: ToolCall, folder: Pick<CallEntry, 'folder' | 'folderId'>): CallEntry {
  return {
    ...headOf(call),
    state: 'running',
    ...folder,
    endedAt: null,
    resultType: null,
    error: null,
    durationMs: null,
    name: '',
    pinned: false,
  };
}

function endedEntry({ call, at, folder, folderId, result, mark }: LoggedCall): CallEntry {
  return {
    ...headOf(call),
    state: 'ended',
    folder,
    folderId,
    endedAt: at,
    resultType: result.resultType,
    error: result.error?.slice(0, 1_000) ?? null,
    durationMs: result.durationMs,
    name: mark?.name ?? '',
    pinned: mark?.pinned ?? false,
  };
}

function headOf(
  call: ToolCall,
): Pick<CallEntry, 'id' | 'tool' | 'caller' | 'parent' | 'session' | 'site'> {
  const { id, tool, caller, parent = null, sessionId: session, site = null } = call;
  return { id, tool, caller, parent, session, site };
}

const usual = 100;
const maxLimit = 1_000;

interface ListPage<T> {
  readonly entries: readonly T[];
  /** The id after which the next page begins; null if this is the last one. */
  readonly next: string | null;
}

/**
 * Returns the page that `limit` and `after` select, or a problem response if one of them is invalid.
 *
 * @param query with `limit`, a number of entries, and `after`, the `next` of the page before
 */
function pageOf<T extends { readonly id: string }>(
  list: readonly T[],
  query: URLSearchParams,
): ListPage<T> | Response {
  const text = query.get('limit') ?? String(usual);
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > maxLimit)
    return badQuery(`"limit" is not a number from 1 to ${maxLimit}: ${text.slice(0, 100)}.`);
  const after = query.get('after');
  const before = after === null ? -1 : list.findIndex(({ id }) => id === after);
  if (after !== null && before < 0)
    return badQuery(`"after" names no entry of this list: ${after.slice(0, 100)}.`);
  const entries = list.slice(before + 1, before + 1 + limit);
  const isLast = before + 1 + limit >= list.length;
  return { entries, next: isLast ? null : (entries.at(-1)?.id ?? null) };
}

function badQuery(detail: string): Response {
  return problemResponse({
    status: 400,
    code: 'bad-query',
    detail,
    hint: 'GET api/openapi.json describes the parameters of each address.',
  });
}
