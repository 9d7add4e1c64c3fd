/** The one way to run a tool, whoever calls: lookup, selection, interceptors, the run, the log. */

import type { Interceptors } from '../hooks/intercept.ts';
import { createObservers } from '../hooks/observe.ts';
import type { CallEvent, ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { failure } from './results.ts';
import type { Run } from './run.ts';

export interface CallEffects {
  readonly lookup: (tool: string) => RegisteredTool | undefined;
  /** The session may use the tool. */
  readonly selected: (sessionId: string, tool: string) => boolean;
  readonly interceptors: Interceptors<ToolCall, ToolResult>;
  readonly run: Run;
  /** Told of a call that begins; must not throw. */
  readonly begin: (call: ToolCall, at: number) => Beginning;
  readonly now: () => number;
  readonly limits: Limits;
  /** Told of what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

export interface Beginning {
  /** Where the call has to wait, until when; must not reject. */
  readonly admitted: Promise<void> | null;
  /** Takes the ended call into the log, with the arguments that it ran with; must not throw or wait. */
  readonly end: (result: ToolResult, at: number, ran: JsonText) => void;
}

interface Running {
  readonly call: ToolCall;
  readonly stop: AbortController;
  /** What it runs with: interceptors, and the person who is asked, may change it. */
  ran: JsonText;
}

export class CallPath {
  readonly #effects: CallEffects;
  readonly #observers;
  readonly #running = new Map<string, Running>();

  constructor(effects: CallEffects) {
    this.#effects = effects;
    this.#observers = createObservers<CallEvent>((thrown) => {
      effects.report(thrown);
    });
  }

  /** Calls under way, queued ones included, oldest first. */
  get running(): readonly ToolCall[] {
    return Array.from(this.#running.values(), ({ call }) => call);
  }

  /** Tells of every call of everybody. @returns dispose */
  observe(listener: (event: CallEvent) => void): () => void {
    return this.#observers.observe(listener);
  }

  /**
   * Runs a call to its end.
   *
   * @param signal ends the call as `cancelled`
   * @param onStream told of updates and output while it runs
   * @returns its result; refusals and failures included, it never rejects
   */
  async call(
    signal: AbortSignal,
    call: ToolCall,
    onStream?: (stream: Stream) => void,
  ): Promise<ToolResult> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const running: Running = { call, stop, ran: call.arguments };
    this.#running.set(call.id, running);
    const queuedAt = this.#effects.now();
    const { admitted, end } = this.#effects.begin(call, queuedAt);
    this.#observers.emit({ type: 'call-queued', call, at: queuedAt });
    if (admitted !== null) await admitted;
    const result = await this.#outcome(either, running, onStream);
    this.#running.delete(call.id);
    const at = this.#effects.now();
    end(result, at, running.ran);
    this.#observers.emit({ type: 'call-ended', call, result, at });
    return result;
  }

  /** @returns false where no such call is under way */
  cancel(callId: string): boolean {
    const running = this.#running.get(callId);
    running?.stop.abort();
    return running !== undefined;
  }

  cancelAll(): void {
    for (const { stop } of this.#running.values()) stop.abort();
  }

  async #outcome(
    signal: AbortSignal,
    running: Running,
    onStream?: (stream: Stream) => void,
  ): Promise<ToolResult> {
    const { call } = running;
    const refusal = this.#refusal(call);
    if (refusal) return refusal;
    try {
      return await this.#effects.interceptors.run(call, (admitted) => {
        running.ran = admitted.arguments;
        return this.#run(signal, admitted, running, onStream);
      });
    } catch (thrown) {
      // A guard that fails, refuses.
      const reason = errorText(thrown);
      return failure(
        `InterceptorError: ${reason}`,
        `The call of ${call.tool} was refused: ${reason}`,
      );
    }
  }

  /** Of a tool that is not there, or that the session may not use. */
  #refusal(call: ToolCall): ToolResult | null {
    const { lookup, selected } = this.#effects;
    const { sessionId, tool } = call;
    if (!lookup(tool)) return unknown(call);
    if (selected(sessionId, tool)) return null;
    return failure(
      `LookupError: ${tool} is not selected in this session`,
      `The tool ${tool} is not available in this session.`,
    );
  }

  /** Behind the interceptors, which may have changed tool and arguments. */
  async #run(
    signal: AbortSignal,
    call: ToolCall,
    running: Running,
    onStream?: (stream: Stream) => void,
  ): Promise<ToolResult> {
    const { lookup, run, limits, now } = this.#effects;
    const tool = lookup(call.tool);
    const refusal = this.#refusal(call) ?? refuse(call, limits);
    if (refusal || !tool) return refusal ?? unknown(call);
    const { id: callId, tool: asked } = call;
    return run(signal, tool, call, {
      onAnswer: (answer) => {
        running.ran = answer.arguments ?? running.ran;
        this.#observers.emit({ type: 'call-answered', callId, tool: asked, answer });
      },
      onStart: () => {
        this.#observers.emit({ type: 'call-started', callId, at: now() });
      },
      onStream: (stream) => {
        onStream?.(stream);
        this.#observers.emit({ type: 'call-stream', callId, stream });
      },
    });
  }
}

function unknown({ tool }: ToolCall): ToolResult {
  return failure(`LookupError: there is no tool ${tool}`, `There is no tool named ${tool}.`);
}

/** Arguments that are no JSON object never reach Python. */
function refuse({ arguments: args }: ToolCall, limits: Limits): ToolResult | null {
  if (args.length > limits.valueChars)
    return invalid(
      `the arguments have ${args.length} characters, more than the limit of ${limits.valueChars}`,
    );
  // Python parses them anyway; here a glance is enough to tell an object from anything else.
  if (!/^\s*\{/.test(args)) return invalid('the arguments are not a JSON object');
  return null;
}

function invalid(reason: string): ToolResult {
  return failure(`ValidationError: ${reason}`, `The call was refused: ${reason}.`);
}
