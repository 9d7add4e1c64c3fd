/** The virtual API: every request under `api/` and its response, in the page that hosts it. */

import { problemResponse } from '../protocol/problem-document.ts';
import { errorText } from '../spec/error.ts';
import { answerCall } from './answer-call.ts';
import type { ApiRequest } from './api-request.ts';
import { ApiCalls } from './calls.ts';
import type { ApiEffects } from './effects.ts';
import { answerInvoke } from './invoke.ts';
import { answerListing, answerTool } from './listing.ts';

export interface Api {
  /** `path` is what follows `api/`, still percent-encoded. Never rejects. */
  handle(request: ApiRequest, path: string): Promise<Response>;
  /** Another page hosted the API before: each session's next result says that Python's state was lost. */
  stateWasLost(): void;
}

/** One for each app page: it remembers the calls that came in. */
export function createApi(effects: ApiEffects): Api {
  const calls = new ApiCalls();
  return {
    async handle(request, path) {
      try {
        return withoutBody(request, await route(request, path, effects, calls));
      } catch (error) {
        return problemResponse({
          status: 500,
          code: 'failed',
          detail: `Cloche failed at ${request.method} api/${path}: ${errorText(error)}`,
          hint: 'This is a mistake of Cloche; reload its page and ask again.',
        });
      }
    },
    stateWasLost() {
      calls.stateWasLost();
    },
  };
}

async function route(
  request: ApiRequest,
  path: string,
  effects: ApiEffects,
  calls: ApiCalls,
): Promise<Response> {
  const [collection, name = '', action, ...more] = segments(path) ?? [];
  const readOnly = (): Response | undefined => refuseMethod(request, ['GET', 'HEAD']);
  if (collection === 'tools' && path === 'tools')
    return readOnly() ?? answerListing(request, effects);
  if (name === '' || more.length > 0) return nothingThere(path);
  if (collection === 'tools' && action === undefined) {
    return readOnly() ?? answerTool(request, name, effects);
  }
  if (collection === 'tools' && action === 'invoke') {
    return refuseMethod(request, ['POST']) ?? answerInvoke(request, name, effects, calls);
  }
  if (collection === 'calls' && action === undefined) {
    return readOnly() ?? answerCall(name, effects, calls);
  }
  return nothingThere(path);
}

/** `undefined` where a segment is no percent-encoded UTF-8. */
function segments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function refuseMethod(request: ApiRequest, allowed: readonly string[]): Response | undefined {
  if (allowed.includes(request.method)) return undefined;
  return problemResponse({
    status: 405,
    code: 'method-not-allowed',
    detail: `${request.method} is not possible here.`,
    hint: `Use ${allowed.join(' or ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

function withoutBody(request: ApiRequest, response: Response): Response {
  return request.method === 'HEAD' && response.body !== null
    ? new Response(null, response)
    : response;
}

function nothingThere(path: string): Response {
  return problemResponse({
    status: 404,
    code: 'not-found',
    detail: `There is nothing at api/${path}.`,
    hint: 'There are api/tools, api/tools/{name}, api/tools/{name}/invoke and api/calls/{id}.',
  });
}
