/** The state of the API explorer: the operations, what is entered for each, and the answer to the last request. */

import { errorText } from '../../../runtime/spec/error.ts';
import { asFields, parseJson } from '../../../runtime/spec/guards.ts';
import {
  toolOfOperation,
  firstDraft,
  operationsIn,
  requestOf,
  type ApiRequest,
  type Draft,
  type Operation,
} from './operations.ts';

export interface Answer {
  readonly operation: string;
  /** The status of the answer; 0 until it has arrived. */
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** Characters that were dropped, because they are too many to show. */
  readonly dropped: number;
  readonly phase: 'waiting' | 'streaming' | 'ended' | 'cancelled' | 'failed';
  /** Why the request has failed. */
  readonly fault: string;
  readonly ms: number;
}

/** Information about the arguments of tools, by name of the tool. */
interface ToolArguments {
  /** Initial arguments as JSON text; undefined if the tool is unknown. */
  first(tool: string): string | undefined;
  /** Paths of required values that arguments lack. */
  missing(tool: string, args: string): readonly string[];
}

/** Limit of an answer that is kept; characters. */
const maxChars = 4_000_000;

export class Explorer {
  readonly #address: string;
  readonly #arguments: ToolArguments;
  operations: readonly Operation[] = $state.raw([]);
  phase: 'loading' | 'ready' | 'failed' = $state('loading');
  fault: string = $state('');
  #drafts: Readonly<Record<string, Draft>> = $state.raw({});
  #answer: Answer | null = $state.raw(null);
  #loading: AbortController | null = null;
  #sending: AbortController | null = null;
  #revision = '';

  /** @param address of the app, with a trailing slash */
  constructor(address: string, args: ToolArguments) {
    this.#address = address;
    this.#arguments = args;
  }

  /**
   * The answer to the last request of an operation; null if the last request was that of another
   * operation.
   */
  answerOf(operation: string): Answer | null {
    return this.#answer?.operation === operation ? this.#answer : null;
  }

  get isSending(): boolean {
    return this.#answer?.phase === 'waiting' || this.#answer?.phase === 'streaming';
  }

  find(id: string): Operation | undefined {
    return this.operations.find((operation) => operation.id === id);
  }

  draftOf(operation: Operation): Draft {
    const known = this.#drafts[operation.id];
    if (known !== undefined) return known;
    const tool = toolOfOperation(operation);
    return firstDraft(operation, tool === null ? undefined : this.#arguments.first(tool));
  }

  /** The reason why the request cannot be sent yet; empty if it can. */
  faultOf(operation: Operation): string {
    const draft = this.draftOf(operation);
    const request = requestOf(operation, draft);
    if ('fault' in request) return request.fault;
    const tool = toolOfOperation(operation);
    if (tool === null) return '';
    const args = asFields(parseJson(draft.body)).arguments ?? {};
    const missing = this.#arguments.missing(tool, JSON.stringify(args)).slice(0, 10).join(', ');
    return missing === '' ? '' : `The body lacks arguments that the tool requires: ${missing}.`;
  }

  change(operation: Operation, change: Partial<Draft>): void {
    const draft = { ...this.draftOf(operation), ...change };
    this.#drafts = { ...this.#drafts, [operation.id]: draft };
  }

  /** Reads the document, unless that of this revision has been read. Never rejects. */
  async load(revision: string): Promise<void> {
    if (this.phase === 'ready' && revision === this.#revision) return;
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    if (this.operations.length === 0) this.phase = 'loading';
    try {
      const answer = await this.#fetch({ method: 'GET', path: 'openapi.json' }, signal);
      const document: unknown = await answer.json();
      if (signal.aborted) return;
      if (!answer.ok) throw new Error(`The page answers with status ${answer.status}.`);
      this.operations = operationsIn(document);
      this.#revision = revision;
      this.phase = 'ready';
    } catch (thrown) {
      if (signal.aborted) return;
      this.fault = errorText(thrown);
      this.phase = 'failed';
    }
  }

  /** Sends the request of an operation, as it is entered. Never rejects. */
  async send(operation: Operation): Promise<void> {
    const request = requestOf(operation, this.draftOf(operation));
    if ('fault' in request || this.faultOf(operation) !== '') return;
    if (this.phase !== 'ready' || this.isSending) return;
    const { signal } = (this.#sending = new AbortController());
    await this.#receive(signal, operation.id, request);
  }

  /** Ends the request; a call is cancelled. */
  cancel(): void {
    this.#sending?.abort();
  }

  dispose(): void {
    this.#loading?.abort();
    this.cancel();
  }

  async #receive(signal: AbortSignal, operation: string, request: ApiRequest): Promise<void> {
    const begun = performance.now();
    let answer: Answer = {
      operation,
      status: 0,
      type: '',
      text: '',
      dropped: 0,
      phase: 'waiting',
      fault: '',
      ms: 0,
    };
    const show = (change: Partial<Answer>): void => {
      answer = { ...answer, ...change, ms: performance.now() - begun };
      this.#answer = answer;
    };
    show({});
    try {
      const { status, headers, body } = await this.#fetch(request, signal);
      show({ status, type: headers.get('content-type') ?? '', phase: 'streaming' });
      const decoder = new TextDecoder();
      const reader = body?.getReader();
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) break;
        const room = Math.max(0, maxChars - answer.text.length);
        const text = decoder.decode(value, { stream: true });
        const dropped = answer.dropped + Math.max(0, text.length - room);
        show({ text: answer.text + text.slice(0, room), dropped });
      }
      show({ phase: 'ended' });
    } catch (thrown) {
      if (signal.aborted) show({ phase: 'cancelled' });
      else show({ phase: 'failed', fault: errorText(thrown) });
    }
  }

  #fetch({ method, path, headers, body }: ApiRequest, signal: AbortSignal): Promise<Response> {
    return fetch(new URL(`api/${path}`, this.#address), {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      redirect: 'error',
      signal,
      ...(body !== undefined && { body }),
    });
  }
}
