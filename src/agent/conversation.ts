/** A session that is open in this page: takes what the person says, runs its turns, and tells who watches. */

import { hasPythonState } from '../session/closing.ts';
import type { PythonLost } from '../session/recover.ts';
import { followed, tooLong } from '../session/session-troubles.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { SessionState } from '../session/session-state.ts';
import { fitTitle } from '../session/session-title.ts';
import type { CallAnswer } from '../spec/call.ts';
import type { ModelRef, UserPart } from '../spec/model.ts';
import { replayProvider } from '../spec/recording.ts';
import { BackgroundRun } from './background-run.ts';
import { backgroundPrompt } from './background.ts';
import { beginTurn } from './begin-turn.ts';
import { compact, CompactionBreaker } from './compaction.ts';
import type { Compacted, Conversation, PromptSection } from './conversation-type.ts';
import type { TurnEffects } from './effects.ts';
import { followedLive } from './followed-live.ts';
import { Hurry } from './hurry.ts';
import type { Live, Queued } from './live.ts';
import { LiveState } from './live-state.ts';
import { MessageQueue } from './message-queue.ts';
import { onlyItsOwn } from './recorded-answer.ts';
import { logAnswer } from './log-answer.ts';
import { ToolSelection, type SelectionParts } from './selection.ts';
import { shownPrompt } from './shown-prompt.ts';
import { StepGate } from './step-gate.ts';
import { Watchers } from './watchers.ts';
import { wholeTurn } from './whole-turn.ts';

export interface ConversationParts
  extends
    Pick<TurnEffects, 'hooks' | 'clock' | 'ask' | 'info' | 'call' | 'refuse' | 'due' | 'report'>,
    SelectionParts {
  readonly log: SessionLog;
  /** Characters of JSON that one message may have. */
  readonly messageChars: number;
  /** Runs `then` with the next picture of the page. */
  readonly soon: (then: () => void) => void;
}

export class SessionConversation implements Conversation {
  readonly id: string;
  readonly #parts: ConversationParts;
  readonly #watchers: Watchers;
  readonly #live: LiveState;
  readonly #queue: MessageQueue;
  readonly #hurry = new Hurry();
  readonly #gate: StepGate;
  readonly #selection: ToolSelection;
  readonly #breaker = new CompactionBreaker();
  readonly #dispose: () => void;
  readonly background: BackgroundRun;
  #stop = new AbortController();
  #turn: Promise<void> | null = null;
  #wrote: boolean;
  /** Something was said after the turn under way was stopped. */
  #saidSince = false;
  #logged: number;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const { log, hooks } = parts;
    this.id = log.id;
    this.#watchers = new Watchers(parts.soon, (thrown) => parts.report(thrown));
    this.#live = new LiveState((live) => {
      hooks.observers.emit({ type: 'live', session: log.id, live });
      this.tell();
    });
    this.#queue = new MessageQueue(this.#live);
    this.#gate = new StepGate(this.#live);
    this.#selection = new ToolSelection(log, parts, this);
    this.#logged = log.events.length;
    this.#wrote = log.writes;
    this.background = new BackgroundRun({
      ...{ log, now: () => parts.clock.now(), newId: () => parts.clock.newId() },
      run: (signal, run) => backgroundPrompt(signal, run, this.#effects()),
      onChange: () => this.tell(),
    });
    this.#dispose = log.observe(() => this.#follow());
    this.#selection.openPython();
  }

  get state(): SessionState {
    return this.#parts.log.state;
  }

  get live(): Live {
    const { state, writes, following } = this.#parts.log;
    const live = this.#live.get();
    return writes ? live : followedLive(state, following, live.queue);
  }

  get writes(): boolean {
    return this.#parts.log.writes;
  }

  get problem(): string | null {
    return this.#parts.log.problem;
  }

  observe(listener: () => void): () => void {
    return this.#watchers.observe(listener);
  }

  send(parts: readonly UserPart[]): void {
    if (parts.length === 0) return;
    if (JSON.stringify(parts).length > this.#parts.messageChars) throw tooLong();
    if (!this.writes) throw followed();
    const id = this.#parts.clock.newId();
    if (this.#turn !== null) {
      this.#queue.add(id, parts);
      this.#hurry.now();
      this.#saidSince ||= this.#stop.signal.aborted;
      return;
    }
    // What waited is older.
    const messages = [...this.#queue.take(), { id, parts }];
    this.#run(messages);
  }

  unsend(id: string): void {
    this.#queue.remove(id);
  }

  stop(): void {
    this.#stop.abort();
  }

  resume(): void {
    if (this.#turn !== null || this.state.head.messages === 0) return;
    this.#run([]);
  }

  setStepMode(on: boolean): void {
    this.#gate.setMode(on);
  }

  step(): void {
    this.#gate.step();
  }

  select(tools: readonly string[], noOthers = false): void {
    this.#selection.choose(tools, noOthers);
    this.tell();
  }

  get selected(): readonly string[] {
    return this.#selection.names;
  }

  get approvals(): Conversation['approvals'] {
    return this.#selection;
  }

  useModel(model: ModelRef): void {
    this.#parts.log.append({ type: 'model', model });
    this.#hurry.now();
  }

  usePrompt(text: string | null): void {
    this.#parts.log.append({ type: 'prompt', text: text ?? '' });
  }

  rename(title: string): void {
    const fit = fitTitle(title);
    if (fit !== '') this.#parts.log.append({ type: 'titled', title: fit, by: 'person' });
  }

  async compact(): Promise<Compacted> {
    const { model } = this.state.head;
    if (this.#turn !== null) return 'busy';
    if (model === null) return 'nothing';
    if (model.provider === replayProvider) throw onlyItsOwn();
    let end: Compacted = 'failed';
    await this.#work(async (signal) => {
      end = await compact(signal, model, this.#breaker, this.#effects());
    });
    return end;
  }

  prompt(): Promise<readonly PromptSection[]> {
    return shownPrompt(this.#parts, this.#selection);
  }

  takeOver = (): Promise<void> => this.#parts.log.takeOver();

  claim = (): Promise<boolean> => this.#parts.log.claim();

  /** The person has answered for a call. @param tool that they were asked about */
  answered(callId: string, tool: string, answer: CallAnswer): void {
    if (this.state.calls.has(callId)) logAnswer(this.#parts.log, callId, tool, answer);
    else this.background.answered(callId, tool, answer);
  }

  /** Lets its tools be called, once they are locked. */
  openPython(): void {
    this.#selection.openPython();
  }

  /** All interpreters are others now: the tools folder was opened anew, or another one. */
  pythonBeganAnew(why: PythonLost): void {
    const { log } = this.#parts;
    if (log.writes && hasPythonState(log.events)) log.append({ type: 'python-anew', why });
  }

  /** Nothing runs any more: what came too late for a turn begins the next one. */
  async settled(): Promise<void> {
    do await Promise.all([this.#turn, this.background.settled()]);
    while (this.#turn !== null);
  }

  /** Nothing shows it any more, and nothing is to run. */
  dispose(): void {
    this.#halt();
    this.#selection.closePython();
    this.#dispose();
  }

  /** Nothing that is under way is to go on. */
  #halt(): void {
    this.#stop.abort();
    this.background.cancel();
  }

  /** @param messages none: it goes on from where the session is */
  #run(messages: readonly Queued[]): void {
    const { log, clock } = this.#parts;
    const turnId = clock.newId();
    void this.#work(async (signal) => {
      try {
        if (!(await beginTurn(signal, turnId, messages, { ...this.#effects(), log }))) return;
      } catch (thrown) {
        // It waits in the open until it can be sent, or is taken back.
        this.#queue.putBack(messages);
        if (signal.aborted) return;
        this.#saidSince = false;
        this.#stop.abort();
        throw thrown;
      }
      const ended = await wholeTurn(
        ...([signal, turnId, this.#breaker, this.#selection, this.#effects()] as const),
      );
      log.append({ type: 'turn-ended', turnId, ...ended });
    });
  }

  /** One thing at a time; what came too late for a turn begins the next one. */
  #work(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#stop = new AbortController();
    this.#saidSince = false;
    this.#live.set({ phase: 'asking' });
    const turn = work(this.#stop.signal)
      .catch(this.#parts.report)
      .then(() => {
        this.#turn = null;
        this.#live.rest();
        // Where another page has taken over, it is for the person to say it there.
        if (!this.#parts.log.writes) return;
        // Who stops a turn and then says something means to go on with that.
        if (this.#stop.signal.aborted && !this.#saidSince) return;
        const waiting = this.#queue.take();
        if (waiting.length > 0) this.#run(waiting);
      });
    this.#turn = turn;
    return turn;
  }

  /** Another page has taken over: what runs here would write nothing. */
  #follow(): void {
    const { log, hooks } = this.#parts;
    if (this.#wrote && !log.writes) this.#halt();
    this.#wrote = log.writes;
    for (const event of log.events.slice(this.#logged))
      hooks.observers.emit({ type: 'logged', session: log.id, event });
    this.#logged = log.events.length;
    this.tell();
  }

  /** Whoever watches is to look again. */
  tell(): void {
    this.#watchers.tell();
  }

  #effects(): TurnEffects {
    return {
      ...this.#parts,
      tool: (name) => this.#selection.tool(name),
      whyMissing: (name) => this.#selection.whyMissing(name),
      live: this.#live,
      takeQueue: () => (this.writes ? this.#queue.take() : []),
      putBack: (messages) => this.#queue.putBack(messages),
      steered: () => this.#queue.steered(),
      hurried: () => this.#hurry.signal(),
      gate: (...asked) => this.#gate.pass(...asked),
    };
  }
}
