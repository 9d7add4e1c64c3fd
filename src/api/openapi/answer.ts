/** Answers `GET api/openapi.json`. */

import { wait } from '../../async/wait.ts';
import { validatedResponse } from '../../protocol/listing.ts';
import type { TestStatus } from '../../spec/saved-test.ts';
import { sha256Of } from '../../spec/sha256.ts';
import type { ApiDeps, ApiRequest } from '../api-deps.ts';
import { listingTag } from '../listing.ts';
import { siteOf } from '../other-sites.ts';
import { pacedBody } from '../paced-body.ts';
import { openApiPieces, type RecordedCall } from './document.ts';

/** The document, with the saved tests of the folder as its examples. */
export async function answerOpenApi(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  // Other sites get the tools, but not the saved tests.
  const isOwn = siteOf(request) === null;
  if (isOwn) await wait(request.signal, deps.tests.refresh());
  const listing = deps.listing();
  const tests = isOwn ? deps.tests.view.tests : [];
  const byTool = new Map<string, TestStatus[]>();
  for (const status of tests) {
    const others = byTool.get(status.test.tool);
    if (others === undefined) byTool.set(status.test.tool, [status]);
    else others.push(status);
  }
  const recorded = (tool: string): RecordedCall[] =>
    (byTool.get(tool) ?? []).map(({ test, result }) => ({
      ...{ name: test.name, arguments: test.arguments, text: result?.text ?? null },
      resultType: result?.resultType ?? 'success',
    }));
  // The tests can change while the tools stay the same.
  const shown = tests.map(
    ({ test, result }) => `${test.name}${test.arguments}${result?.callId ?? ''}`,
  );
  const examples = (await sha256Of(new TextEncoder().encode(shown.join('\n')))).slice(0, 16);
  const tag = `${listingTag(listing).slice(0, -1)}.${examples}"`;
  return validatedResponse(request, tag, () => pacedBody([openApiPieces(listing, recorded)]));
}
