/**
 * The one way to run a tool, whoever calls and wherever the tool comes from: lookup, selection, interceptors, check of
 * the arguments, approval, run, interceptors, log. Every ending is a result, and every call is logged, refused ones too.
 */

import { createObservers } from '../hooks/observe.ts';
import type { CallAnswer, CallEvent, ToolCall } from '../spec/call.ts';
import type { Dispatch, KnownTool, RunWatch } from '../spec/dispatch.ts';
import { errorText } from '../spec/error.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { CallInterceptors } from './interceptors.ts';
import { failure } from './results.ts';

export interface CallPathDeps {
  readonly lookup: (tool: string) => KnownTool | undefined;
  /** Whether the caller may use the tool in its session. */
  readonly selected: (call: ToolCall, known: KnownTool) => boolean;
  readonly interceptors: CallInterceptors;
  readonly approve: Approve;
  /** Writes down that a call begins; must not throw. */
  readonly begin: (call: ToolCall, at: number) => Beginning;
  readonly now: () => number;
  readonly limits: Pick<Limits, 'valueChars'>;
  /** Receives what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

/**
 * Asks the user about a call where its tool requires that, after its arguments were checked: nobody is asked about a call
 * that would fail anyway. Never rejects.
 */
export type Approve = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  dispatch: Pick<Dispatch, 'check' | 'needsApproval'>,
) => Promise<CallDecision>;

export interface CallDecision {
  /** What the user said; null where they were not asked, or did not answer. */
  readonly answer: CallAnswer | null;
  /** Null: the call may run. */
  readonly refusal: ToolResult | null;
}

export interface Beginning {
  /** Until when the call has to wait; must not reject. */
  readonly accepted: Promise<void> | null;
  /** Takes the ended call into the log, with the arguments that it ran with; must not throw or wait. */
  readonly end: (result: ToolResult, at: number, ran: JsonText) => void;
}

interface Running {
  readonly call: ToolCall;
  readonly stop: AbortController;
  readonly watch: Partial<RunWatch>;
  /** What it runs with: interceptors and the user may change the arguments. */
  ran: JsonText;
}

export class CallPath {
  readonly #deps: CallPathDeps;
  readonly #observers;
  readonly #running = new Map<string, Running>();

  constructor(deps: CallPathDeps) {
    this.#deps = deps;
    this.#observers = createObservers<CallEvent>((thrown) => {
      deps.report(thrown);
    });
  }

  /** Calls that have not ended, queued ones included, oldest first. */
  get running(): readonly ToolCall[] {
    return Array.from(this.#running.values(), ({ call }) => call);
  }

  /** Hears of every call of every caller. @returns dispose */
  observe(listener: (event: CallEvent) => void): () => void {
    return this.#observers.observe(listener);
  }

  /**
   * Runs a call to its end. Never rejects: refusals and failures are results.
   *
   * @param signal ends the call as `cancelled`
   * @param watch hears of this call alone
   */
  async call(
    signal: AbortSignal,
    call: ToolCall,
    watch: Partial<RunWatch> = {},
  ): Promise<ToolResult> {
    const stop = new AbortController();
    const running: Running = { call, stop, watch, ran: call.arguments };
    this.#running.set(call.id, running);
    const end = await this.#begin(call);
    const result = await this.#outcome(AbortSignal.any([signal, stop.signal]), running);
    this.#running.delete(call.id);
    end(result, running.ran);
    return result;
  }

  /** Logs a call that its caller has refused itself, with what it was refused with. */
  async refuse(call: ToolCall, result: ToolResult): Promise<void> {
    (await this.#begin(call))(result, call.arguments);
  }

  /** @returns false where no such call runs */
  cancel(callId: string): boolean {
    const running = this.#running.get(callId);
    running?.stop.abort();
    return running !== undefined;
  }

  cancelAll(): void {
    for (const { stop } of this.#running.values()) stop.abort();
  }

  async #begin(call: ToolCall): Promise<(result: ToolResult, ran: JsonText) => void> {
    const { now, begin } = this.#deps;
    const queuedAt = now();
    const { accepted, end } = begin(call, queuedAt);
    this.#observers.emit({ type: 'call-queued', call, at: queuedAt });
    if (accepted !== null) await accepted;
    return (result, ran) => {
      const at = now();
      end(result, at, ran);
      this.#observers.emit({ type: 'call-ended', call, result, at });
    };
  }

  async #outcome(signal: AbortSignal, running: Running): Promise<ToolResult> {
    const { call } = running;
    try {
      const found = this.#find(call);
      if ('resultType' in found) return found;
      return await this.#deps.interceptors.around(signal, call, (args) => {
        running.ran = args;
        return this.#run(signal, running);
      });
    } catch (thrown) {
      // Such as a folder that was closed meanwhile.
      const reason = errorText(thrown);
      return failure(`Error: ${reason}`, `The call of ${call.tool} failed: ${reason}`);
    }
  }

  /** The tool, or why this call may not use it. */
  #find(call: ToolCall): KnownTool | ToolResult {
    const { lookup, selected } = this.#deps;
    const { tool } = call;
    const known = lookup(tool);
    if (known === undefined)
      return failure(`LookupError: there is no tool ${tool}`, `There is no tool named ${tool}.`);
    if (selected(call, known)) return known;
    return failure(
      `LookupError: ${tool} is not selected in this session`,
      `The tool ${tool} is not available in this session.`,
    );
  }

  async #run(signal: AbortSignal, running: Running): Promise<ToolResult> {
    const { approve, limits, now } = this.#deps;
    const { id: callId, tool: name, caller } = running.call;
    // An interceptor may have taken its time: the tool may be another one, or gone.
    const found = this.#find(running.call);
    if ('resultType' in found) return found;
    const refusal = refuseText(running.ran, limits);
    if (refusal !== null) return refusal;
    const { tool, dispatch } = found;
    // Pressing Run is consent.
    if (caller !== 'person') {
      const { answer, refusal } = await approve(signal, tool, withArguments(running), dispatch);
      if (answer !== null) {
        running.ran = answer.arguments ?? running.ran;
        this.#observers.emit({ type: 'call-answered', callId, tool: name, answer });
      }
      if (refusal !== null) return refusal;
    }
    return dispatch.run(signal, tool, withArguments(running), {
      onStart: () => {
        running.watch.onStart?.();
        this.#observers.emit({ type: 'call-started', callId, at: now() });
      },
      onStream: (stream) => {
        running.watch.onStream?.(stream);
        this.#observers.emit({ type: 'call-stream', callId, stream });
      },
    });
  }
}

function withArguments({ call, ran }: Running): ToolCall {
  return ran === call.arguments ? call : { ...call, arguments: ran };
}

/** Arguments that are no JSON object, or too large, never reach Python. */
function refuseText(args: JsonText, { valueChars }: Pick<Limits, 'valueChars'>): ToolResult | null {
  if (args.length > valueChars)
    return invalid(
      `the arguments have ${args.length} characters, more than the limit of ${valueChars}`,
    );
  // Python parses them anyway; here a glance is enough to tell an object from anything else.
  if (!/^\s*\{/.test(args)) return invalid('the arguments are not a JSON object');
  return null;
}

function invalid(reason: string): ToolResult {
  return failure(`ValidationError: ${reason}`, `The call was refused: ${reason}.`);
}
