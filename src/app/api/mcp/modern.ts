/** MCP of 2026-07-28: each request stands for itself, and says in `_meta` what its client can do. */

import {
  discoverResult,
  metaPrefix as prefix,
  modernVersion,
  unknownMethodText,
} from '../../../runtime/protocol/mcp-handshake.ts';
import { fromBase64, utf8Text } from '../../../runtime/spec/bytes.ts';
import { asFields, isRecord } from '../../../runtime/spec/guards.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { ApiDeps, ApiRequest } from '../api-deps.ts';
import { streamStart } from '../calls.ts';
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
  type McpError,
  type McpRequest,
} from './messages.ts';
import type { ResultShape } from './results.ts';
import { badParams, type McpTools } from './tool-list.ts';

const versionKey = `${prefix}protocolVersion`;

/** Streams of changes at once, and milliseconds in which a client that was asked must send its answer. */
const maxStreams = 100;
const answerMs = 120_000;

/** A call that waits until its client sends the request again. */
interface Waiting {
  readonly call: McpCall;
  readonly args: JsonText;
  readonly site: string | null;
}

/**
 * Whether a message is of this revision: its `_meta` says so, or its header names a revision that is not one of those with
 * sessions, which are all from 2024 and 2025.
 */
export function isModern({ headers }: ApiRequest, params: ReadonlyMap<string, JsonText>): boolean {
  const version = headers.get('MCP-Protocol-Version');
  return versionKey in metaOf(params) || (version !== null && !/^202[45]-/.test(version));
}

export class ModernMcp {
  readonly #deps: ApiDeps;
  readonly #tools: McpTools;
  readonly #calls: McpCalls;
  readonly #waiting = new Map<string, Waiting>();
  #streams = 0;

  constructor(deps: ApiDeps, tools: McpTools, calls: McpCalls) {
    this.#deps = deps;
    this.#tools = tools;
    this.#calls = calls;
  }

  /** @param site origin of the page that sends the request; null for Cloche's own */
  async answer(
    request: ApiRequest,
    message: McpRequest | { readonly type: 'notification' },
    site: string | null,
  ): Promise<Response> {
    if (message.type === 'notification') return acceptedResponse();
    const { id, method, params } = message;
    const refused = refusal(request.headers, message);
    if (refused !== null) return errorResponse(400, refused, { id });
    switch (method) {
      case 'server/discover':
        return this.#result(id, [JSON.stringify(discoverResult).slice(1, -1)]);
      case 'tools/list': {
        if (params.has('cursor'))
          return jsonResponse([errorText(id, badParams('The list has one page.'))]);
        const tools = await this.#tools.list(request.signal, { anyOutputType: true });
        return this.#result(id, ['"ttlMs":0,"cacheScope":"private","tools":', tools]);
      }
      case 'tools/call':
        return this.#call(request.signal, message, site);
      case 'subscriptions/listen':
        return this.#listen(message);
      default: {
        const text = unknownMethodText(method);
        return errorResponse(404, { code: errorCodes.unknownMethod, message: text }, { id });
      }
    }
  }

  #result(id: JsonText, members: readonly string[]): Response {
    return jsonResponse([
      `{"jsonrpc":"2.0","id":${id},"result":{${this.#firstMembers('complete')}`,
      ...members,
      '}}',
    ]);
  }

  /** The members that every result begins with, as JSON without the brace. */
  #firstMembers(resultType: 'complete' | 'input_required'): string {
    const meta = { [`${prefix}serverInfo`]: this.#tools.serverInfo };
    return `"resultType":"${resultType}","_meta":${JSON.stringify(meta)},`;
  }

  async #call(signal: AbortSignal, message: McpRequest, site: string | null): Promise<Response> {
    const { id, params } = message;
    const read = await this.#tools.read(signal, params);
    if ('code' in read) return jsonResponse([errorText(id, read)]);
    const { tool, args } = read;
    const state = parseMember(params.get('requestState'));
    if (state !== undefined) {
      const waiting = this.#takeWaiting(state, tool.name, args, site);
      if (waiting === undefined)
        return jsonResponse([
          errorText(id, badParams('"requestState" is unknown, expired, or of another call.')),
        ]);
      const { call } = waiting;
      this.#takeAnswers(call, asFields(parseMember(params.get('inputResponses'))));
      call.form = this.#form(message, call.form.shape, args, site);
      call.askAgain();
      return streamResponse({ calls: [{ call, from: call.position }] }, this.#deps);
    }
    const shape = {
      isStructured: tool.returns !== null,
      anyValue: true,
      added: this.#firstMembers('complete'),
    };
    const call = this.#calls.start(tool, args, site, this.#form(message, shape, args, site));
    return streamResponse({ calls: [{ call, from: streamStart }] }, this.#deps);
  }

  /** How a call's messages are written in the answer to a request. */
  #form(
    { id, params }: McpRequest,
    shape: ResultShape,
    args: JsonText,
    site: string | null,
  ): CallForm {
    const meta = metaOf(params);
    const level = meta[`${prefix}logLevel`];
    const { elicitation: canElicit } = asFields(meta[`${prefix}clientCapabilities`]);
    /**
     * Writes a result after which the client sends the request again, with its answers to these questions, if any. Until
     * then, the call is kept under its `requestState`; it is cancelled if the client does not send the request in time.
     */
    const askToRepeat = (call: McpCall, questions: readonly AskedQuestion[]): JsonText => {
      const requestState = crypto.randomUUID();
      this.#waiting.set(requestState, { call, args, site });
      call.onDone = () => this.#waiting.delete(requestState);
      call.detach(answerMs);
      const inputRequests = Object.fromEntries(
        questions.map((question) => [
          inputKey(question.id),
          { method: 'elicitation/create', params: writeElicitation(question) },
        ]),
      );
      const members = questions.length === 0 ? { requestState } : { inputRequests, requestState };
      const rest = JSON.stringify(members).slice(1, -1);
      return `{"jsonrpc":"2.0","id":${id},"result":{${this.#firstMembers('input_required')}${rest}}}`;
    };
    // An answer cannot be continued by the ids of its events. One that takes too long ends by `repeatLater`, and a call whose
    // client leaves is cancelled at once.
    return {
      id,
      progressToken:
        meta.progressToken === undefined ? undefined : JSON.stringify(meta.progressToken),
      shape,
      level: () => (isLevel(level) ? level : null),
      // @mutant a page of another origin does not answer for the user => site === null && isRecord -> isRecord
      canAsk: site === null && isRecord(canElicit),
      ask: (call, questions) => ({ messages: [askToRepeat(call, questions)], isLast: true }),
      // The client learns that a question is closed when it sends the request again.
      withdraw: () => null,
      repeatLater: (call) => askToRepeat(call, []),
      isResumable: false,
      isPrimed: false,
      graceMs: 0,
    };
  }

  /** Takes the waiting call that a request continues; undefined if there is none, or the request is not the same. */
  #takeWaiting(
    state: unknown,
    tool: string,
    args: JsonText,
    site: string | null,
  ): Waiting | undefined {
    const waiting = typeof state === 'string' ? this.#waiting.get(state) : undefined;
    // @mutant a call goes on only for the request that has started it => waiting?.call.tool !== tool || waiting.args !== args
    //   || waiting.site !== site -> waiting === undefined
    if (waiting?.call.tool !== tool || waiting.args !== args || waiting.site !== site)
      return undefined;
    this.#waiting.delete(String(state));
    return waiting;
  }

  /** Answers the questions of a call with the client's answers, which have the keys that {@link inputKey} gives. */
  #takeAnswers(call: McpCall, answers: Readonly<Record<string, unknown>>): void {
    for (const { id, callId } of this.#deps.questions.list()) {
      if (callId !== call.call.id || !(inputKey(id) in answers)) continue;
      const isAccepted = asFields(answers[inputKey(id)]).action === 'accept';
      this.#deps.questions.answer(id, isAccepted ? 'once' : 'no');
    }
  }

  #listen({ id, params }: McpRequest): Response {
    const wanted = parseMember(params.get('notifications'));
    if (!isRecord(wanted))
      return jsonResponse([errorText(id, badParams('"notifications" is missing.'))]);
    if (this.#streams >= maxStreams)
      return jsonResponse([
        errorText(id, { code: errorCodes.failed, message: 'Subscription limit reached' }),
      ]);
    const isWanted = wanted.toolsListChanged === true;
    // Without a wanted notification, the stream ends with its acknowledgement.
    const ended = isWanted ? new AbortController().signal : AbortSignal.abort();
    // `_meta` as JSON without its closing brace, since the last message adds a member.
    const meta = `"_meta":{"${prefix}subscriptionId":${id}`;
    const notification = (name: string, firstMembers = ''): JsonText =>
      `{"jsonrpc":"2.0","method":"notifications/${name}","params":{${firstMembers}${meta}}}}`;
    const honored = JSON.stringify({ notifications: isWanted ? { toolsListChanged: true } : {} });
    const info = JSON.stringify(this.#tools.serverInfo);
    this.#streams += 1;
    let isOpen = true;
    return changeResponse(
      {
        ended,
        first: [notification('subscriptions/acknowledged', `${honored.slice(1, -1)},`)],
        changed: notification('tools/list_changed'),
        last: [
          `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"complete",${meta},"${prefix}serverInfo":${info}}}}`,
        ],
        // Called twice if the client leaves while the stream ends.
        onEnd: () => {
          if (isOpen) this.#streams -= 1;
          isOpen = false;
        },
      },
      this.#deps,
    );
  }
}

function inputKey(question: number): string {
  return `approval-${question}`;
}

/** Why a request is refused before its method is looked up; null if it is not. */
function refusal(headers: Headers, { method, params }: McpRequest): McpError | null {
  const meta = metaOf(params);
  const version = meta[versionKey];
  if (typeof version !== 'string') return badParams(`_meta lacks ${versionKey}.`);
  if (!isRecord(meta[`${prefix}clientCapabilities`]))
    return badParams(`_meta lacks ${prefix}clientCapabilities.`);
  const wrong = wrongHeader(headers, version, method, params);
  if (wrong !== null)
    return {
      code: errorCodes.headerMismatch,
      message: `Bad Request: the header ${wrong} is missing, or differs from the body.`,
    };
  if (version === modernVersion) return null;
  return {
    code: errorCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${version.slice(0, 100)}`,
    data: { supported: [modernVersion], requested: version },
  };
}

/** The parameter that the header `Mcp-Name` repeats, by method. */
const nameParameters: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** Returns the name of a header that is missing, or differs from the body; null if there is none. */
function wrongHeader(
  headers: Headers,
  version: string,
  method: string,
  params: ReadonlyMap<string, JsonText>,
): string | null {
  const hasValue = (header: string, value: unknown): boolean => {
    const sent = headers.get(header);
    return sent !== null && decodedHeader(sent.trim()) === value;
  };
  // @mutant headers must agree with the body => without if (!hasValue('MCP-Protocol-Version', version))
  if (!hasValue('MCP-Protocol-Version', version)) return 'MCP-Protocol-Version';
  if (!hasValue('Mcp-Method', method)) return 'Mcp-Method';
  const key = nameParameters[method];
  const name = key === undefined ? undefined : parseMember(params.get(key));
  return name === undefined || hasValue('Mcp-Name', name) ? null : 'Mcp-Name';
}

/** Decodes a header. Values that a header cannot carry are written as `=?base64?…?=`. Null if the base64 is not UTF-8. */
function decodedHeader(value: string): string | null {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  if (encoded === undefined) return value;
  const bytes = fromBase64(encoded);
  return bytes && utf8Text(bytes);
}
