/**
 * The only way to run a tool, for every caller and every origin: lookup, selection, interceptors, argument check,
 * approval, run, interceptors, log. Every call, refused ones included, ends with a result and is logged.
 */

import { Observable } from '../hooks/observe.ts';
import type { Registry } from '../registry/registry.ts';
import type {
  CallAnswer,
  CallEvent,
  Dispatch,
  KnownTool,
  RunWatch,
  ToolCall,
} from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { CallChange, ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { CallInterceptors } from './interceptors.ts';
import type { OutputMask } from './output-mask.ts';
import { failure } from './results.ts';

export interface CallPathDeps {
  readonly registry: Pick<Registry, 'lookup'>;
  /** Whether the caller may use the tool in its session. */
  readonly selected: (call: ToolCall, known: KnownTool) => boolean;
  readonly interceptors: CallInterceptors;
  /** Whether a call needs no approval, because the user has started it. */
  readonly isApproved: (call: ToolCall) => boolean;
  readonly approve: Approve;
  /** Starts the call's log entry; must not throw. */
  readonly begin: (call: ToolCall, at: number) => Beginning;
  /** Returns what masks the folder's keys in the output of a call. Called once for each call. */
  readonly outputMask: () => Promise<OutputMask>;
  readonly now: () => number;
  readonly limits: Pick<Limits, 'valueChars' | 'callsAtOnce'>;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/**
 * Asks the user to approve a call if its tool requires it. Checks the arguments first, so that the user is
 * not asked about a call that would fail anyway. Never rejects.
 */
export type Approve = (
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  dispatch: Pick<Dispatch, 'check' | 'needsApproval'>,
) => Promise<CallDecision>;

export interface CallDecision {
  /** The user's answer; null if they were not asked or did not answer. */
  readonly answer: CallAnswer | null;
  /** Null if the call may run. */
  readonly refusal: ToolResult | null;
}

export type ApprovalState = 'waiting' | 'given';

export interface Beginning {
  /** The call waits for this promise if it is not null. Must not reject. */
  readonly accepted: Promise<void> | null;
  /**
   * Notes that the call waits for approval, or that approval was given. Must not throw.
   * @returns a promise that the call waits for before it runs; null if it need not wait
   */
  readonly approving?: (approval: ApprovalState) => Promise<void> | null;
  /** Logs the ended call with the arguments that it ran with. Must not throw or block. */
  readonly end: (result: ToolResult, at: number, args: JsonText) => void;
}

interface Running {
  readonly call: ToolCall;
  readonly stop: AbortController;
  readonly watch: Partial<RunWatch>;
  /** The arguments of the run, which interceptors and the user may have changed. */
  args: JsonText;
  approving?: Beginning['approving'];
  /** Changes by interceptors and the user. */
  readonly changes: CallChange[];
}

/** Limits for the changes that a result lists, and for the characters of each. */
const maxChanges = 10;
const maxChangeChars = 10_000;

/** Calls its listeners for the events of all calls. */
export class CallPath extends Observable<CallEvent> {
  readonly #deps: CallPathDeps;
  readonly #running = new Map<string, Running>();

  constructor(deps: CallPathDeps) {
    super((thrown) => deps.report(thrown));
    this.#deps = deps;
  }

  /** Calls that have not ended, including queued ones, oldest first. */
  get running(): readonly ToolCall[] {
    return Array.from(this.#running.values(), ({ call }) => call);
  }

  /**
   * Runs a call to its end. Never rejects: refusals and failures are results.
   *
   * @param signal ends the call as `cancelled`
   * @param watch receives the events of this call only
   */
  async call(
    signal: AbortSignal,
    call: ToolCall,
    watch: Partial<RunWatch> = {},
  ): Promise<ToolResult> {
    const stop = new AbortController();
    if (this.isFull) {
      const refusal = tooMany(this.#deps.limits);
      await this.refuse(call, refusal);
      return refusal;
    }
    const running: Running = { call, stop, watch, args: call.arguments, changes: [] };
    this.#running.set(call.id, running);
    const end = await this.#begin(call, running);
    const result = await this.#outcome(AbortSignal.any([signal, stop.signal]), running);
    this.#running.delete(call.id);
    end(result, running.args);
    return result;
  }

  /** Whether so many calls run or wait that the next one is refused. */
  get isFull(): boolean {
    // @mutant calls beyond the number at once => this.#running.size >= this.#deps.limits.callsAtOnce -> false
    return this.#running.size >= this.#deps.limits.callsAtOnce;
  }

  /** Logs a call that its caller has refused, with the result of the refusal. */
  async refuse(call: ToolCall, result: ToolResult): Promise<void> {
    (await this.#begin(call, {}))(result, call.arguments);
  }

  /** @returns false if no such call is running */
  cancel(callId: string): boolean {
    const running = this.#running.get(callId);
    running?.stop.abort();
    return running !== undefined;
  }

  cancelAll(): void {
    for (const { stop } of this.#running.values()) stop.abort();
  }

  async #begin(
    call: ToolCall,
    running: Pick<Running, 'approving'>,
  ): Promise<(result: ToolResult, args: JsonText) => void> {
    const { now, begin } = this.#deps;
    const queuedAt = now();
    const { accepted, approving, end } = begin(call, queuedAt);
    running.approving = approving;
    this.emit({ type: 'call-queued', call, at: queuedAt });
    if (accepted !== null) await accepted;
    return (result, args) => {
      const at = now();
      end(result, at, args);
      this.emit({ type: 'call-ended', call, result, at });
    };
  }

  async #outcome(signal: AbortSignal, running: Running): Promise<ToolResult> {
    const { call } = running;
    try {
      const found = this.#find(call);
      if ('resultType' in found) return found;
      const mask = await this.#deps.outputMask();
      const done: { own?: ToolResult } = {};
      const run = async (args: JsonText): Promise<ToolResult> => {
        running.args = args;
        // @mutant keys are masked in the results of tools => mask.result(await this.#run(signal, running, mask)) ->
        //   this.#run(signal, running, mask)
        done.own = await mask.result(await this.#run(signal, running, mask));
        return done.own;
      };
      const { changes } = running;
      const onChange = (change: CallChange): void => noteChange(changes, change);
      const result = await this.#deps.interceptors.around(signal, call, run, onChange);
      // An interceptor may have added a key to the result.
      if (result === done.own && changes.length === 0) return result;
      return await mask.result(changes.length === 0 ? result : { ...result, changes });
    } catch (thrown) {
      // The call path throws if, for example, the folder was closed meanwhile.
      const reason = errorText(thrown);
      return failure(`Error: ${reason}`, `The call to ${call.tool} failed: ${reason}`);
    }
  }

  /** Returns the tool, or the failure if this call may not use it. */
  #find(call: ToolCall): KnownTool | ToolResult {
    const { registry, selected } = this.#deps;
    const { tool } = call;
    const known = registry.lookup(tool);
    if (known === undefined)
      return failure(`LookupError: there is no tool ${tool}`, `There is no tool named ${tool}.`);
    // @mutant a tool that is not selected is not called => without if (selected(call, known))
    if (selected(call, known)) return known;
    return failure(
      `LookupError: ${tool} is not selected in this session`,
      `The tool ${tool} is not available in this session.`,
    );
  }

  async #run(signal: AbortSignal, running: Running, mask: OutputMask): Promise<ToolResult> {
    const { isApproved, approve, limits, now } = this.#deps;
    const { id: callId } = running.call;
    // Interceptors may have taken long: look the tool up again, because it may have changed or gone.
    const found = this.#find(running.call);
    if ('resultType' in found) return found;
    const refusal = refuseText(running.args, limits);
    if (refusal !== null) return refusal;
    const { tool, dispatch } = found;
    // @mutant a call that requires approval is asked about => never
    if (!isApproved(running.call)) {
      void running.approving?.('waiting');
      const { answer, refusal } = await approve(signal, tool, withArguments(running), dispatch);
      if (answer !== null) {
        const { args: before, changes } = running;
        running.args = answer.arguments ?? before;
        if (running.args !== before)
          noteChange(changes, { what: 'arguments', before, after: running.args });
        this.emit({ type: 'call-answered', callId, tool: tool.permission ?? tool.name, answer });
      }
      // @mutant a refusal by the user is respected => removed
      if (refusal !== null) return refusal;
      const noted = running.approving?.('given') ?? null;
      if (noted !== null) await noted;
    }
    const watch = mask.watch({
      onStart: () => {
        this.#try(() => running.watch.onStart?.());
        this.emit({ type: 'call-started', callId, at: now() });
      },
      onStream: (stream) => {
        this.#try(() => running.watch.onStream?.(stream));
        this.emit({ type: 'call-stream', callId, stream });
      },
    });
    return dispatch.run(signal, tool, withArguments(running), watch);
  }

  /** A caller that throws while it is shown what its call streams does not fail the call. */
  #try(tell: () => void): void {
    try {
      tell();
    } catch (thrown) {
      this.#deps.report(thrown);
    }
  }
}

function noteChange(changes: CallChange[], change: CallChange): void {
  if (changes.length >= maxChanges) return;
  const shorten = (text: string): string =>
    text.length <= maxChangeChars ? text : `${text.slice(0, maxChangeChars)} …`;
  changes.push({ ...change, before: shorten(change.before), after: shorten(change.after) });
}

function withArguments({ call, args }: Running): ToolCall {
  return args === call.arguments ? call : { ...call, arguments: args };
}

/** Refuses arguments that are not a JSON object or are too large, before they reach Python. */
function refuseText(args: JsonText, { valueChars }: Pick<Limits, 'valueChars'>): ToolResult | null {
  // @mutant the size limit of arguments => never
  if (args.length > valueChars)
    return invalid(
      `the arguments have ${args.length} characters, more than the limit of ${valueChars}`,
    );
  // Python will parse them. The first character is enough to recognize an object.
  if (!/^\s*\{/.test(args)) return invalid('the arguments are not a JSON object');
  return null;
}

function tooMany({ callsAtOnce }: Pick<Limits, 'callsAtOnce'>): ToolResult {
  return failure(
    `BusyError: ${callsAtOnce} calls are running or waiting`,
    `The call was refused, because ${callsAtOnce} calls are running or waiting. Wait until some have ended, and repeat it.`,
  );
}

function invalid(reason: string): ToolResult {
  return failure(`ValidationError: ${reason}`, `The call was refused: ${reason}.`);
}
