/** MCP of 2025-03-26 to 2025-11-25: sessions that begin with `initialize`. */

import {
  negotiateVersion,
  initializeResult,
  latestSessionVersion,
  sessionVersions,
  type SessionVersion,
  unknownMethodText,
} from '../../../runtime/protocol/mcp-handshake.ts';
import { isRecord, asFields } from '../../../runtime/spec/guards.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { ApiDeps, ApiRequest } from '../api-deps.ts';
import { parsePosition, streamStart } from '../calls.ts';
import { changeResponse } from './changes.ts';
import {
  writeElicitation,
  isLevel,
  streamResponse,
  type AskedQuestion,
  type CallForm,
  type McpCall,
} from './mcp-call.ts';
import type { McpCalls } from './mcp-calls.ts';
import {
  acceptedResponse,
  errorCodes,
  errorResponse,
  errorText,
  jsonResponse,
  metaOf,
  parseMember,
  resultText,
  type McpMessage,
  type McpRequest,
} from './messages.ts';
import { badParams, type McpTools } from './tool-list.ts';

/** Sessions at once, milliseconds until an unused one ends, and milliseconds in which a broken stream is resumed. */
const maxSessions = 100;
const idleMs = 30 * 60_000;
const resumeMs = 60_000;

interface Session {
  readonly id: string;
  readonly version: SessionVersion;
  /** Origin of the page; null for Cloche's own. */
  readonly site: string | null;
  readonly canAsk: boolean;
  level: string;
  /** The running calls, by the id of the request as JSON. */
  readonly calls: Map<JsonText, McpCall>;
  /** The questions that the client was asked, by the id of the request to it, as JSON. */
  readonly asked: Map<JsonText, number>;
  readonly end: AbortController;
  /** Ends the stream of changes. */
  endStream: () => void;
  cancelIdle: () => void;
}

/** The answer to a message: text, or the messages of a call. */
type Reply = { readonly text: Iterable<string> } | { readonly call: McpCall };

export class McpSessions {
  readonly #deps: ApiDeps;
  readonly #tools: McpTools;
  readonly #calls: McpCalls;
  readonly #sessions = new Map<string, Session>();

  constructor(deps: ApiDeps, tools: McpTools, calls: McpCalls) {
    this.#deps = deps;
    this.#tools = tools;
    this.#calls = calls;
  }

  async answer(
    request: ApiRequest,
    given: McpMessage | McpMessage[],
    site: string | null,
  ): Promise<Response> {
    if (!Array.isArray(given) && given.type === 'request' && given.method === 'initialize')
      return this.#initialize(given, site);
    const session = this.#find(request, site);
    if (session instanceof Response) return session;
    if (!Array.isArray(given)) return this.#answerOne(request.signal, session, given);
    // @mutant a batch is refused where the revision has none => session.version !== '2025-03-26' -> false
    if (session.version !== '2025-03-26')
      return badRequest(`Protocol version ${session.version} has no batches: send one message.`);
    return this.#answerBatch(request.signal, session, given);
  }

  /** Answers `GET`: the stream of changes, or the rest of a call whose answer broke off. */
  stream(request: ApiRequest, site: string | null): Response {
    const session = this.#find(request, site);
    if (session instanceof Response) return session;
    const headers = { 'Mcp-Session-Id': session.id };
    // The ids of events are the id of their call, a dot and the position in its stream.
    const [callId, position = ''] = (request.headers.get('Last-Event-ID') ?? '').split('.');
    const call = [...session.calls.values()].find((one) => one.call.id === callId);
    if (call !== undefined)
      return streamResponse(
        { calls: [{ call, from: parsePosition(position) }], headers },
        this.#deps,
      );
    session.endStream();
    const ended = new AbortController();
    session.endStream = () => ended.abort();
    return changeResponse(
      {
        ended: AbortSignal.any([ended.signal, session.end.signal]),
        first: [],
        changed: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
        last: [],
        headers,
      },
      this.#deps,
    );
  }

  /** Answers `DELETE`. */
  end(request: ApiRequest, site: string | null): Response {
    const session = this.#find(request, site);
    if (session instanceof Response) return session;
    this.#end(session);
    return new Response(null, { status: 200 });
  }

  #initialize({ id, params }: McpRequest, site: string | null): Response {
    const version = negotiateVersion(parseMember(params.get('protocolVersion')));
    if (!this.#makeRoom())
      return errorResponse(
        503,
        { code: errorCodes.refused, message: `${maxSessions} sessions are in use. End one.` },
        { id },
      );
    const capabilities = asFields(parseMember(params.get('capabilities')));
    const session: Session = {
      id: crypto.randomUUID(),
      version,
      site,
      // Pages of other origins do not answer for the user.
      // @mutant a page of another origin does not approve its own calls => site === null && isRecord -> isRecord
      canAsk: site === null && isRecord(capabilities.elicitation),
      level: 'info',
      calls: new Map(),
      asked: new Map(),
      end: new AbortController(),
      endStream: () => undefined,
      cancelIdle: () => undefined,
    };
    this.#sessions.set(session.id, session);
    this.#use(session);
    const result = initializeResult(version, this.#tools.serverInfo);
    return jsonResponse([resultText(id, result)], { 'Mcp-Session-Id': session.id });
  }

  /** Ends the session that has been unused for longest, if there are too many. @returns whether another one may begin */
  #makeRoom(): boolean {
    if (this.#sessions.size < maxSessions) return true;
    // The sessions are in the order in which they were last used.
    const unused = [...this.#sessions.values()].find(({ calls }) => calls.size === 0);
    if (unused !== undefined) this.#end(unused);
    return unused !== undefined;
  }

  /** Returns the session of a request, or the answer to a request that has none. */
  #find(request: ApiRequest, site: string | null): Session | Response {
    const id = request.headers.get('Mcp-Session-Id');
    if (id === null) return badRequest('Mcp-Session-Id header is required: send initialize first.');
    const session = this.#sessions.get(id);
    // The site of an unknown session is undefined, which no request's site is.
    // @mutant a session belongs to the origin that began it => session?.site !== site -> session === undefined
    if (session?.site !== site)
      return errorResponse(404, {
        code: -32001,
        message: 'Session not found. Send initialize again.',
      });
    const version = request.headers.get('MCP-Protocol-Version') ?? session.version;
    if (!sessionVersions.some((one) => one === version))
      return badRequest(
        `Unsupported protocol version: ${version.slice(0, 100)} (supported versions: ${sessionVersions.join(', ')})`,
      );
    this.#use(session);
    return session;
  }

  /** Notes that a session is used, and ends it once it has been unused for a long time. */
  #use(session: Session): void {
    session.cancelIdle();
    // The session that was used last comes last.
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    session.cancelIdle = this.#deps.after(idleMs, () => {
      if (session.calls.size > 0) this.#use(session);
      else this.#end(session);
    });
  }

  #end(session: Session): void {
    session.cancelIdle();
    session.end.abort();
    this.#sessions.delete(session.id);
    for (const { call } of session.calls.values()) this.#deps.path.cancel(call.id);
  }

  async #answerOne(signal: AbortSignal, session: Session, message: McpMessage): Promise<Response> {
    const reply = await this.#reply(signal, session, message);
    if (reply === null) return acceptedResponse();
    const headers = { 'Mcp-Session-Id': session.id };
    return 'text' in reply
      ? jsonResponse(reply.text, headers)
      : streamResponse({ calls: [{ call: reply.call, from: streamStart }], headers }, this.#deps);
  }

  async #answerBatch(
    signal: AbortSignal,
    session: Session,
    messages: readonly McpMessage[],
  ): Promise<Response> {
    const replies = await Promise.all(messages.map((one) => this.#reply(signal, session, one)));
    const answers = replies.filter((reply) => reply !== null);
    if (answers.length === 0) return acceptedResponse();
    // Answers that are already known come first, as events.
    const before = answers.flatMap((reply) =>
      'text' in reply ? [`event: message\ndata: ${[...reply.text].join('')}\n\n`] : [],
    );
    const calls = answers.flatMap((reply) =>
      'call' in reply ? [{ call: reply.call, from: streamStart }] : [],
    );
    const headers = { 'Mcp-Session-Id': session.id };
    return streamResponse({ calls, before, headers }, this.#deps);
  }

  /** Resolves to null for a message that has no answer. */
  async #reply(signal: AbortSignal, session: Session, message: McpMessage): Promise<Reply | null> {
    switch (message.type) {
      case 'answer':
        this.#takeAnswer(session, message);
        return null;
      case 'notification':
        if (message.method === 'notifications/cancelled')
          this.#cancel(session, message.params.get('requestId'));
        return null;
      case 'request':
        return this.#replyTo(signal, session, message);
    }
  }

  async #replyTo(signal: AbortSignal, session: Session, message: McpRequest): Promise<Reply> {
    const { id, method, params } = message;
    switch (method) {
      case 'ping':
        return { text: [resultText(id, {})] };
      case 'tools/list': {
        if (params.has('cursor'))
          return { text: [errorText(id, badParams('The list has one page.'))] };
        const tools = await this.#tools.list(signal, { anyOutputType: false });
        return { text: [`{"jsonrpc":"2.0","id":${id},"result":{"tools":`, tools, '}}'] };
      }
      case 'tools/call':
        return this.#startCall(signal, session, message);
      case 'logging/setLevel': {
        const level = parseMember(params.get('level'));
        if (!isLevel(level)) return { text: [errorText(id, badParams('Unknown level.'))] };
        session.level = level;
        return { text: [resultText(id, {})] };
      }
      default: {
        const text = unknownMethodText(method);
        return { text: [errorText(id, { code: errorCodes.unknownMethod, message: text })] };
      }
    }
  }

  async #startCall(signal: AbortSignal, session: Session, message: McpRequest): Promise<Reply> {
    const { id, params } = message;
    const read = await this.#tools.read(signal, params);
    if ('code' in read) return { text: [errorText(id, read)] };
    if (session.calls.has(id)) {
      const text = `The request ${id.slice(0, 100)} is still running. Use another id.`;
      return { text: [errorText(id, { code: errorCodes.badRequest, message: text })] };
    }
    const { tool, args } = read;
    const token = metaOf(params).progressToken;
    const form: CallForm = {
      id,
      progressToken: token === undefined ? undefined : JSON.stringify(token),
      shape: { isStructured: tool.returns?.type === 'object', anyValue: false, added: '' },
      level: () => session.level,
      canAsk: session.canAsk,
      ask: (_call, questions) => ({
        messages: questions.map((question) => askText(session, question)),
        isLast: false,
      }),
      withdraw: (question) => withdrawalText(session, question),
      // The client asks for the rest with `GET`.
      repeatLater: () => null,
      isResumable: true,
      // Clients of earlier revisions do not expect an event without data.
      isPrimed: session.version === latestSessionVersion,
      graceMs: resumeMs,
    };
    const call = this.#calls.start(tool, args, session.site, form);
    session.calls.set(id, call);
    call.onDone = () => session.calls.delete(id);
    return { call };
  }

  #cancel(session: Session, requestId: JsonText | undefined): void {
    const call = session.calls.get(requestId ?? '');
    call?.cancelled();
    if (call !== undefined) this.#deps.path.cancel(call.call.id);
  }

  #takeAnswer(session: Session, { id, result }: Extract<McpMessage, { type: 'answer' }>): void {
    const question = session.asked.get(id);
    if (question === undefined) return;
    session.asked.delete(id);
    const isAccepted = asFields(parseMember(result)).action === 'accept';
    this.#deps.questions.answer(question, isAccepted ? 'once' : 'no');
  }
}

function askText(session: Session, question: AskedQuestion): JsonText {
  const id = `ask-${crypto.randomUUID()}`;
  session.asked.set(JSON.stringify(id), question.id);
  const method = 'elicitation/create';
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: writeElicitation(question) });
}

/** Returns null if the client has answered the question itself. */
function withdrawalText(session: Session, question: number): JsonText | null {
  for (const [id, asked] of session.asked) {
    if (asked !== question) continue;
    session.asked.delete(id);
    const reason = JSON.stringify('The question was answered in Cloche, or is no longer open.');
    return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":${reason}}}`;
  }
  return null;
}

function badRequest(message: string): Response {
  return errorResponse(400, { code: errorCodes.refused, message: `Bad Request: ${message}` });
}
