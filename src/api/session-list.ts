/** Answers `GET api/sessions`: the stored sessions, without what was said in them. */

import type { SessionEntry } from '../client/types.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { pageOf } from './page-of-list.ts';
import { answerHeaders } from './result-form.ts';

/** Those of sub-agents are listed only if `run` names their run. Changed last first. */
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
