/** Passes on what the server asks the user for. Asks outside of a call, and those that are too long, do not reach the page. */

import {
  ProtocolError,
  ProtocolErrorCode,
  UrlElicitationRequiredError,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import type { AskAnswer, ServerAsk } from '../../../runtime/protocol/mcp.ts';
import { deeperThan } from '../../../runtime/spec/json.ts';
import { isObject, isRecord, parseJson } from '../../../runtime/spec/guards.ts';
import type { RunningCall } from './running-call.ts';

/** Limits of an ask; characters. */
const maxMessage = 4_000;
const maxSchema = 50_000;
const maxUrl = 8_000;
/** Limit of asks that wait for an answer. */
const maxWaiting = 10;
const maxDepth = 20;
/** Limit of pages that one refusal names. */
const maxPages = 3;

export class Asks {
  readonly #report: (ask: ServerAsk) => void;
  readonly #waiting = new Map<number, (answer: AskAnswer) => void>();
  #lastId = 0;

  constructor(report: (ask: ServerAsk) => void) {
    this.#report = report;
  }

  /** @param call the latest call, since the protocol does not say for which the server asks */
  async ask(params: ElicitRequest['params'], call: RunningCall | undefined): Promise<ElicitResult> {
    // @mutant an MCP server asks nothing outside of a call => never [src/agent/mcp/servers.test.ts]
    if (call === undefined || this.#waiting.size >= maxWaiting) return { action: 'cancel' };
    const asked = bounded(params);
    if (typeof asked === 'string') throw new ProtocolError(ProtocolErrorCode.InvalidParams, asked);
    const id = (this.#lastId += 1);
    const answered = new Promise<AskAnswer>((resolve) => {
      this.#waiting.set(id, resolve);
      call.signal.addEventListener('abort', () => resolve({ action: 'cancel', content: null }));
    });
    this.#report({ id, call: call.id, ...asked });
    const { action, content } = await call.whileAsking(answered);
    this.#waiting.delete(id);
    return content === null || action !== 'accept'
      ? { action }
      : { action, content: fieldsOf(content) };
  }

  /**
   * Asks the user to open the pages without which the server refuses a call. The caller may then call again.
   * @throws the refusal
   */
  async askForPages(thrown: unknown, call: RunningCall): Promise<never> {
    if (thrown instanceof UrlElicitationRequiredError)
      for (const params of thrown.elicitations.slice(0, maxPages)) await this.ask(params, call);
    throw thrown;
  }

  answer(id: number, answer: AskAnswer): void {
    this.#waiting.get(id)?.(answer);
  }
}

/** @returns why the ask is refused, if it is */
function bounded(
  params: ElicitRequest['params'],
): Pick<ServerAsk, 'message' | 'schema' | 'url'> | string {
  const message = params.message.slice(0, maxMessage);
  if (params.mode === 'url') {
    const { url } = params;
    // @mutant addresses that an MCP server asks the user to open are web pages => /^https?:/ -> /^/
    //   [src/agent/mcp/servers.test.ts]
    if (url.length > maxUrl || !URL.canParse(url) || !/^https?:/.test(new URL(url).protocol))
      return 'The url is not an http or https address, or is too long.';
    return { message, schema: null, url: new URL(url).href };
  }
  const requested: unknown = params.requestedSchema;
  if (!isObject(requested) || deeperThan(requested, maxDepth))
    return 'The requestedSchema is nested too deep.';
  const schema = JSON.stringify(requested);
  if (schema.length > maxSchema) return 'The requestedSchema is too long.';
  return { message, schema, url: '' };
}

/** The values of a form that the protocol allows. */
function fieldsOf(content: string): NonNullable<ElicitResult['content']> {
  const value = parseJson(content);
  const entries = isRecord(value) ? Object.entries(value) : [];
  const fields: NonNullable<ElicitResult['content']> = {};
  for (const [name, field] of entries)
    if (typeof field === 'string' || typeof field === 'number' || typeof field === 'boolean')
      fields[name] = field;
    else if (Array.isArray(field)) fields[name] = field.filter((item) => typeof item === 'string');
  return fields;
}
