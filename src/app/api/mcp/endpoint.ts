/**
 * The MCP endpoint `api/mcp` (Streamable HTTP). It serves 2026-07-28, which has no sessions, and the revisions of 2025,
 * which have; every call takes the call path of all callers.
 */

import { runPaced } from '../../../runtime/async/pace.ts';
import type { ApiDeps, ApiRequest } from '../api-deps.ts';
import type { ApiCalls } from '../calls.ts';
import { decodeInSteps } from '../invoke.ts';
import { McpCalls } from './mcp-calls.ts';
import { errorCodes, errorResponse, readMessages } from './messages.ts';
import { isModern, ModernMcp } from './modern.ts';
import { McpSessions } from './sessions.ts';
import { McpTools } from './tool-list.ts';

export class McpEndpoint {
  readonly #deps: ApiDeps;
  readonly #sessions: McpSessions;
  readonly #modern: ModernMcp;
  constructor(deps: ApiDeps, calls: ApiCalls) {
    this.#deps = deps;
    const tools = new McpTools(deps);
    const started = new McpCalls(deps, calls);
    this.#sessions = new McpSessions(deps, tools, started);
    this.#modern = new ModernMcp(deps, tools, started);
  }

  /** @param site origin of the page that asks; null for Cloche's own */
  async answer(request: ApiRequest, site: string | null): Promise<Response> {
    switch (request.method) {
      case 'POST':
        return this.#post(request, site);
      case 'GET':
        return acceptsType(request, 'text/event-stream')
          ? this.#sessions.stream(request, site)
          : notAcceptable('text/event-stream');
      case 'DELETE':
        return this.#sessions.end(request, site);
      default:
        return errorResponse(
          405,
          { code: errorCodes.refused, message: 'Method not allowed.' },
          { headers: { Allow: 'GET, POST, DELETE' } },
        );
    }
  }

  async #post(request: ApiRequest, site: string | null): Promise<Response> {
    // @mutant forms cannot send messages => !/^application -> request.method === '' && !/^application
    //   [src/app/api/mcp/sessions.test.ts]
    if (!/^application\/json\s*(?:;|$)/i.test(request.headers.get('Content-Type')?.trim() ?? ''))
      return errorResponse(415, {
        code: errorCodes.refused,
        message: 'Unsupported Media Type: send Content-Type: application/json.',
      });
    for (const type of ['application/json', 'text/event-stream'])
      if (!acceptsType(request, type)) return notAcceptable(type);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const limit = this.#deps.limits.valueChars;
    // @mutant the size limit of a message => never [src/app/api/mcp/sessions.test.ts]
    if (bytes.byteLength > limit)
      return errorResponse(413, {
        code: errorCodes.refused,
        message: `The message is ${bytes.byteLength} bytes, more than the limit of ${limit}.`,
      });
    try {
      const messages = await readMessages(await runPaced(decodeInSteps(bytes)));
      if (messages === null)
        return errorResponse(400, {
          code: errorCodes.badRequest,
          message: 'Bad Request: the body is not a JSON-RPC message.',
        });
      // Batches and answers exist in sessions only.
      if (
        !Array.isArray(messages) &&
        messages.type !== 'answer' &&
        isModern(request, messages.params)
      )
        return await this.#modern.answer(request, messages, site);
      return await this.#sessions.answer(request, messages, site);
    } catch (thrown) {
      if (!(thrown instanceof SyntaxError || thrown instanceof TypeError)) throw thrown;
      return errorResponse(400, {
        code: errorCodes.parse,
        message: `Parse error: the body is not JSON in UTF-8: ${thrown.message}`,
      });
    }
  }
}

/** Whether the client takes a media type; all do without the header. */
function acceptsType({ headers }: ApiRequest, type: string): boolean {
  const accept = headers.get('Accept')?.toLowerCase() ?? '';
  return accept.trim() === '' || accept.includes(type) || accept.includes('*/*');
}

function notAcceptable(type: string): Response {
  return errorResponse(406, {
    code: errorCodes.refused,
    message: `Not Acceptable: the client must accept ${type}.`,
  });
}
