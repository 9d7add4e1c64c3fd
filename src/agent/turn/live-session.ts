/** An open session: accepts the user's messages, runs turns, and notifies the page of changes. */

import { defer } from '../../runtime/async/defer.ts';
import { nextTask } from '../../runtime/async/pace.ts';
import { createObservers } from '../../runtime/hooks/observe.ts';
import { hasPythonState } from '../session/log/closing.ts';
import type { SessionLog, PythonLoss } from '../session/log/session-log.ts';
import { messageTooLong, notWriter } from '../session/session-errors.ts';
import type { SessionState } from '../session/session-state.ts';
import { fitTitle } from '../session/session-head.ts';
import { noUsage } from '../session/usage.ts';
import type { CallAnswer } from '../../runtime/spec/call.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ModelMessage, ModelRef, UserPart } from '../../runtime/spec/model.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import type { SentBy } from '../../runtime/spec/session.ts';
import { runBackgroundPrompt } from './background-prompt.ts';
import { BackgroundPrompts } from './background.ts';
import { compact } from './compaction.ts';
import { CompactionBreaker } from './compactors.ts';
import type {
  CompactionOutcome,
  PromptSection,
  SessionApprovals,
  ShownMessage,
} from './live-session-types.ts';
import { liveStateOf, LiveState, type Live, type QueuedMessage } from './live-state.ts';
import { notInRecording } from './playback.ts';
import { promptSections } from './prompt.ts';
import { ToolSelection, type SelectionDeps, type SelectOptions } from './selection.ts';
import type { TurnDeps } from './deps.ts';
import { beginTurn, runTurn } from './turn.ts';

/** Limits for the user's answer to a call, as the log stores it. */
const maxArgumentChars = 100_000;
const maxReasonChars = 10_000;
/** Limits of messages of one extension in a session: how many, and their characters. */
const maxShown = 500;
const maxShownChars = 5_000_000;

export interface LiveSessionDeps
  extends
    Pick<
      TurnDeps,
      'hooks' | 'clock' | 'models' | 'calls' | 'programs' | 'checkArguments' | 'report'
    >,
    SelectionDeps {
  readonly log: SessionLog;
  /** Limit for the characters of one message's JSON. */
  readonly messageChars: number;
  /** Runs a function in one of the page's next frames, at most once every 60 ms. */
  readonly nextFrame: (then: () => void) => void;
}

export class LiveSession {
  readonly id: string;
  readonly background: BackgroundPrompts;
  readonly selection: ToolSelection;
  /** Notifies observers soon, once for all changes until then. */
  readonly notify: () => void;
  readonly approvals: SessionApprovals;
  readonly #deps: LiveSessionDeps;
  readonly #turnDeps: TurnDeps;
  readonly #observers;
  readonly #frameObservers;
  readonly #live: LiveState;
  readonly #unobserveLog: () => void;
  #stop = new AbortController();
  #turn: Promise<void> | null = null;
  /** Whether a message was sent after the running turn was stopped. */
  #sentAfterStop = false;
  #wasWriter: boolean;
  #observedEvents: number;

  constructor(deps: LiveSessionDeps) {
    this.#deps = deps;
    const { log, hooks } = deps;
    this.id = log.id;
    this.#observers = createObservers<null>(deps.report);
    this.#frameObservers = createObservers<null>(deps.report);
    const notifySoon = defer(
      () => this.#observers.emit(null),
      (then) => void nextTask().then(then),
    );
    const notifyInFrame = defer(
      () => this.#frameObservers.emit(null),
      (then) => deps.nextFrame(then),
    );
    this.notify = () => {
      if (this.#observers.isObserved) notifySoon();
      // Without this check, the browser would draw a frame for each step of a session that is not
      // shown.
      if (this.#frameObservers.isObserved) notifyInFrame();
    };
    this.#live = new LiveState((live) => {
      hooks.observers.emit({ type: 'live', session: log.id, live });
      this.notify();
    });
    this.selection = new ToolSelection(log, deps, this);
    this.approvals = this.selection;
    const live = this.#live;
    const selection = this.selection;
    this.#turnDeps = { ...deps, live, selection, breaker: new CompactionBreaker() };
    this.background = new BackgroundPrompts({
      log,
      clock: deps.clock,
      run: (signal, prompt) => runBackgroundPrompt(signal, prompt, this.#turnDeps),
      onChange: () => this.notify(),
    });
    this.#wasWriter = log.writes;
    this.#observedEvents = log.events.length;
    this.#unobserveLog = log.observe(() => this.#logChanged());
    this.selection.grantRights();
  }

  get state(): SessionState {
    return this.#deps.log.state;
  }

  get live(): Live {
    const { state, writes, following } = this.#deps.log;
    const live = this.#live.get();
    return writes ? live : liveStateOf(state, following, live.queue);
  }

  /** False if another tab writes this session, and this tab follows. */
  get writes(): boolean {
    return this.#deps.log.writes;
  }

  /** A problem with the stored session, for the user; null if there is none. */
  get problem(): string | null {
    return this.#deps.log.problem;
  }

  /** The selected tools; locked once the first message is sent. */
  get selected(): readonly string[] {
    return this.selection.names;
  }

  /** Calls the listener soon after any change of what the session shows, once for all of them. @returns dispose */
  observe(listener: () => void): () => void {
    return this.#observers.observe(listener);
  }

  /** Like `observe`, for drawing: calls the listener in an animation frame, at most once every 60 ms. */
  observeFrames(listener: () => void): () => void {
    return this.#frameObservers.observe(listener);
  }

  /** Starts a turn, or queues the message for the next request of the running one. @throws {ToolError} `limit` */
  send(parts: readonly UserPart[], from?: SentBy): void {
    if (parts.length === 0) return;
    if (JSON.stringify(parts).length > this.#deps.messageChars) throw messageTooLong();
    if (!this.writes) throw notWriter();
    const message = { id: this.#deps.clock.newId(), parts, ...(from && { from }) };
    if (this.#turn !== null) {
      this.#live.enqueue(message);
      this.#live.skipRetryWait();
      this.#sentAfterStop ||= this.#stop.signal.aborted;
      return;
    }
    // Queued messages are older, so they come first.
    this.#run([...this.#live.dequeue(), message]);
  }

  unsend(id: string): void {
    this.#live.removeQueued(id);
  }

  /** Cancels running calls that allow it, so that queued messages are sent sooner. */
  interrupt(): void {
    this.#live.interrupt();
  }

  /** Ends the turn. Its results so far stay in the session. */
  stop(): void {
    this.#stop.abort();
  }

  /** Continues after a turn that failed, was stopped or was lost. */
  resume(): void {
    if (this.#turn !== null || this.state.head.messages === 0) return;
    this.#run([]);
  }

  setStepMode(on: boolean): void {
    this.#live.setStepMode(on);
  }

  /** Runs the action that step mode waits for. @param args JSON object with which a call runs instead @throws {ToolError} */
  step(args?: JsonText): void {
    const isChanged = args !== undefined && this.live.paused?.before === 'call';
    // The log could not store longer arguments.
    if (isChanged && args.length > maxArgumentChars)
      throw new ToolError('limit', `Arguments can have at most ${maxArgumentChars} characters.`);
    this.#live.proceed(isChanged ? args : undefined);
  }

  /** Selects tools until the first message. */
  select(tools: readonly string[], options: SelectOptions = {}): void {
    this.selection.choose(tools, options);
    this.notify();
  }

  useModel(model: ModelRef): void {
    this.#deps.log.append({ type: 'model', model });
    this.#live.skipRetryWait();
  }

  /** @param text null for the default prompt */
  usePrompt(text: string | null): void {
    this.#deps.log.append({ type: 'prompt', text: text ?? '' });
  }

  rename(title: string): void {
    const fit = fitTitle(title);
    if (fit !== '') this.#deps.log.append({ type: 'titled', title: fit, by: 'user' });
  }

  /** Replaces what the model is sent so far, but not the transcript. @param from the file of the extension @throws {ToolError} */
  replaceMessages(messages: readonly ModelMessage[], summary: string, from: string): void {
    const { log } = this.#deps;
    if (!this.writes) throw notWriter();
    if (this.#turn !== null)
      throw new ToolError('bad-input', 'The messages cannot be replaced while a turn runs.');
    const before = log.state.head.events;
    log.append({ type: 'compacted', before, summary, messages, from, usage: noUsage });
  }

  /** Adds a message of an extension for the user. @throws {ToolError} `limit`, or if another tab writes the session */
  show(message: ShownMessage): void {
    const { log } = this.#deps;
    if (!this.writes) throw notWriter();
    const shown = log.state.entries.flatMap((entry) =>
      entry.kind === 'shown' && entry.from.file === message.from.file ? [entry] : [],
    );
    const chars = [...shown, message].reduce(
      (sum, { data, text }) => sum + data.length + text.length,
      0,
    );
    if (shown.length >= maxShown || chars > maxShownChars)
      throw new ToolError(
        'limit',
        `A session shows at most ${maxShown} messages and ${maxShownChars.toLocaleString('en')} characters of one extension.`,
      );
    log.append({ type: 'shown', ...message });
  }

  /** Summarises earlier messages now. @throws {ModelError} if the session plays a recording */
  async compact(): Promise<CompactionOutcome> {
    const { model } = this.state.head;
    if (this.#turn !== null) return 'busy';
    if (model === null) return 'nothing';
    if (model.provider === replayProvider) throw notInRecording();
    let outcome: CompactionOutcome = 'failed';
    await this.#work(async (signal) => {
      outcome = await compact(signal, model, this.#turnDeps);
    });
    return outcome;
  }

  /** The sections of the next request's system prompt. */
  prompt(): Promise<readonly PromptSection[]> {
    const { log, hooks } = this.#deps;
    const selection = log.state.selection ?? { tools: this.selection.tools, names: [] };
    const sections = promptSections({ ...log.state, selection }, (name) =>
      this.selection.tool(name),
    );
    return hooks.prompt.run(sections, { session: log.id, kind: 'step' });
  }

  /** Makes this tab write the session instead of another one. */
  takeOver(): Promise<void> {
    return this.#deps.log.takeOver();
  }

  /** Makes this tab write the session, unless another tab does. @returns whether this tab now writes */
  claim(): Promise<boolean> {
    return this.#deps.log.claim();
  }

  /**
   * Logs the user's answer about a call.
   *
   * @param tool the tool that the user was asked about
   */
  answered(callId: string, tool: string, answer: CallAnswer): void {
    if (!this.state.calls.has(callId) && !isNested(this.state, callId)) {
      this.background.answered(callId, tool, answer);
      return;
    }
    const { approval, reason, arguments: args } = answer;
    // The call already uses this answer, so logging it must not fail.
    this.#deps.log.append({
      type: 'call-answered',
      callId,
      tool,
      approval,
      reason: reason.slice(0, maxReasonChars),
      ...(args === undefined ? {} : { arguments: loggedArguments(args) }),
    });
  }

  /** Logs that Python state was lost, if there was any. */
  pythonRestarted(why: PythonLoss): void {
    const { log } = this.#deps;
    if (log.writes && hasPythonState(log.events)) log.append({ type: 'python-anew', why });
  }

  /**
   * Resolves when nothing is running any more, including turns for messages that arrived too late for the running one.
   */
  async settled(): Promise<void> {
    do await Promise.all([this.#turn, this.background.settled()]);
    while (this.#turn !== null);
  }

  /** Ends all work and revokes the session's right to call tools. */
  dispose(): void {
    this.#cancelAll();
    this.selection.revokeRights();
    this.#unobserveLog();
  }

  #cancelAll(): void {
    this.#stop.abort();
    this.background.cancel();
  }

  /** @param messages empty to continue from the current position */
  #run(messages: readonly QueuedMessage[]): void {
    const { log, clock } = this.#deps;
    const turnId = clock.newId();
    void this.#work(async (signal) => {
      try {
        if (!(await beginTurn(signal, turnId, messages, this.#turnDeps))) return;
      } catch (thrown) {
        // The messages return to the queue, where the user can send or remove them.
        this.#live.requeue(messages);
        if (signal.aborted) return;
        this.#sentAfterStop = false;
        this.#stop.abort();
        throw thrown;
      }
      const ended = await runTurn(signal, turnId, this.#turnDeps);
      log.append({ type: 'turn-ended', turnId, ...ended });
    });
  }

  /** Runs one piece of work. Messages that were queued too late for it start the next turn. */
  #work(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#stop = new AbortController();
    this.#sentAfterStop = false;
    this.#live.set({ phase: 'asking' });
    const turn = work(this.#stop.signal)
      .catch(this.#deps.report)
      .then(() => {
        this.#turn = null;
        this.#live.reset();
        // If another tab has taken over, its user sends the messages.
        if (!this.#deps.log.writes) return;
        // A user who stops a turn and then sends a message wants that message answered.
        if (this.#stop.signal.aborted && !this.#sentAfterStop) return;
        const queued = this.#live.dequeue();
        if (queued.length > 0) this.#run(queued);
      });
    this.#turn = turn;
    return turn;
  }

  #logChanged(): void {
    const { log, hooks } = this.#deps;
    // Another tab has taken over, and this tab cannot write any more.
    if (this.#wasWriter && !log.writes) this.#cancelAll();
    this.#wasWriter = log.writes;
    const { messages } = log.state.head;
    for (const event of log.events.slice(this.#observedEvents))
      hooks.observers.emit({ type: 'logged', session: log.id, event, messages });
    this.#observedEvents = log.events.length;
    this.notify();
  }
}

/** Whether a program of the running turn has made the call. */
function isNested({ calls }: SessionState, callId: string): boolean {
  for (const { phase, nested = [] } of calls.values())
    if (phase !== 'ended' && nested.some(({ id }) => id === callId)) return true;
  return false;
}

/** Replaces arguments that are too long by a note, which is JSON like arguments. */
function loggedArguments(args: string): string {
  if (args.length <= maxArgumentChars) return args;
  return JSON.stringify(`${args.length.toLocaleString('en')} characters: too long to store`);
}
