/** An interpreter's way to make calls, which comes with the pool of an opened folder. */

import type { Remote } from 'comlink';
import type {
  Broker,
  CallRequest,
  FromBroker,
  Loss,
  OrLost,
  PythonOutcome,
  Streamed,
  ToBroker,
} from '../protocol/frame.ts';
import { StreamRecord } from '../protocol/stream-record.ts';
import type { ToolCall } from '../spec/call.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { Stream } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { Interpreter } from './interpreter.ts';
import { wait } from '../async/wait.ts';
import { newId } from './new-id.ts';
import { RunningCalls, type CallWatch } from './running-calls.ts';

/** How long a broker that does nothing else may take to tell what a call has streamed; milliseconds. */
const streamedMs = 60;

type Say = (message: ToBroker, transfer?: Transferable[]) => void;

export interface RunningCall {
  readonly outcome: Promise<OrLost<PythonOutcome>>;
  /** Asks the call to end by itself. */
  cancel(): void;
  /** What it has streamed so far, as far as that can be had quickly. */
  streamed(): Promise<Streamed>;
}

export class InterpreterCalls {
  readonly #broker: Remote<Broker>;
  readonly #life: AbortSignal;
  readonly #say: Say;
  readonly #calls: RunningCalls;
  /** Schemas that the tool worker has, by tool. */
  readonly #schemas = new Map<string, JsonObject>();
  #loss: Loss | null = null;

  constructor(broker: Remote<Broker>, life: AbortSignal, say: Say) {
    this.#broker = broker;
    this.#life = life;
    this.#say = say;
    this.#calls = new RunningCalls(say);
  }

  /** Whether the outcome of a call is on its way. */
  get arriving(): boolean {
    return this.#calls.arriving;
  }

  /** Starts a call. Its outcome settles once, also when the interpreter is lost; it never rejects. */
  call(
    tool: RegisteredTool,
    { arguments: args, validate }: ToolCall,
    context: JsonText,
    limits: Limits,
    { onStream, answer }: CallWatch,
  ): RunningCall {
    const id = newId();
    const arrived = new StreamRecord(limits);
    const take = (stream: Stream): void => {
      arrived.add(stream);
      onStream?.(stream);
    };
    const outcome: Promise<OrLost<PythonOutcome>> = this.#loss
      ? Promise.resolve({ ok: false, loss: this.#loss })
      : this.#calls.begin(id, { onStream: take, answer });
    const isKnown = this.#schemas.get(tool.name) === tool.parameters;
    const request: CallRequest = {
      type: 'call',
      id,
      tool: tool.name,
      file: tool.source.file,
      arguments: args,
      context,
      validate,
      live: onStream !== undefined,
      ...(isKnown ? {} : { schema: JSON.stringify(tool.parameters) }),
    };
    this.#schemas.set(tool.name, tool.parameters);
    this.#say(request);
    return {
      outcome,
      cancel: () => {
        this.#say({ type: 'cancel', id });
      },
      // The broker has all of it; what has come here may lack what was merged on the way.
      streamed: async () => (await this.#streamed(id)) ?? arrived.streamed(),
    };
  }

  take(message: Extract<FromBroker, { readonly id: number }>): void {
    this.#calls.take(message);
  }

  lose(loss: Loss): void {
    this.#loss = loss;
    this.#calls.lose(loss);
  }

  #streamed(id: number): Promise<Streamed | null> {
    return wait(this.#life, this.#broker.streamed(id), {
      lost: this.#life,
      deadlineMs: streamedMs,
      what: 'Asking',
    }).catch(() => null);
  }
}

/** Lets the interpreter make calls. */
export function withCalls(
  python: Interpreter,
): Interpreter & { readonly caller: InterpreterCalls } {
  const caller = python.reach((broker, life, say) => new InterpreterCalls(broker, life, say));
  // It may have been lost before.
  void python.ended.then((loss) => {
    caller.lose(loss);
  });
  return Object.assign(python, { caller });
}
