/**
 * Serves one MCP client over lines of JSON: passes its messages to `api/mcp` of the page, which knows all revisions. While
 * the page starts, it introduces itself, lists the tools that an earlier start has listed, and refuses what is not
 * offered.
 */

import { Semaphore } from '../../runtime/async/wait.ts';
import {
  negotiateVersion,
  latestSessionVersion,
  modernVersion,
  unknownMethodText,
} from '../../runtime/protocol/mcp-handshake.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { exactText, parseExact } from '../../runtime/spec/exact-json.ts';
import { isObject, parseJson } from '../../runtime/spec/guards.ts';
import { objectMembers } from '../../runtime/spec/json-reader.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { PageApi } from '../driven-page.ts';
import { greetingTo, isUnknown } from './early-answers.ts';
import {
  errorLine,
  headersOf,
  linesOf,
  readMessage,
  resultLine,
  subscriptionKey,
  type Message,
} from './message.ts';
import { listFromPage } from './page-list.ts';
import type { StoredLists } from './stored-lists.ts';

export interface StdioDeps {
  /** The page, when it answers the API and has opened the folder. */
  readonly page: Promise<PageApi>;
  /** Name of the folder. */
  readonly folder: string;
  readonly lists: Promise<StoredLists>;
  /** The lists as they are to be stored now: the folder may have changed. */
  readonly listsNow: () => Promise<StoredLists>;
  /** Writes a line. Resolves when the client has room for more. */
  readonly write: (line: string) => Promise<void>;
}

interface Running {
  readonly stop: AbortController;
  readonly message: Message;
  /** Whether the page has it. */
  isSent: boolean;
}

/** The list of tools that a client was given while the page started. */
interface Given {
  /** Undefined if it has cancelled its request. */
  readonly list: JsonText | undefined;
  readonly hasSession: boolean;
}

/** Requests that the page works on at once, and those that wait. */
const maxRunning = 64;
const maxWaiting = 2_000;
/** The only revision with batches, and the limit of messages in one. */
const batchVersion = '2025-03-26';
const maxBatch = 100;
/** Milliseconds until the stream of changes is opened again. */
const reopenMs = 1_000;

export class StdioSession {
  /** Resolves when the lists of this start are stored, or cannot be had. */
  readonly listed: Promise<void>;
  readonly #deps: StdioDeps;
  readonly #end = new AbortController();
  /** Requests by id, as JSON text. */
  readonly #running = new Map<JsonText, Running>();
  /** Subscriptions that the page has acknowledged, by their request ids. */
  readonly #subscriptions = new Set<JsonText>();
  readonly #turns = new Semaphore(maxRunning, maxWaiting);
  #isReady = false;
  /** Settles with the id of the session that `initialize` begins, which later messages name. */
  #session: Promise<string | undefined> = Promise.resolve(undefined);
  /** The revision that was agreed on with a client of 2025. */
  #version: string | null = null;
  /** The lists of tools that clients were given, by revision. */
  readonly #given = new Map<string, Given>();
  #isStale = false;

  constructor(deps: StdioDeps) {
    this.#deps = deps;
    this.listed = deps.page
      .then((page) => this.#checkLists(page))
      .catch(() => undefined)
      .finally(() => {
        this.#isReady = true;
      });
  }

  /** Takes a line of the client. */
  receive(line: string): void {
    const message = readMessage(line);
    if (message === null) {
      // The messages of a batch may be answered one by one.
      const batch = this.#version === batchVersion ? batchIn(line) : [];
      for (const one of batch) this.receive(one);
      if (batch.length > 0) return;
      const isJson = parseJson(line) !== undefined;
      const code = isJson ? -32600 : -32700;
      void this.#deps.write(errorLine('', code, 'The line is not a JSON-RPC message.'));
      return;
    }
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    else if (message.type === 'request') this.#request(message);
    else void this.#forward(message, this.#end.signal).catch(() => undefined);
  }

  /** Ends all requests: the client has gone. */
  end(): void {
    this.#end.abort();
  }

  #request(message: Message): void {
    const { id, method } = message;
    if (this.#running.has(id)) {
      void this.#deps.write(errorLine(id, -32600, 'Another request has this id.'));
      return;
    }
    const stop = new AbortController();
    this.#running.set(id, { stop, message, isSent: false });
    const signal = AbortSignal.any([stop.signal, this.#end.signal]);
    void this.#answer(message, signal)
      .catch(async (thrown: unknown) => {
        // A cancelled request has no answer.
        if (!signal.aborted) await this.#deps.write(errorLine(id, -32603, errorText(thrown)));
      })
      .finally(() => {
        this.#running.delete(id);
        if (method === 'subscriptions/listen') this.#subscriptions.delete(id);
      });
  }

  async #answer(message: Message, signal: AbortSignal): Promise<void> {
    const { method, id, params } = message;
    // In a session, a ping keeps the page from ending it, and asks whether the page still answers.
    const isForPage = method === 'ping' && this.#isReady && this.#version !== null;
    const greeting = isForPage ? null : greetingTo(message, this.#deps.folder);
    if (greeting !== null) {
      if (method === 'initialize') this.#begin(message);
      await this.#deps.write(resultLine(id, JSON.stringify(greeting)));
      return;
    }
    if (!this.#isReady && isUnknown(message, this.#version !== null))
      return this.#deps.write(errorLine(id, -32601, unknownMethodText(method)));
    const isList = method === 'tools/list' && params.cursor === undefined;
    if (isList && !this.#isReady && (await this.#giveStored(message, signal))) return;
    // A subscription lasts as long as its client, so it takes no turn.
    if (method === 'subscriptions/listen') return this.#forward(message, signal);
    const endTurn = await this.#turns.take(signal);
    if (endTurn === null) {
      const text = `${maxRunning + maxWaiting} requests run or wait already. Send fewer at once.`;
      return this.#deps.write(errorLine(id, -32000, text));
    }
    try {
      await this.#forward(message, signal);
    } finally {
      endTurn();
    }
  }

  /** Answers with the stored list. @returns whether there is one */
  async #giveStored(message: Message, signal: AbortSignal): Promise<boolean> {
    const version = this.#versionOf(message);
    const list = (await this.#deps.lists).get(version);
    const noteGiven = (): void => {
      // Once the page is ready, no list is compared with what was given.
      if (!this.#isReady) this.#given.set(version, { list, hasSession: message.version === null });
    };
    if (list === undefined) {
      // A client that does not wait for the page learns later that there is a list.
      if (signal.aborted) noteGiven();
      else signal.addEventListener('abort', noteGiven);
      return false;
    }
    if (this.#isReady) return false;
    noteGiven();
    await this.#deps.write(resultLine(message.id, list));
    return true;
  }

  /** Begins a session of 2025 in the page. */
  #begin(message: Message): void {
    this.#version = negotiateVersion(message.params.protocolVersion);
    this.#session = this.#initialize(message);
    this.#session.catch(() => undefined);
  }

  async #initialize(message: Message): Promise<string | undefined> {
    const page = await this.#deps.page;
    const response = await page.request(this.#end.signal, {
      method: 'POST',
      path: 'mcp',
      headers: headersOf(message, null),
      body: message.text,
    });
    const id = response.headers['mcp-session-id'];
    for await (const line of linesOf(response))
      if (objectMembers(line)?.has('error')) throw new Error(`The page began no session: ${line}`);
    if (id !== undefined) void this.#followChanges(page, id);
    return id;
  }

  /** Passes a message to the page, and the page's answers to the client. */
  async #forward(message: Message, signal: AbortSignal): Promise<void> {
    const page = await this.#deps.page;
    const headers = headersOf(message, this.#version);
    const session = message.version === null ? await this.#session : undefined;
    if (session !== undefined) headers['Mcp-Session-Id'] = session;
    signal.throwIfAborted();
    const running = this.#running.get(message.id);
    if (running !== undefined) running.isSent = true;
    const body = message.text;
    const response = await page.request(signal, { method: 'POST', path: 'mcp', headers, body });
    let isAnswered = message.type !== 'request';
    for await (const line of linesOf(response)) {
      const members = objectMembers(line);
      if (members === null) continue;
      const result = members.get('result');
      if (!members.has('method') && sameId(members.get('id'), message.id)) {
        isAnswered = true;
        if (result !== undefined) await this.#storeList(message, result);
      }
      await this.#deps.write(line);
      if (message.method !== 'subscriptions/listen') continue;
      this.#subscriptions.add(message.id);
      await this.#tellStale();
    }
    if (!isAnswered && !signal.aborted)
      await this.#deps.write(
        errorLine(message.id, -32603, `The page answered ${response.status} without a result.`),
      );
  }

  /** Stores the result of a request for the first page of the list of tools. */
  async #storeList(message: Message, result: JsonText): Promise<void> {
    if (message.method !== 'tools/list' || message.params.cursor !== undefined) return;
    (await this.#deps.listsNow()).set(this.#versionOf(message), result);
  }

  /** Stores the lists of this start for clients of all revisions, and says if one differs from what was given. */
  async #checkLists(page: PageApi): Promise<void> {
    this.#isReady = true;
    // The lists are stored for later clients, so the end of this one does not stop that.
    const { signal } = new AbortController();
    const stored = await this.#deps.listsNow();
    for (const version of new Set([...this.#given.keys(), latestSessionVersion, modernVersion]))
      stored.set(version, await listFromPage(signal, page, version));
    for (const [version, { list, hasSession }] of this.#given) {
      if (toolsOf(list) === toolsOf(stored.get(version))) continue;
      if (hasSession) await this.#deps.write(changedLine(''));
      else this.#isStale = true;
    }
    await this.#tellStale();
  }

  /** Clients of 2026 learn of a change within their subscriptions. */
  async #tellStale(): Promise<void> {
    if (!this.#isStale || this.#subscriptions.size === 0) return;
    this.#isStale = false;
    for (const id of this.#subscriptions)
      await this.#deps.write(changedLine(`,"params":{"_meta":{"${subscriptionKey}":${id}}}`));
  }

  async #followChanges(page: PageApi, session: string): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      try {
        const response = await page.request(signal, {
          method: 'GET',
          path: 'mcp',
          headers: {
            Accept: 'text/event-stream',
            'Mcp-Session-Id': session,
            ...(this.#version !== null && { 'MCP-Protocol-Version': this.#version }),
          },
        });
        if (response.status !== 200) return;
        for await (const line of linesOf(response)) await this.#deps.write(line);
      } catch {
        // The stream is opened again, as when it ends.
      }
      await new Promise((resolve) => setTimeout(resolve, reopenMs).unref());
    }
  }

  #cancel(message: Message): void {
    const members = objectMembers(objectMembers(message.text)?.get('params') ?? '{}');
    const running = this.#running.get(members?.get('requestId') ?? '');
    if (running === undefined) return;
    // Without sessions, the end of its request cancels a call.
    if (running.message.version !== null || !running.isSent) {
      running.stop.abort();
      return;
    }
    void this.#forward(message, this.#end.signal)
      .catch(() => undefined)
      .finally(() => running.stop.abort());
  }

  #versionOf({ version }: Message): string {
    return version ?? this.#version ?? '';
  }
}

/** The messages of a batch; none if the line is not a batch. */
function batchIn(line: string): readonly JsonText[] {
  try {
    const values = line.startsWith('[') ? parseExact(line) : [];
    const isBatch = Array.isArray(values) && values.length <= maxBatch && values.every(isObject);
    return isBatch ? values.map(exactText) : [];
  } catch {
    return [];
  }
}

/** Says that the list of tools has changed. */
function changedLine(params: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"${params}}`;
}

function toolsOf(list: JsonText | undefined): JsonText | undefined {
  return list === undefined ? undefined : objectMembers(list)?.get('tools');
}

function sameId(a: JsonText | undefined, b: JsonText): boolean {
  return a === b || parseJson(a) === parseJson(b);
}
