/** The calls that run in one interpreter: what each streams, asks and ends with. */

import { wait } from '../async/wait.ts';
import type { Ask, AskAnswer } from '../protocol/ask.ts';
import type {
  CallRequest,
  FromBroker,
  Loss,
  OrLost,
  PythonOutcome,
  Streamed,
  ToBroker,
} from '../protocol/frame.ts';
import { putTexts, type TextPiece } from '../protocol/long-texts.ts';
import { StreamRecord } from '../protocol/stream-record.ts';
import type { ToolCall } from '../spec/call.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import type { Stream } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { WorkspaceContext } from '../workspace/workspace-access.ts';

/** Characters of the long texts of one outcome: what the broker takes of the tool worker, and what it has streamed. */
const mostTextChars = 3 * defaultLimits.valueChars;
/** How long a broker that does nothing else may take to tell what a call has streamed; milliseconds. */
const streamedMs = 60;

/** The broker, as far as it is asked here. */
interface Streams {
  streamed(id: number): Promise<Streamed | null>;
}

type Send = (message: ToBroker, transfer?: Transferable[]) => void;

export interface CallWatch {
  /** Absent: nobody watches while it runs. */
  readonly onStream?: (stream: Stream) => void;
  /** Answers what the call asks; never rejects. */
  readonly answer: (n: number, ask: Ask) => Promise<AskAnswer>;
}

export interface RunningCall {
  readonly outcome: Promise<OrLost<PythonOutcome>>;
  /** Asks the call to end by itself. */
  cancel(): void;
  /** What it has streamed so far, as far as that can be had quickly. */
  streamed(): Promise<Streamed>;
}

interface Pending extends CallWatch {
  readonly settle: (outcome: OrLost<PythonOutcome>) => void;
  /** All that has come here; nothing where nobody watches. */
  readonly record: StreamRecord;
  /** Long texts of its outcome, as far as they have come. */
  readonly texts: Map<number, string>;
  textRoom: number;
}

export class InterpreterCalls {
  readonly #broker: Streams;
  readonly #life: AbortSignal;
  readonly #send: Send;
  readonly #pending = new Map<number, Pending>();
  /** Schemas that the tool worker has, by tool. */
  readonly #schemas = new Map<string, JsonObject>();
  #loss: Loss | null = null;

  constructor(broker: Streams, life: AbortSignal, send: Send) {
    this.#broker = broker;
    this.#life = life;
    this.#send = send;
  }

  /**
   * Starts a call. Its outcome settles once, also when the interpreter is lost; it never rejects.
   * @param checkOnly the handler does not run: the arguments are checked
   */
  call(
    tool: RegisteredTool,
    { arguments: args, validate }: ToolCall,
    context: JsonText,
    limits: Limits,
    watch: CallWatch,
    checkOnly = false,
  ): RunningCall {
    const id = newId();
    const record = new StreamRecord(limits);
    const outcome = new Promise<OrLost<PythonOutcome>>((settle) => {
      if (this.#loss !== null) settle({ ok: false, loss: this.#loss });
      else
        this.#pending.set(id, {
          ...watch,
          settle,
          record,
          texts: new Map(),
          textRoom: mostTextChars,
        });
    });
    const isKnown = this.#schemas.get(tool.name) === tool.parameters;
    const request: CallRequest = {
      type: 'call',
      id,
      tool: tool.name,
      file: tool.source.file,
      arguments: args,
      context,
      validate,
      live: watch.onStream !== undefined,
      ...(checkOnly ? { checkOnly } : {}),
      ...(isKnown ? {} : { schema: JSON.stringify(tool.parameters) }),
    };
    this.#schemas.set(tool.name, tool.parameters);
    this.#send(request);
    return {
      outcome,
      cancel: () => {
        this.#send({ type: 'cancel', id });
      },
      // The broker has all of it; what has come here may lack what was merged on the way.
      streamed: async () => (await this.#streamed(id)) ?? record.streamed(),
    };
  }

  take(message: Extract<FromBroker, { readonly id: number }>): void {
    const { id } = message;
    const call = this.#pending.get(id);
    switch (message.type) {
      case 'stream':
        call?.record.add(message.stream);
        call?.onStream?.(message.stream);
        this.#send({ type: 'credit', id });
        return;
      case 'ask':
        if (call) void this.#answer(id, message.n, call.answer(message.n, message.ask));
        return;
      case 'text':
        if (call) this.#text(id, call, message.piece);
        return;
      case 'outcome':
        this.#pending.delete(id);
        call?.settle(putTexts(message.outcome, call.texts));
    }
  }

  /** Whether the outcome of a call is on its way. */
  get arriving(): boolean {
    for (const { texts } of this.#pending.values()) if (texts.size > 0) return true;
    return false;
  }

  /** The interpreter is gone: every call ends with that. */
  lose(loss: Loss): void {
    this.#loss = loss;
    for (const { settle } of this.#pending.values()) settle({ ok: false, loss });
    this.#pending.clear();
  }

  #streamed(id: number): Promise<Streamed | null> {
    return wait(this.#life, this.#broker.streamed(id), { deadlineMs: streamedMs }).catch(
      () => null,
    );
  }

  #text(id: number, call: Pending, { nth, text }: TextPiece): void {
    call.textRoom -= text.length;
    if (call.textRoom < 0) {
      this.#pending.delete(id);
      const detail = 'sent more than the limit in one result';
      call.settle({ ok: false, loss: { reason: 'protocol', detail } });
      return;
    }
    call.texts.set(nth, (call.texts.get(nth) ?? '') + text);
    this.#send({ type: 'taken', id });
  }

  async #answer(id: number, n: number, asked: Promise<AskAnswer>): Promise<void> {
    const answer = await asked;
    if (!this.#pending.has(id)) return;
    const transfer = answer.answer === 'bytes' ? [answer.bytes.buffer] : [];
    this.#send({ type: 'answer', id, n, answer }, transfer);
  }
}

/** @param network the origins that the tool may reach now */
export function callContext(
  call: ToolCall,
  network: readonly string[],
  workspace: WorkspaceContext | null = null,
): JsonText {
  return JSON.stringify({
    session_id: call.sessionId,
    session_key: call.sessionKey,
    turn_id: call.turnId,
    call_id: call.id,
    agent_id: call.agentId,
    workspace_path: workspace?.path,
    sandbox: { network, workspace: workspace && granted(workspace), packages: [] },
  });
}

function granted({ name, writing }: WorkspaceContext): { name: string; writing: string } {
  return { name, writing };
}

/** Not to be guessed: what a tool leaves behind must not pass for the answer to a later call. */
export function newId(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 20) * 2 ** 32 + low + 1;
}
