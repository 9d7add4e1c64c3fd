/** The virtual API: answers every request under `api/`, in the page that hosts it. */

import { lazy } from '../../runtime/async/late-value.ts';
import { apiRoute, type ApiAction } from '../../runtime/protocol/api-route.ts';
import { siteOf } from '../../runtime/protocol/bridge.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { answerCall, answerCancel } from './call-response.ts';
import { ApiCalls } from './calls.ts';
import { answerInvoke } from './invoke.ts';
import { answerListing, answerTool, findCalledTool } from './listing.ts';
import { answerCallList, answerSessions } from './lists.ts';
import { answerOpenApi } from './openapi/document.ts';
import { OtherSites } from './other-sites.ts';
import { answerHeaders } from './http-form.ts';
import type { McpEndpoint } from './mcp/endpoint.ts';
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
  noteLostState(): void;
}

/** Creates the API of one page; it holds that page's calls. */
export function createApi(deps: ApiDeps): Api {
  const calls = new ApiCalls();
  const sites = new OtherSites(deps, calls);
  const mcp = lazy(async () => {
    const code = await import('./mcp/endpoint.ts');
    return new code.McpEndpoint(deps, calls);
  });
  return {
    async handle(request, path) {
      try {
        return withoutBody(request, await answer(request, path, { deps, calls, sites, mcp }));
      } catch (error) {
        return problemResponse({
          status: 500,
          code: 'failed',
          detail: `Cloche failed to answer ${request.method} api/${path}: ${errorText(error)}`,
          hint: 'This is a bug in Cloche. Reload the Cloche page and try again.',
        });
      }
    },
    noteLostState() {
      calls.noteLostState();
    },
  };
}

interface Asked {
  readonly request: ApiRequest;
  /** The tool, call or run in the address. */
  readonly id: string;
  /** Origin of the page that asks; null for this one. */
  readonly site: string | null;
  readonly deps: ApiDeps;
  readonly calls: ApiCalls;
  /** Loads the code of MCP on first use. */
  readonly mcp: () => Promise<McpEndpoint>;
}

// Other origins that are not allowed have been refused.
const mayCall = ({ site }: Asked): Response => json({ origin: site, allowed: true });

const answerMcp = async ({ request, site, mcp }: Asked): Promise<Response> =>
  (await mcp()).answer(request, site);

const answers: Readonly<Record<ApiAction, (asked: Asked) => Response | Promise<Response>>> = {
  tools: ({ request, deps }) => answerListing(request, deps),
  tool: async ({ request, id, deps }) => answerTool(request, await findCalledTool(id, deps), deps),
  invoke: async ({ request, id, deps, calls }) =>
    answerInvoke(request, await findCalledTool(id, deps), deps, calls),
  folders: ({ request }) => json({ folders: request.folders ?? [] }),
  sessions: ({ request, deps }) => answerSessions(request, deps),
  calls: ({ request, deps }) => answerCallList(request, deps),
  call: ({ request, id, deps, calls }) => answerCall(request, id, deps, calls),
  cancel: ({ id, deps, calls }) => answerCancel(id, deps, calls),
  mcp: answerMcp,
  'mcp-stream': answerMcp,
  'end-mcp': answerMcp,
  access: mayCall,
  'ask-access': mayCall,
  openapi: ({ request, deps }) => answerOpenApi(request, deps),
  extensions: ({ deps }) => answerExtensions(deps),
  tests: ({ request, deps }) => answerTests(request, deps),
  'run-tests': ({ request, deps }) => answerTestRun(request, deps),
  runs: ({ deps }) => answerRuns(deps),
  'start-run': ({ request, deps }) => answerRunStart(request, deps),
  run: ({ request, id, deps }) => answerRun(request, id, deps),
  'stop-run': ({ id, deps }) => answerRunStop(id, deps),
};

async function answer(
  request: ApiRequest,
  path: string,
  { sites, ...api }: Pick<Asked, 'deps' | 'calls' | 'mcp'> & { readonly sites: OtherSites },
): Promise<Response> {
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  const site = siteOf(request);
  const refusal = site === null ? null : await sites.refusal(site, request, route);
  if (refusal !== null) return refusal;
  return answers[route.at]({ request, id: route.id, site, ...api });
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
