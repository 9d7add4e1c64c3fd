/** Answers `GET api/calls`: the calls that run, and those of the call log, newest first. */

import type { CallEntry } from '../client/types.ts';
import type { LoggedCall, ToolCall } from '../spec/call.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { siteOf } from './other-sites.ts';
import { badQuery, pageOf } from './page-of-list.ts';
import { answerHeaders } from './result-form.ts';

const states = ['running', 'ended', 'success', 'failure'] as const;

/**
 * Filters: `tool`, `caller`, `session`, `state` (`running`, `ended`, `success`, `failure`), `since` (a date, or
 * milliseconds since the epoch) and `folder`. A page of another origin gets only the calls that it has made.
 */
export async function answerCallList(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  const { query = new URLSearchParams() } = request;
  const state = query.get('state');
  if (state !== null && !states.some((one) => one === state))
    return badQuery(`"state" is none of ${states.join(', ')}: ${state.slice(0, 100)}.`);
  const since = timeOf(query.get('since'));
  if (Number.isNaN(since))
    return badQuery('"since" is neither a date nor a number of milliseconds.');
  const { folder, folderId } = deps.listing();
  const running = [...deps.runningCalls()].reverse();
  const known = new Set(running.map(({ id }) => id));
  const logged = (await deps.loggedCalls()).filter(({ id }) => !known.has(id));
  const here = { folder: folder ?? '', folderId };
  const all = [...running.map((call) => runningEntry(call, here)), ...logged.map(endedEntry)];
  const site = siteOf(request);
  const wanted = (value: string, name: string): boolean =>
    !query.has(name) || query.get(name) === value;
  const page = pageOf(
    all.filter(
      (entry) =>
        (site === null || entry.site === site) &&
        wanted(entry.tool, 'tool') &&
        wanted(entry.caller, 'caller') &&
        wanted(entry.session, 'session') &&
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

/** Milliseconds since the epoch; NaN if the text is no time. */
function timeOf(text: string | null): number {
  if (text === null) return -Infinity;
  return /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
}

function runningEntry(call: ToolCall, folder: Pick<CallEntry, 'folder' | 'folderId'>): CallEntry {
  return {
    ...headOf(call),
    ...{ state: 'running', ...folder, endedAt: null, resultType: null, error: null },
    ...{ durationMs: null, name: '', pinned: false },
  };
}

function endedEntry({ call, at, folder, folderId, result, mark }: LoggedCall): CallEntry {
  return {
    ...headOf(call),
    ...{ state: 'ended', folder, folderId, endedAt: at, resultType: result.resultType },
    ...{ error: result.error?.slice(0, 1_000) ?? null, durationMs: result.durationMs },
    ...{ name: mark?.name ?? '', pinned: mark?.pinned ?? false },
  };
}

function headOf(call: ToolCall): Pick<CallEntry, 'id' | 'tool' | 'caller' | 'session' | 'site'> {
  const { id, tool, caller, sessionId: session, site } = call;
  return { id, tool, caller, session, site: site ?? null };
}
