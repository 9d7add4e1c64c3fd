/** One tool worker and the requests that wait for it; any breach, crash or bad message ends it, and each request once. */

import type {
  BrokerCall,
  BrokerStart,
  ChangesForPython,
  Loss,
  OrLost,
  PythonOutcome,
  Streamed,
} from '../../src/protocol/frame.ts';
import type { FileForPython, Header, ToToolWorker } from '../../src/protocol/python.ts';
import type { JsonText } from '../../src/spec/json.ts';
import { StreamRecord } from '../../src/protocol/stream-record.ts';
import type { PackedInspection } from '../../src/spec/inspection.ts';
import { defaultLimits, type Limits } from '../../src/spec/limits.ts';
import type { Stream } from '../../src/spec/result.ts';
import { Allowance } from './allowance.ts';
import { toInspection, toOutcome, toPaths, toStream } from './answers.ts';
import { Breach, Inbox, type Message } from './inbox.ts';

export interface LinkEvents {
  onStep(step: string): void;
  onStream(id: number, stream: Stream): void;
  /** The call has ended for the broker. */
  onEnd(id: number): void;
  onLost(loss: Loss): void;
}

interface Pending {
  readonly answer: Header['t'];
  /** Characters that its answer may have. */
  readonly room: number;
  readonly record: StreamRecord | null;
  /** false: the payload is not such an answer. */
  take(payload: string): boolean;
  lose(loss: Loss): void;
}

/** Characters of answers that carry no data of a tool. */
const smallAnswer = 100_000;
/** Characters of a list of all files that a folder may have. */
const droppedRoom = 5_000 * 1_003 * 2;
/**
 * Characters of one batch of a call's output. The loader sends up to 4,000,000 of updates and the latest one
 * besides (2,000,000), and all that a call may print (1,000,000, of which each may be escaped to six).
 */
const streamRoom = 13_000_000;

export class ToolWorkerLink {
  readonly #events: LinkEvents;
  readonly #allowance = new Allowance(() => performance.now());
  readonly #inbox = new Inbox(this.#allowance, (header) => this.#expected(header));
  readonly #pending = new Map<number, Pending>();
  #limits: Limits = defaultLimits;
  #worker: Worker | null = null;
  #loss: Loss | null = null;

  constructor(events: LinkEvents) {
    this.#events = events;
  }

  start({
    toolWorker,
    assets,
    limits,
    snapshot,
  }: BrokerStart): Promise<OrLost<{ version: string; stackSwitching: boolean }>> {
    this.#limits = limits;
    const address = URL.createObjectURL(toolWorker);
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data }: MessageEvent) => {
      this.#accept(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // Before Python is up an error means that it never will be; later it is a tool's own stray exception.
      if (this.#pending.has(0)) this.#lose({ reason: 'start', detail: event.message });
    };
    return this.#ask(
      0,
      'ready',
      smallAnswer,
      toStarted,
      { op: 'start', assets, snapshot, heapBytes: limits.heapBytes },
      snapshot === null ? [] : [snapshot],
    ).finally(() => {
      URL.revokeObjectURL(address);
    });
  }

  putFiles(
    id: number,
    name: string,
    files: readonly FileForPython[],
    folders: readonly string[],
    last: boolean,
  ): Promise<OrLost<null>> {
    return this.#ask(
      id,
      'done',
      smallAnswer,
      () => ({ value: null }),
      { op: 'files', id, name, files, folders, last },
      files.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    );
  }

  updateFiles(
    id: number,
    name: string,
    changes: ChangesForPython,
  ): Promise<OrLost<readonly string[]>> {
    return this.#ask(
      id,
      'dropped',
      droppedRoom,
      toPaths,
      { op: 'update', id, name, ...changes },
      changes.written.map(({ bytes }) => bytes.buffer as ArrayBuffer),
    );
  }

  inspect(id: number, file: string): Promise<OrLost<PackedInspection>> {
    return this.#ask(
      id,
      'report',
      this.#limits.reportChars * 2,
      (payload) => {
        const value = toInspection(payload, file);
        return value && { value };
      },
      { op: 'inspect', id, file },
    );
  }

  mayOverlap(id: number, tool: string, file: string, args: JsonText): Promise<OrLost<boolean>> {
    return this.#ask(id, 'decision', smallAnswer, (payload) => ({ value: payload === '1' }), {
      op: 'decide',
      id,
      tool,
      file,
      key: 'concurrency_safe',
      arguments: args,
    });
  }

  call(id: number, { live: _, ...call }: BrokerCall): Promise<OrLost<PythonOutcome>> {
    this.#allowance.earn();
    const record = new StreamRecord(this.#limits);
    return this.#ask<PythonOutcome>(
      id,
      'result',
      this.#limits.valueChars * 2 + 4_000_000,
      (payload) => {
        const parsed = toOutcome(payload);
        if (!parsed) return null;
        return { value: { ...parsed.outcome, streamed: record.streamed(parsed.outputDropped) } };
      },
      { op: 'call', id, ...call },
      [],
      record,
    );
  }

  cancel(id: number): void {
    if (this.#pending.has(id)) this.#post({ op: 'cancel', id });
  }

  streamed(id: number): Streamed | null {
    return this.#pending.get(id)?.record?.streamed() ?? null;
  }

  #ask<T>(
    id: number,
    answer: Header['t'],
    room: number,
    parse: (payload: string) => { value: T } | null,
    message: ToToolWorker,
    transfer: Transferable[] = [],
    record: StreamRecord | null = null,
  ): Promise<OrLost<T>> {
    if (this.#loss) return Promise.resolve({ ok: false, loss: this.#loss });
    return new Promise((resolve) => {
      this.#pending.set(id, {
        answer,
        room,
        record,
        take: (payload) => {
          const parsed = parse(payload);
          if (parsed) resolve({ ok: true, value: parsed.value });
          return parsed !== null;
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
    this.#worker?.postMessage(message, transfer);
  }

  #expected({ t, id }: Header): number {
    const pending = this.#pending.get(id);
    switch (t) {
      case 'step':
      case 'crashed':
      case 'failed':
        return smallAnswer;
      case 'stream':
        return pending?.record ? streamRoom : 0;
      default:
        return pending?.answer === t ? pending.room : 0;
    }
  }

  #accept(data: unknown): void {
    if (this.#loss) return;
    try {
      const message = this.#inbox.accept(data);
      if (message) this.#handle(message);
    } catch (breach) {
      this.#lose({
        reason: breach instanceof Breach ? breach.reason : 'protocol',
        detail: breach instanceof Error ? breach.message : String(breach),
      });
    }
  }

  #handle({ header: { t, id }, payload }: Message): void {
    switch (t) {
      case 'step':
        if (this.#pending.has(0)) this.#events.onStep(payload.slice(0, 200));
        return;
      case 'failed':
        if (this.#pending.has(0)) this.#lose({ reason: 'start', detail: payload.slice(0, 2_000) });
        return;
      case 'crashed':
        this.#lose({ reason: 'crashed', detail: payload.slice(0, 2_000) });
        return;
      case 'stream':
        this.#stream(id, payload);
        return;
      default:
        this.#answer(id, payload);
    }
  }

  #stream(id: number, payload: string): void {
    const stream = toStream(payload);
    if (!stream) throw new Breach('protocol', 'sent updates in a form that is not ours');
    this.#pending.get(id)?.record?.add(stream);
    this.#events.onStream(id, stream);
  }

  #answer(id: number, payload: string): void {
    const pending = this.#pending.get(id);
    if (!pending?.take(payload))
      throw new Breach('protocol', 'sent an answer in a form that is not ours');
    this.#pending.delete(id);
    if (pending.record) this.#events.onEnd(id);
  }

  #lose(loss: Loss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#worker?.terminate();
    for (const pending of this.#pending.values()) pending.lose(loss);
    this.#pending.clear();
    this.#events.onLost(loss);
  }
}

function toStarted(
  payload: string,
): { value: { version: string; stackSwitching: boolean } } | null {
  try {
    const { version, stackSwitching } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof version !== 'string' || typeof stackSwitching !== 'boolean') return null;
    return { value: { version: version.slice(0, 100), stackSwitching } };
  } catch {
    return null;
  }
}
