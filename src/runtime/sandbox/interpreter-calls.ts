/**
 * The calls that run in one interpreter: what each of them streams and asks, and the outcome that it ends with.
 * Messages both ways pass through the broker, Cloche's worker in the frame of the sandbox, which checks what tools send.
 * So that it does not flood the page, it sends the next update of a call only after a `credit`, and another piece
 * of a long text only after a `taken`.
 */

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
import { bufferOf, putTexts, textForPython, type TextPiece } from '../protocol/long-texts.ts';
import { StreamRecord } from '../protocol/stream-record.ts';
import type { ToolCall } from '../spec/call.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import type { Stream } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { WorkspaceContext } from '../workspace/workspace-access.ts';

/**
 * Limit in characters for the long texts of one outcome: twice `valueChars`, which is about what the broker accepts
 * from the tool worker, and once more for what the call has streamed.
 */
const maxTextChars = 3 * defaultLimits.valueChars;
/** Milliseconds that the broker may take to report what a call has streamed, if it is otherwise idle. */
const streamedMs = 60;
/** Number of ids that are created at once, since each request for random numbers costs time. */
const idsAtOnce = 64;

/** The broker's methods that calls need. */
interface Streams {
  streamed(id: number): Promise<Streamed | null>;
}

/** Receives the broker's messages that concern no call. */
interface Others {
  /** The start of Python has reached this step. */
  onStep(step: string): void;
  /** Code in Python waits for the part of the standard library that is loaded after the start. */
  onLibraryWanted(): void;
  /** The interpreter has ended. The owner calls {@link InterpreterCalls.lose} after messages that are on the way. */
  onLost(loss: Loss): void;
}

export interface CallWatch {
  /** Receives live output; if absent, the call runs without streaming. */
  readonly onStream?: (stream: Stream) => void;
  /** Answers a question of the running call. Never rejects. */
  readonly answer: (n: number, ask: Ask) => Promise<AskAnswer>;
}

export interface RunningCall {
  readonly outcome: Promise<OrLost<PythonOutcome>>;
  /** Asks the handler to stop. */
  cancel(): void;
  /** Returns what the call has streamed so far. Falls back to what has arrived here if the broker takes too long. */
  streamed(): Promise<Streamed>;
}

interface Pending extends CallWatch {
  readonly settle: (outcome: OrLost<PythonOutcome>) => void;
  /** Everything that has been streamed to the page; empty if the call does not stream. */
  readonly record: StreamRecord;
  /** Long texts of its outcome that have arrived so far, by index. */
  readonly texts: Map<number, string>;
  charsLeft: number;
}

export class InterpreterCalls {
  readonly #broker: Streams;
  readonly #life: AbortSignal;
  readonly #messages: Pick<MessagePort, 'postMessage' | 'onmessage'>;
  readonly #others: Others;
  readonly #pending = new Map<number, Pending>();
  /** Schemas that the tool worker already has, by tool name. */
  readonly #schemas = new Map<string, JsonObject>();
  readonly #newId = createIds(idsAtOnce);
  #loss: Loss | null = null;

  constructor(
    broker: Streams,
    life: AbortSignal,
    messages: Pick<MessagePort, 'postMessage' | 'onmessage'>,
    others: Others,
  ) {
    this.#broker = broker;
    this.#life = life;
    this.#messages = messages;
    this.#others = others;
    messages.onmessage = ({ data }: MessageEvent<FromBroker>) => this.#receive(data);
  }

  /**
   * Starts a call. Its outcome always settles, also when the interpreter is lost, and never rejects.
   * @param options.checkOnly only checks the arguments, without running the handler
   */
  readonly call = (
    tool: RegisteredTool,
    { arguments: args, validate }: ToolCall,
    context: JsonText,
    limits: Limits,
    watch: CallWatch,
    { checkOnly = false } = {},
  ): RunningCall => {
    const id = this.#newId();
    const record = new StreamRecord(limits);
    const outcome = new Promise<OrLost<PythonOutcome>>((settle) => {
      if (this.#loss !== null) settle({ ok: false, loss: this.#loss });
      else
        this.#pending.set(id, {
          ...watch,
          settle,
          record,
          texts: new Map(),
          charsLeft: maxTextChars,
        });
    });
    const isKnown = this.#schemas.get(tool.name) === tool.parameters;
    const request: CallRequest = {
      type: 'call',
      id,
      tool: tool.name,
      file: tool.source.file,
      arguments: textForPython(args),
      context,
      validate,
      live: watch.onStream !== undefined,
      ...(checkOnly ? { checkOnly } : {}),
      ...(isKnown ? {} : { schema: JSON.stringify(tool.parameters) }),
    };
    this.#schemas.set(tool.name, tool.parameters);
    // After a loss, nobody receives this request.
    this.#send(request, bufferOf(request.arguments));
    return {
      outcome,
      cancel: () => this.#send({ type: 'cancel', id }),
      // The broker has everything; updates merged on the way may be missing here.
      streamed: async () => (await this.#collectStream(id)) ?? record.streamed(),
    };
  };

  #receive(message: FromBroker): void {
    if (message.type === 'step') return this.#others.onStep(message.step);
    if (message.type === 'wanted') return this.#others.onLibraryWanted();
    if (message.type === 'lost') return this.#others.onLost(message.loss);
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
        if (call) this.#addText(id, call, message.piece);
        return;
      case 'outcome':
        this.#pending.delete(id);
        call?.settle(putTexts(message.outcome, call.texts));
    }
  }

  /** Whether the outcome of a call has partly arrived. */
  get arriving(): boolean {
    for (const { texts } of this.#pending.values()) if (texts.size > 0) return true;
    return false;
  }

  /** Ends every call with this loss of the interpreter. */
  lose(loss: Loss): void {
    this.#loss = loss;
    for (const { settle } of this.#pending.values()) settle({ ok: false, loss });
    this.#pending.clear();
  }

  #send(message: ToBroker, transfer: Transferable[] = []): void {
    this.#messages.postMessage(message, transfer);
  }

  #collectStream(id: number): Promise<Streamed | null> {
    return wait(this.#life, this.#broker.streamed(id), { deadlineMs: streamedMs }).catch(
      () => null,
    );
  }

  #addText(id: number, call: Pending, { nth, text }: TextPiece): void {
    call.charsLeft -= text.length;
    if (call.charsLeft < 0) {
      // Only this call ends here. Whoever made it then ends the interpreter, as after any loss.
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

/** @param network origins that the tool may currently reach */
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
    sandbox: {
      network,
      workspace: workspace && { name: workspace.name, writing: workspace.writing },
      packages: [],
    },
  });
}

/**
 * Returns an id that tools cannot guess, so that code that a tool left running cannot fake the answer to a later call.
 */
export function newId(): number {
  return createIds(1)();
}

/**
 * Creates ids as {@link newId} does, `atOnce` of them whenever none is left. Each is a safe integer of 52 random bits,
 * taken from two random numbers of 32 bits.
 */
function createIds(atOnce: number): () => number {
  const random = new Uint32Array(2 * atOnce);
  let used = random.length;
  return () => {
    if (used === random.length) {
      crypto.getRandomValues(random);
      used = 0;
    }
    const [high = 0, low = 0] = random.subarray(used, used + 2);
    used += 2;
    return (high % 2 ** 20) * 2 ** 32 + low + 1;
  };
}
