/** Answers of stream providers in Python: receives the parts that the extension sends, at the pace of the reader. */

import { asError, wait } from '../../runtime/async/wait.ts';
import { describeExtras } from '../../runtime/registry/tool-extras.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import { asFields } from '../../runtime/spec/guards.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { ModelPart, ModelRequest, Usage } from '../../runtime/spec/model.ts';

/** Deadline for each part of an answer; milliseconds. */
const partMs = 60_000;
/** Limits of one answer, in addition to those for every model, and of one part; characters. */
const maxParts = 200_000;
const maxChars = 100_000;

/** Runs the function that streams one answer, as the call with this id. @throws {ToolError} */
export type RunStream = (signal: AbortSignal, callId: string) => Promise<unknown>;

interface Batch {
  readonly items: readonly unknown[];
  /** Lets the extension send the next batch. */
  readonly taken: () => void;
}

/** The answers of one extension that are being streamed. */
export class PythonStreams {
  readonly #open = new Map<string, Inbox>();
  readonly #failed: (what: string, message: string) => void;

  /** @param failed receives faults that the code of the extension has not raised itself */
  constructor(failed: (what: string, message: string) => void) {
    this.#failed = failed;
  }

  /**
   * Passes on what the code of a call sends.
   * @returns null if the call streams no answer; otherwise, a promise that resolves when the parts have been read
   */
  take(callId: string, action: Json): Promise<void> | null {
    const { action: name, items } = asFields(action);
    if (name !== 'stream') return null;
    // @mutant only the call that streams an answer sends parts of it => callId) -> callId) ??
    //   [...this.#open.values()][0] [src/agent/extensions/models.test.ts]
    const inbox = this.#open.get(callId);
    if (inbox === undefined || !Array.isArray(items))
      throw new ToolError('bad-input', 'It streams no answer.');
    return inbox.put(items);
  }

  /**
   * Streams one answer.
   * @param what names the stream provider in errors
   * @throws {ModelError} if it fails, sends anything invalid, or nothing for a minute; the signal's reason
   */
  async *answer(
    signal: AbortSignal,
    what: string,
    request: ModelRequest,
    run: RunStream,
  ): AsyncGenerator<ModelPart> {
    signal.throwIfAborted();
    const callId = crypto.randomUUID();
    const inbox = new Inbox();
    const stop = new AbortController();
    const parts = new Parts(request);
    this.#open.set(callId, inbox);
    run(AbortSignal.any([signal, stop.signal]), callId).then(
      () => inbox.end(null),
      (thrown: unknown) => inbox.end(thrown),
    );
    try {
      for (;;) {
        const batch = await wait(signal, inbox.next(), {
          deadlineMs: partMs,
        });
        if (batch === null) break;
        for (const item of batch.items) yield* parts.read(item);
        batch.taken();
      }
      yield* parts.end();
    } catch (thrown) {
      signal.throwIfAborted();
      const isItsOwn = inbox.hasThrown(thrown);
      if (!isItsOwn) this.#failed(what, errorText(thrown));
      throw new ModelError(
        'provider',
        isItsOwn ? errorText(thrown) : `${what} failed: ${errorText(thrown)}`,
        'Press “Continue” to try again, choose another model, or look at the page Extensions.',
      );
    } finally {
      stop.abort();
      inbox.close();
      this.#open.delete(callId);
    }
  }
}

/** What the extension has sent of one answer, until it is read. */
class Inbox {
  #batches: Batch[] = [];
  /** The end of the function that streams; its error is null if it succeeded. */
  #ended: { readonly thrown: unknown } | null = null;
  /** Whether nobody reads the answer any more. */
  #closed = false;
  #wake: () => void = () => undefined;

  put(items: readonly unknown[]): Promise<void> {
    if (this.#closed || this.#ended !== null)
      return Promise.reject(new ToolError('aborted', 'Nobody reads the answer any more.'));
    // The extension must wait until each batch was taken.
    // @mutant the parts of an answer in Python wait until they are read => >= 2 -> < 0
    //   [src/agent/extensions/models.test.ts]
    if (this.#batches.length >= 2)
      return Promise.reject(new ToolError('limit', 'It sends faster than its answer is read.'));
    return new Promise((taken) => {
      this.#batches.push({ items, taken });
      this.#wake();
    });
  }

  /** @param thrown null after a complete answer */
  end(thrown: unknown): void {
    this.#ended ??= { thrown };
    this.#wake();
  }

  /** The next batch; null at the end. @throws what the function has thrown */
  async next(): Promise<Batch | null> {
    for (;;) {
      const batch = this.#batches.shift();
      if (batch !== undefined) return batch;
      if (this.#ended !== null) {
        if (this.#ended.thrown === null) return null;
        throw asError(this.#ended.thrown);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Whether the function itself has thrown this error. */
  hasThrown(thrown: unknown): boolean {
    return this.#ended !== null && this.#ended.thrown === thrown;
  }

  close(): void {
    this.#closed = true;
    for (const { taken } of this.#batches) taken();
    this.#batches = [];
  }
}

const unknown: Usage = { input: null, cached: null, output: null, reasoning: null };

/** Turns the parts of one answer into those of a model. Trusts nothing about them. */
class Parts {
  readonly #request: ModelRequest;
  #usage = unknown;
  #count = 0;
  #calls = 0;
  /** The text or reasoning that is being written. */
  #open: { readonly type: 'text' | 'reasoning'; readonly id: string } | null = null;

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  /** @throws {ToolError} */
  *read(item: unknown): Generator<ModelPart> {
    const { type, text, name, id, arguments: args, ...rest } = asFields(item);
    this.#count += 1;
    if (this.#count > maxParts)
      throw new ToolError(
        'limit',
        `the answer has more than ${maxParts.toLocaleString('en')} parts`,
      );
    if ((type === 'text' || type === 'reasoning') && isText(text)) {
      if (this.#open?.type !== type) {
        yield* this.#close();
        this.#open = { type, id: String(this.#count) };
      }
      if (text !== '') yield { type, id: this.#open.id, delta: text };
    } else if (type === 'tool_call' && isText(name) && isText(args)) {
      yield* this.#close();
      this.#calls += 1;
      const callId = isText(id) && id !== '' ? id : `call-${this.#count}`;
      yield {
        type: 'call',
        id: callId,
        wire: this.#wireOf(name),
        arguments: args === '' ? '{}' : args,
      };
    } else if (type === 'usage')
      this.#usage = {
        input: count(rest.input),
        output: count(rest.output),
        cached: count(rest.cached),
        reasoning: count(rest.reasoning),
      };
    else throw new ToolError('protocol', 'a part of its answer is not in the expected form');
  }

  *end(): Generator<ModelPart> {
    yield* this.#close();
    yield { type: 'ended', finish: this.#calls > 0 ? 'calls' : 'stop', usage: this.#usage };
  }

  *#close(): Generator<ModelPart> {
    if (this.#open !== null) yield { type: 'part-ended', id: this.#open.id };
    this.#open = null;
  }

  /**
   * Finds a tool's wire name. Also accepts the id that the extension knows, such as `files:read`.
   */
  #wireOf(name: string): string {
    const names = this.#request.tools.map((tool) => tool.name);
    const wire = name.replace(':', '__');
    return !names.includes(name) && names.includes(wire) ? wire : name;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxChars;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? Math.round(value)
    : null;
}

/** The request as JSON text, for the extension. */
export function requestToPython(
  model: string,
  { system, tools, maxOutput }: ModelRequest,
  messages: JsonText,
): JsonText {
  const described = tools.map(describeExtras);
  const rest = JSON.stringify({ model, system, tools: described, max_output: maxOutput ?? null });
  return `${rest.slice(0, -1)},"messages":${messages}}`;
}
