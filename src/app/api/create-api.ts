/** The virtual API: answers every request under `api/`, in the page that hosts it. */

import { apiRoute } from '../../runtime/protocol/api-route.ts';
import { siteOf } from '../../runtime/protocol/bridge.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { answerCall, answerCancel } from './call-response.ts';
import { ApiCalls } from './calls.ts';
import { answerInvoke } from './invoke.ts';
import { answerListing, answerTool, calledTool } from './listing.ts';
import { answerCallList, answerSessions } from './lists.ts';
import { answerOpenApi } from './openapi/document.ts';
import { OtherSites } from './other-sites.ts';
import { answerHeaders } from './http-form.ts';
import { answerRun, answerRuns, answerRunStart, answerRunStop } from './runs.ts';
import { answerTestRun, answerTests } from './tests.ts';

export interface Api {
  /**
   * Answers a request. Never rejects.
   * @param path the part after `api/`, percent-encoded
   */
  handle(request: ApiRequest, path: string): Promise<Response>;
  /**
   * Call this when another page hosted the API before: each session's next result reports that Python's state was lost.
   */
  stateWasLost(): void;
}

/** Creates the API of one page; it holds that page's calls. */
export function createApi(deps: ApiDeps): Api {
  const calls = new ApiCalls();
  const sites = new OtherSites(deps, calls);
  return {
    async handle(request, path) {
      try {
        return withoutBody(request, await answer(request, path, deps, calls, sites));
      } catch (error) {
        return problemResponse({
          status: 500,
          code: 'failed',
          detail: `Cloche failed to answer ${request.method} api/${path}: ${errorText(error)}`,
          hint: 'This is a bug in Cloche. Reload the Cloche page and try again.',
        });
      }
    },
    stateWasLost() {
      calls.stateWasLost();
    },
  };
}

async function answer(
  request: ApiRequest,
  path: string,
  deps: ApiDeps,
  calls: ApiCalls,
  sites: OtherSites,
): Promise<Response> {
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  const site = siteOf(request);
  const refusal = site === null ? null : await sites.refusal(site, request, route);
  if (refusal !== null) return refusal;
  switch (route.at) {
    case 'tools':
      return answerListing(request, deps);
    case 'tool':
      return answerTool(request, await calledTool(route.name, deps), deps);
    case 'folders':
      return json({ folders: request.folders ?? [] });
    case 'sessions':
      return answerSessions(request, deps);
    case 'calls':
      return answerCallList(request, deps);
    case 'access':
    case 'ask-access':
      // `refusal` has already refused other origins that are not allowed.
      return json({ origin: site, allowed: true });
    case 'invoke':
      return answerInvoke(request, await calledTool(route.name, deps), deps, calls);
    case 'openapi':
      return answerOpenApi(request, deps);
    case 'extensions':
      return answerExtensions(deps);
    case 'tests':
      return answerTests(request, deps);
    case 'run-tests':
      return answerTestRun(request, deps);
    case 'runs':
      return answerRuns(deps);
    case 'start-run':
      return answerRunStart(request, deps);
    case 'run':
      return answerRun(request, route.id, deps);
    case 'stop-run':
      return answerRunStop(route.id, deps);
    case 'call':
      return answerCall(request, route.id, deps, calls);
    case 'cancel':
      return answerCancel(route.id, deps, calls);
  }
}

function json(body: object): Response {
  return new Response(JSON.stringify(body), { headers: answerHeaders('json') });
}

function withoutBody(request: ApiRequest, response: Response): Response {
  return request.method === 'HEAD' && response.body !== null
    ? new Response(null, response)
    : response;
}

/** Answers `GET api/extensions`: the extensions of the open folder and of Cloche, as their page shows them. */
async function answerExtensions(deps: Pick<ApiDeps, 'extensions'>): Promise<Response> {
  const listed = await deps.extensions();
  const extensions = listed.map(({ spentMs, slow, ...rest }) => ({
    ...rest,
    spent_ms: Math.round(spentMs),
    slow: slow.map(({ what, ms }) => ({ what, ms: Math.round(ms) })),
  }));
  return json({ extensions });
}
