/** One tool worker and the requests that wait for it; any breach, crash or bad message ends it, and each request once. */

import type { AskAnswer } from '../../src/protocol/ask.ts';
import type {
  BrokerCall,
  BrokerStart,
  ChangesForPython,
  Loss,
  OrLost,
  PythonFacts,
  PythonOutcome,
  Streamed,
} from '../../src/protocol/frame.ts';
import type {
  DecisionKey,
  FileForPython,
  Header,
  ToToolWorker,
  ToolWorkerAssets,
} from '../../src/protocol/python.ts';
import type { WorkspaceReport, WorkspaceRequest } from '../../src/protocol/workspace.ts';
import type { JsonText } from '../../src/spec/json.ts';
import { StreamRecord } from '../../src/protocol/stream-record.ts';
import type { PackedInspection } from '../../src/spec/inspection.ts';
import { defaultLimits, type Limits } from '../../src/spec/limits.ts';
import { Allowance } from './allowance.ts';
import { Asks } from './asks.ts';
import { toAsk, toInspection, toOutcome, toPaths, toStarted, toStream } from './answers.ts';
import { Breach, Inbox, type Message } from './inbox.ts';
import type { Pending } from './pending-request.ts';
import { droppedRoom, roomFor, smallAnswer } from './rooms.ts';
import { makeSnapshot } from './snapshot-maker.ts';
import type { LinkEvents } from './link-events.ts';
import { toWorkspaceReport, workspaceRoom } from './workspace-answer.ts';

export class ToolWorkerLink {
  readonly #events: LinkEvents;
  readonly #allowance = new Allowance(() => performance.now());
  readonly #inbox = new Inbox(this.#allowance, (header) =>
    roomFor(header, this.#pending.get(header.id)),
  );
  readonly #pending = new Map<number, Pending>();
  readonly #asks = new Asks((id, n, ask) => {
    this.#events.onAsk(id, n, ask);
  });
  readonly #address: string;
  readonly #worker: Worker;
  #limits: Limits = defaultLimits;
  #isUp = false;
  #loss: Loss | null = null;

  /** Makes the tool worker at once: where the browser never gets done with that, nobody has been promised anything. */
  constructor(toolWorker: Blob, events: LinkEvents) {
    this.#events = events;
    this.#address = URL.createObjectURL(toolWorker);
    this.#worker = new Worker(this.#address);
    this.#worker.onmessage = ({ data }: MessageEvent) => {
      this.#accept(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      // Before Python is up an error means that it never will be; later it is a tool's own stray exception.
      if (!this.#isUp) this.#lose({ reason: 'start', detail: event.message });
    };
  }

  async start({ assets, limits, snapshot }: BrokerStart): Promise<OrLost<PythonFacts>> {
    this.#limits = limits;
    const started = await this.#ask(
      0,
      'ready',
      smallAnswer,
      toStarted,
      { op: 'start', assets, snapshot, heapBytes: limits.heapBytes },
      snapshot === null ? [] : [snapshot],
    );
    URL.revokeObjectURL(this.#address);
    return started;
  }

  /** In place of a start. The worker is gone afterwards. */
  makeSnapshot(assets: ToolWorkerAssets): Promise<OrLost<Blob>> {
    if (this.#loss) return Promise.resolve({ ok: false, loss: this.#loss });
    return makeSnapshot(this.#worker, assets);
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
      buffersOf(files),
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
      buffersOf(changes.written),
    );
  }

  workspace(id: number, request: WorkspaceRequest): Promise<OrLost<WorkspaceReport>> {
    const message = { op: 'workspace', id, ...request } as const;
    const room = workspaceRoom(request);
    const handed = buffersOf(request.written);
    return this.#ask(id, 'workspace', room, toWorkspaceReport, message, handed);
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

  decide(
    id: number,
    tool: string,
    file: string,
    key: DecisionKey,
    args: JsonText,
  ): Promise<OrLost<boolean>> {
    return this.#ask(id, 'decision', smallAnswer, (payload) => ({ value: payload === '1' }), {
      op: 'decide',
      id,
      tool,
      file,
      key,
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

  /** Hands on what the page says to a question; bytes in it are transferred. */
  answer(id: number, n: number, answer: AskAnswer): void {
    if (!this.#asks.answer(id, n)) return;
    const transfer = answer.answer === 'bytes' ? [answer.bytes.buffer] : [];
    this.#post({ op: 'answer', id, n, answer }, transfer);
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
    this.#worker.postMessage(message, transfer);
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
      case 'ask':
        this.#question(id, payload);
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

  #question(id: number, payload: string): void {
    const asked = toAsk(payload);
    if (!asked) throw new Breach('protocol', 'asked in a form that is not ours');
    if (!this.#asks.ask(id, asked.n, asked.ask))
      throw new Breach('flood', 'asked more at once than it may');
  }

  #answer(id: number, payload: string): void {
    const pending = this.#pending.get(id);
    if (!pending?.take(payload))
      throw new Breach('protocol', 'sent an answer in a form that is not ours');
    this.#pending.delete(id);
    if (id === 0) this.#isUp = true;
    if (!pending.record) return;
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

function buffersOf(files: readonly FileForPython[]): ArrayBuffer[] {
  return files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}
