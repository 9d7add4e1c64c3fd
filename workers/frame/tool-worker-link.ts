/** The connection to one tool worker. Any breach, crash or invalid message terminates it; each request ends once. */

import { maxRequestBytes, type AskAnswer, type Ask } from '../../src/runtime/protocol/ask.ts';
import type {
  BrokerCall,
  BrokerStart,
  Loss,
  OrLost,
  PythonFacts,
  PythonOutcome,
  Streamed,
} from '../../src/runtime/protocol/frame.ts';
import { MessageReporter } from '../../src/runtime/protocol/message-reporter.ts';
import {
  parseHeader,
  type CompileMessage,
  type LibraryFiles,
  type SnapshotMessage,
  type Header,
  type ToToolWorker,
} from '../../src/runtime/protocol/python.ts';
import { StreamRecord } from '../../src/runtime/protocol/stream-record.ts';
import { bufferOf } from '../../src/runtime/protocol/long-texts.ts';
import { defaultLimits, type Limits } from '../../src/runtime/spec/limits.ts';
import type { Stream } from '../../src/runtime/spec/result.ts';
import { maxSnapshotBytes } from '../../src/runtime/spec/interpreter.ts';
import {
  Allowance,
  Breach,
  Inbox,
  type Message,
  toAsk,
  toOutcome,
  toStarted,
  toStream,
} from './incoming.ts';
import { Asks } from './to-page.ts';

/** Answers that contain no data of a tool; characters. */
export const smallAnswerChars = 100_000;
/**
 * Limit of one batch of a call's updates and output; characters. The loader sends up to 4,000,000
 * of updates, plus the latest update (2,000,000), plus everything that a call may print (1,000,000,
 * of which each may be escaped to six).
 */
const streamChars = 13_000_000;
/** Limit of one ask, mostly the base64 body of a request; characters. */
const askChars = Math.ceil((maxRequestBytes * 4) / 3) + 400_000;

/** The id of the request that starts Python, and of its answer. All other requests have ids of their own. */
const startId = 0;

/** A request that has not been answered yet. */
interface Pending extends Pick<Question<unknown>, 'answer' | 'maxChars'> {
  readonly record: StreamRecord | null;
  /** Resolves the request. @returns false if the payload is not a valid answer */
  resolve(payload: string): boolean;
  /** Fails the request, because the tool worker is lost. */
  lose(loss: Loss): void;
}

/** What the tool worker sends besides answers. */
interface LinkEvents {
  /** `step` names the current step of the start. */
  onStep(step: string): void;
  /** Python needs the rest of the standard library, which the page gives with `addLibraries`. */
  onLibraryWanted(): void;
  onStream(id: number, stream: Stream): void;
  /** `n` numbers the asks of one call. */
  onAsk(id: number, n: number, ask: Ask): void;
  /** A call has been answered. */
  onEnd(id: number): void;
  /** The tool worker has been terminated; all its requests have failed. */
  onLost(loss: Loss): void;
}

/** A request to the tool worker, and how its answer is checked. */
export interface Question<T> {
  readonly message: ToToolWorker;
  readonly transfer?: Transferable[];
  readonly answer: Header['t'];
  /** Limit of the answer, in characters. */
  readonly maxChars: number;
  /** Undefined if the payload is not a valid answer. */
  readonly parse: (payload: string) => T | undefined;
  /** Collects what a call streams; absent for other requests. */
  readonly record?: StreamRecord;
}

export class ToolWorkerLink {
  readonly #events: LinkEvents;
  readonly #allowance = new Allowance(() => performance.now());
  readonly #inbox = new Inbox(this.#allowance, (header) =>
    maxCharsOf(header, this.#pending.get(header.id)),
  );
  readonly #pending = new Map<number, Pending>();
  readonly #asks = new Asks((id, n, ask) => {
    this.#events.onAsk(id, n, ask);
  });
  readonly #address: string;
  readonly #worker: Worker;
  #limits: Limits = defaultLimits;
  /** Whether Python has started. */
  #isUp = false;
  /** Whether the page has been asked for the libraries, and has not answered. */
  #hasAsked = false;
  #loss: Loss | null = null;

  /** The limits that `start` was given. */
  get limits(): Limits {
    return this.#limits;
  }

  /** Creates the tool worker at once, so that a browser that never finishes this has not answered the page yet. */
  constructor(toolWorker: Blob, events: LinkEvents) {
    this.#events = events;
    this.#address = URL.createObjectURL(toolWorker);
    this.#worker = new Worker(this.#address);
    this.#worker.onmessage = ({ data }: MessageEvent) => {
      this.#accept(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // Before Python has started, an error ends the start; later it is an uncaught exception of a tool.
      if (!this.#isUp) this.#lose({ reason: 'start', detail: event.message });
    };
    this.#worker.onmessageerror = () => {
      this.#lose({
        reason: this.#isUp ? 'protocol' : 'start',
        detail: 'sent an unreadable message',
      });
    };
  }

  /** Compiles Pyodide here, because the tool worker is still reading its long script. */
  async compile(wasm: Blob): Promise<void> {
    try {
      const module = await WebAssembly.compileStreaming(new Response(wasm));
      if (this.#loss === null) this.#post({ op: 'module', module });
    } catch (thrown) {
      this.#lose({ reason: 'start', detail: String(thrown) });
    }
  }

  /** Starts Python. @returns facts about it, or the loss of the worker */
  async start({ files, limits, snapshot }: BrokerStart): Promise<OrLost<PythonFacts>> {
    this.#limits = limits;
    const alive = URL.createObjectURL(new Blob([], { type: 'text/javascript' }));
    const started = await this.ask({
      message: { op: 'start', files, snapshot, heapBytes: limits.heapBytes, alive },
      answer: 'ready',
      maxChars: smallAnswerChars,
      parse: toStarted,
    });
    URL.revokeObjectURL(this.#address);
    return started;
  }

  /** Passes on the page's answer to `onLibraryWanted`. */
  addLibraries(libraries: LibraryFiles | null): void {
    this.#hasAsked = false;
    if (this.#loss === null) this.#post({ op: 'libraries', libraries });
  }

  /** Sends the sources of the standard library, which tracebacks show. */
  addSources(stdlibSources: Blob): void {
    if (this.#loss === null) this.#post({ op: 'sources', stdlibSources });
  }

  /** Makes a snapshot instead of a `start`, or compiles packages after it. Terminates the worker afterwards. */
  askForBytes(message: SnapshotMessage | CompileMessage): Promise<OrLost<Blob>> {
    if (this.#loss) return Promise.resolve({ ok: false, loss: this.#loss });
    return askForBytes(this.#worker, message, () => this.#events.onLibraryWanted());
  }

  /** Runs a tool. @returns its outcome with what it streamed, or the loss of the worker */
  call(id: number, { live: _, ...call }: BrokerCall): Promise<OrLost<PythonOutcome>> {
    this.#allowance.earn();
    const record = new StreamRecord(this.#limits);
    return this.ask<PythonOutcome>({
      message: { op: 'call', id, ...call },
      transfer: bufferOf(call.arguments),
      answer: 'result',
      // The loader writes a result with at most twice its characters; its metadata, and a failure, have the rest.
      maxChars: this.#limits.valueChars * 2 + 4_000_000,
      parse: (payload) => {
        const parsed = toOutcome(payload);
        return parsed && { ...parsed.outcome, streamed: record.streamed(parsed.outputDropped) };
      },
      record,
    });
  }

  cancel(id: number): void {
    if (this.#pending.has(id)) this.#post({ op: 'cancel', id });
  }

  /** Passes on the page's answer to an ask; transfers its bytes. */
  answer(id: number, n: number, answer: AskAnswer): void {
    if (!this.#asks.answer(id, n)) return;
    const transfer = answer.answer === 'bytes' ? [answer.bytes.buffer] : [];
    this.#post({ op: 'answer', id, n, answer }, transfer);
  }

  /** Reports all messages of the worker to a port. */
  report(port: MessagePort): void {
    new MessageReporter(port).watch(this.#worker);
  }

  /** What a running call has streamed so far. */
  streamed(id: number): Streamed | null {
    return this.#pending.get(id)?.record?.streamed() ?? null;
  }

  /** Sends a request to the tool worker. @returns its one answer, or the loss of the worker */
  ask<T>(question: Question<T>): Promise<OrLost<T>> {
    const { message, transfer, answer, maxChars, parse, record = null } = question;
    if (this.#loss) return Promise.resolve({ ok: false, loss: this.#loss });
    const id = 'id' in message ? message.id : startId;
    return new Promise((resolve) => {
      this.#pending.set(id, {
        answer,
        maxChars,
        record,
        resolve: (payload) => {
          const value = parse(payload);
          if (value !== undefined) resolve({ ok: true, value });
          return value !== undefined;
        },
        lose: (loss) => {
          const streamed = record?.streamed();
          resolve({ ok: false, loss, ...(streamed ? { streamed } : {}) });
        },
      });
      this.#post(message, transfer);
    });
  }

  #post(message: ToToolWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #accept(data: unknown): void {
    if (this.#loss) return;
    try {
      const message = this.#inbox.accept(data);
      if (message) this.#receive(message);
    } catch (breach) {
      this.#lose({
        reason: breach instanceof Breach ? breach.reason : 'protocol',
        detail: breach instanceof Error ? breach.message : String(breach),
      });
    }
  }

  #receive({ header: { t, id }, payload }: Message): void {
    switch (t) {
      case 'step':
        if (this.#pending.has(startId)) this.#events.onStep(payload.slice(0, 200));
        return;
      case 'wanted':
        // @mutant a flood of requests for the libraries reaches the page once => !this.#hasAsked -> true
        //   [workers/frame/tool-worker-link.test.ts]
        if (!this.#hasAsked) this.#events.onLibraryWanted();
        this.#hasAsked = true;
        return;
      case 'failed':
        // The tool worker may send this before `start`, if it cannot read the compiled module.
        if (!this.#isUp) this.#lose({ reason: 'start', detail: payload.slice(0, 2_000) });
        return;
      case 'crashed':
        return this.#lose({ reason: 'crashed', detail: payload.slice(0, 2_000) });
      case 'stream':
        return this.#receiveStream(id, payload);
      case 'ask':
        return this.#receiveAsk(id, payload);
      default:
        return this.#receiveAnswer(id, payload);
    }
  }

  #receiveStream(id: number, payload: string): void {
    const stream = toStream(payload);
    if (!stream) throw new Breach('protocol', 'sent invalid updates');
    this.#pending.get(id)?.record?.add(stream);
    this.#events.onStream(id, stream);
  }

  #receiveAsk(id: number, payload: string): void {
    const message = toAsk(payload);
    if (!message) throw new Breach('protocol', 'sent an invalid request');
    if (!this.#asks.ask(id, message.n, message.ask))
      throw new Breach('flood', 'sent too many requests at once');
  }

  #receiveAnswer(id: number, payload: string): void {
    const pending = this.#pending.get(id);
    if (!pending?.resolve(payload)) throw new Breach('protocol', 'sent an invalid answer');
    this.#pending.delete(id);
    if (id === startId) this.#isUp = true;
    if (!pending.record) return; // The request was not a call.
    this.#asks.end(id);
    this.#events.onEnd(id);
  }

  #lose(loss: Loss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#worker.terminate();
    for (const pending of this.#pending.values()) pending.lose(loss);
    this.#pending.clear();
    this.#events.onLost(loss);
  }
}

/**
 * Lets a tool worker in which no foreign code has run make a snapshot or compile packages, then terminates it, so that
 * nothing else runs in it.
 */
export function askForBytes(
  worker: Worker,
  message: SnapshotMessage | CompileMessage,
  onLibraryWanted: () => void = () => undefined,
): Promise<OrLost<Blob>> {
  return new Promise<OrLost<Blob>>((resolve) => {
    const fail = (detail: string): void => {
      resolve({ ok: false, loss: { reason: 'start', detail } });
    };
    worker.onmessage = ({ data }: MessageEvent) => {
      if (typeof data === 'string') {
        const text = data.slice(1);
        const parsed = parseHeader(text);
        if (parsed?.header.t === 'wanted') onLibraryWanted();
        if (parsed?.header.t === 'failed') fail(text.slice(parsed.payloadAt).slice(0, 2_000));
        return;
      }
      if (data instanceof Blob && data.size <= maxSnapshotBytes) resolve({ ok: true, value: data });
      else fail('the message was not the bytes');
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message);
    };
    worker.onmessageerror = () => {
      fail('the bytes could not be read');
    };
    worker.postMessage(message);
  }).finally(() => {
    worker.terminate();
  });
}

/** Limit of a message with this header, in characters; 0 if it was not requested. */
function maxCharsOf({ t }: Header, pending: Pending | undefined): number {
  switch (t) {
    case 'step':
    case 'wanted':
    case 'crashed':
    case 'failed':
      return smallAnswerChars;
    case 'stream':
      return pending?.record ? streamChars : 0;
    case 'ask':
      return pending?.record ? askChars : 0;
    default:
      return pending?.answer === t ? pending.maxChars : 0;
  }
}
