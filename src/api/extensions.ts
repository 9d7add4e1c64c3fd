/** Answers `GET api/extensions`: the extensions of the open folder and of Cloche, as their page shows them. */

import type { ApiDeps } from './api-deps.ts';
import { answerHeaders } from './result-form.ts';

export async function answerExtensions(deps: Pick<ApiDeps, 'extensions'>): Promise<Response> {
  const listed = await deps.extensions();
  const extensions = listed.map(({ spentMs, slow, ...rest }) => ({
    ...rest,
    spent_ms: Math.round(spentMs),
    slow: slow.map(({ what, ms }) => ({ what, ms: Math.round(ms) })),
  }));
  return new Response(JSON.stringify({ extensions }), {
    headers: answerHeaders('json'),
  });
}
