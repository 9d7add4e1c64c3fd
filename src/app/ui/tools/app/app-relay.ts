/**
 * Answers the messages of an app, and sends it what its tool was given and has returned. Everything that an app sends is
 * counted and bounded: an app that sends too much is ended.
 */

import { errorText } from '../../../../runtime/spec/error.ts';
import { isObject, type Fields } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import {
  badParams,
  contentText,
  errorCodes,
  linkOf,
  messageSize,
  readMessage,
  Refusal,
  type MessageId,
} from './app-messages.ts';

/** Requests that only the user can allow. */
export type AppRequest =
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'message'; readonly text: string };

export interface AppHost {
  send(message: JsonObject): void;
  /** Theme, size, locale and what else the app may know about its place. */
  context(): JsonObject;
  /** Whether there is a message field for the app's messages. */
  readonly takesMessages: boolean;
  /** Calls a tool of the app's own folder or server. @throws {Refusal} */
  callTool(signal: AbortSignal, name: string, args: JsonObject): Promise<JsonObject>;
  /** @throws {Refusal} */
  readResource(signal: AbortSignal, uri: string): Promise<JsonObject>;
  /** Asks the user. */
  ask(signal: AbortSignal, request: AppRequest): Promise<boolean>;
  resize(height: number): void;
  /** Shows what the app offers for the next message to the model. */
  offer(text: string): void;
  /** Ends the app. @param why a whole sentence for the user */
  end(why: string): void;
}

const version = '2026-01-26';
/** An app may send so many messages at once, and so many per second in the long run. */
const burst = 200;
const perSecond = 50;
const maxMessageChars = 1_000_000;
const maxCalls = 4;
const maxRunning = 20;
/** After so many refusals by the user, the app's requests are refused without asking. */
const maxRefusals = 3;
/** Id of the page's only request, and how long it waits for the answer; milliseconds. */
const leaving = 'leaving';
const leaveMs = 300;
/** Heights of the app's frame in pixels. */
const minHeight = 64;
export const maxHeight = 640;

type Handler = (signal: AbortSignal, params: Fields) => JsonObject | Promise<JsonObject>;

export class AppRelay {
  readonly #host: AppHost;
  readonly #now: () => number;
  readonly #requests: ReadonlyMap<string, Handler>;
  readonly #running = new Map<MessageId, AbortController>();
  #phase: 'new' | 'initialized' | 'ready' | 'ended' = 'new';
  /** Messages to the app that wait until it is ready. */
  readonly #early: JsonObject[] = [];
  #left = burst;
  #countedAt: number;
  #calls = 0;
  #isAsking = false;
  #onLeft: () => void = () => undefined;
  #refusals = 0;

  /** @param now milliseconds of a clock that does not jump */
  constructor(host: AppHost, now: () => number) {
    this.#host = host;
    this.#now = now;
    this.#countedAt = now();
    this.#requests = new Map<string, Handler>([
      ['ui/initialize', (_, params) => this.#initialize(params)],
      ['ping', () => ({})],
      ['tools/call', (signal, params) => this.#callTool(signal, params)],
      ['resources/read', (signal, { uri }) => host.readResource(signal, textOf(uri, 'uri'))],
      [
        'ui/open-link',
        (signal, params) => this.#ask(signal, { kind: 'link', url: linkOf(params) }),
      ],
      ['ui/message', (signal, params) => this.#message(signal, params)],
      ['ui/update-model-context', (_, params) => this.#offer(params)],
      // Only the user changes how large the app is.
      ['ui/request-display-mode', () => ({ mode: host.context().displayMode ?? 'inline' })],
    ]);
  }

  /** Counts a message before it is read. @returns whether the app goes on */
  count(): boolean {
    if (this.#phase === 'ended') return false;
    const now = this.#now();
    this.#left = Math.min(burst, this.#left + ((now - this.#countedAt) / 1_000) * perSecond) - 1;
    this.#countedAt = now;
    // @mutant an app that floods is ended => this.#left >= 0 -> true
    if (this.#left >= 0) return true;
    this.#end('Cloche ended it because it sent too many messages.');
    return false;
  }

  /** Takes a message that was counted. */
  receive(data: unknown): void {
    if (this.#phase === 'ended') return;
    if (messageSize(data, maxMessageChars) === Infinity) {
      this.#end('Cloche ended it because it sent a message that is too large or not JSON.');
      return;
    }
    const message = readMessage(data);
    if (message?.type === 'request') void this.#answer(message.id, message.method, message.params);
    else if (message?.type === 'notification')
      this.#readNotification(message.method, message.params);
    else if (message?.id === leaving) this.#onLeft();
  }

  /** Sends a notification once the app is ready. */
  notify(method: string, params: JsonObject): void {
    const message = { jsonrpc: '2.0', method, params };
    if (this.#phase === 'ready') this.#host.send(message);
    else if (this.#phase !== 'ended') this.#early.push(message);
  }

  /** Says that the app is about to end. Resolves when it has answered, or after a moment. */
  async leave(): Promise<void> {
    if (this.#phase !== 'ready') return;
    const left = new Promise<void>((resolve) => (this.#onLeft = resolve));
    this.#host.send({ jsonrpc: '2.0', id: leaving, method: 'ui/resource-teardown', params: {} });
    await Promise.race([left, new Promise((resolve) => setTimeout(resolve, leaveMs))]);
  }

  /** Gives up everything that the app has asked for. */
  dispose(): void {
    this.#phase = 'ended';
    for (const stop of this.#running.values()) stop.abort();
  }

  #end(why: string): void {
    this.dispose();
    this.#host.end(why);
  }

  async #answer(id: MessageId, method: string, params: Fields): Promise<void> {
    const stop = new AbortController();
    try {
      if (this.#running.has(id) || this.#running.size >= maxRunning)
        throw new Refusal(
          errorCodes.badRequest,
          'Too many requests at once, or the same id twice.',
        );
      this.#running.set(id, stop);
      const handler = this.#requests.get(method);
      if (handler === undefined)
        throw new Refusal(errorCodes.unknownMethod, `Method not found: ${method}.`);
      // @mutant an app that is not initialized gets nothing => removed
      if (this.#phase === 'new' && method !== 'ui/initialize' && method !== 'ping')
        throw new Refusal(errorCodes.badRequest, 'Send ui/initialize first.');
      const result = await handler(stop.signal, params);
      this.#reply({ jsonrpc: '2.0', id, result });
    } catch (thrown) {
      const code = thrown instanceof Refusal ? thrown.code : errorCodes.internal;
      this.#reply({ jsonrpc: '2.0', id, error: { code, message: errorText(thrown) } });
    } finally {
      if (this.#running.get(id) === stop) this.#running.delete(id);
    }
  }

  #reply(message: JsonObject): void {
    if (this.#phase !== 'ended') this.#host.send(message);
  }

  #readNotification(method: string, params: Fields): void {
    switch (method) {
      case 'ui/notifications/initialized':
        if (this.#phase !== 'initialized') return;
        this.#phase = 'ready';
        for (const message of this.#early.splice(0)) this.#host.send(message);
        return;
      case 'ui/notifications/size-changed': {
        const { height } = params;
        if (typeof height !== 'number' || !Number.isFinite(height)) return;
        this.#host.resize(Math.min(maxHeight, Math.max(minHeight, Math.ceil(height))));
        return;
      }
      case 'ui/notifications/request-teardown':
        this.#end('It ended itself.');
        return;
      case 'notifications/cancelled': {
        const { requestId } = params;
        if (typeof requestId === 'string' || typeof requestId === 'number')
          this.#running.get(requestId)?.abort();
      }
    }
  }

  #initialize({ protocolVersion }: Fields): JsonObject {
    if (typeof protocolVersion !== 'string') throw badParams('protocolVersion must be a string');
    if (this.#phase === 'new') this.#phase = 'initialized';
    return {
      protocolVersion: version,
      hostInfo: { name: 'Cloche', version: '1' },
      hostCapabilities: {
        openLinks: {},
        serverTools: {},
        serverResources: {},
        ...(this.#host.takesMessages
          ? { message: { text: {} }, updateModelContext: { text: {}, structuredContent: {} } }
          : {}),
      },
      hostContext: this.#host.context(),
    };
  }

  async #callTool(
    signal: AbortSignal,
    { name, arguments: args = {} }: Fields,
  ): Promise<JsonObject> {
    const tool = textOf(name, 'name');
    if (!isObject(args)) throw badParams('arguments must be an object');
    // @mutant calls of an app at once are bounded => never
    if (this.#calls >= maxCalls)
      throw new Refusal(errorCodes.refused, `${maxCalls} calls are running. Wait for one to end.`);
    this.#calls += 1;
    try {
      return await this.#host.callTool(signal, tool, args);
    } finally {
      this.#calls -= 1;
    }
  }

  #message(signal: AbortSignal, { role, content }: Fields): Promise<JsonObject> {
    if (role !== 'user') throw badParams('role must be user');
    const text = contentText(content);
    if (!this.#host.takesMessages)
      throw new Refusal(errorCodes.refused, 'There is no session to write to.');
    return this.#ask(signal, { kind: 'message', text });
  }

  /** Asks the user about one thing at a time; an app that was refused often is not asked about again. */
  async #ask(signal: AbortSignal, request: AppRequest): Promise<JsonObject> {
    // @mutant an app asks one question at a time, and not for ever => never
    if (this.#isAsking || this.#refusals >= maxRefusals) return { isError: true };
    this.#isAsking = true;
    try {
      const isAllowed = await this.#host.ask(signal, request);
      this.#refusals = isAllowed ? 0 : this.#refusals + 1;
      return isAllowed ? {} : { isError: true };
    } finally {
      this.#isAsking = false;
    }
  }

  #offer({ content = [], structuredContent }: Fields): JsonObject {
    const structured: Json[] = isObject(structuredContent) ? [structuredContent] : [];
    const texts = structured.map((value) => ({ type: 'text', text: JSON.stringify(value) }));
    if (!Array.isArray(content)) throw badParams('content must be a list of content blocks');
    const blocks: readonly unknown[] = content;
    this.#host.offer(contentText([...blocks, ...texts]));
    return {};
  }
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length <= 1_000) return value;
  throw badParams(`${name} must be a string of at most 1000 characters`);
}
