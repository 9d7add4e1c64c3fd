/** The virtual API: answers every request under `api/`, in the page that hosts it. */

import { apiRoute } from '../protocol/api-route.ts';
import { problemResponse } from '../protocol/problem-document.ts';
import { errorText } from '../spec/error.ts';
import { answerCall } from './answer-call.ts';
import { answerCancel } from './answer-call.ts';
import type { ApiRequest } from './api-deps.ts';
import { ApiCalls } from './calls.ts';
import type { ApiDeps } from './api-deps.ts';
import { answerInvoke } from './invoke.ts';
import { answerExtensions } from './extensions.ts';
import { answerListing, answerOpenApi, answerTool } from './listing.ts';
import { answerRun, answerRuns, answerRunStart, answerRunStop } from './runs.ts';
import { answerTestRun, answerTests } from './tests.ts';

export interface Api {
  /**
   * Never rejects.
   *
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
  return {
    async handle(request, path) {
      try {
        return withoutBody(request, await answer(request, path, deps, calls));
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

function answer(
  request: ApiRequest,
  path: string,
  deps: ApiDeps,
  calls: ApiCalls,
): Promise<Response> | Response {
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  switch (route.at) {
    case 'tools':
      return answerListing(request, deps);
    case 'tool':
      return answerTool(request, route.name, deps);
    case 'invoke':
      return answerInvoke(request, route.name, deps, calls);
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

function withoutBody(request: ApiRequest, response: Response): Response {
  return request.method === 'HEAD' && response.body !== null
    ? new Response(null, response)
    : response;
}
