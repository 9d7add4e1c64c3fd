/** An open session: snapshots of its state, taken at each change. */

import type { PageSession } from '../../../agent/turn/page-session.ts';
import type { Background } from '../../../agent/turn/live-session-types.ts';
import type { Live } from '../../../agent/turn/live-state.ts';
import type { Calls, Entry, SessionState } from '../../../agent/session/session-state.ts';
import type { Announcer } from '../parts/announcer.svelte.ts';
import { CallTrials, isEdited, isValidArguments } from './call-trials.svelte.ts';
import { turnAnnouncement } from './turn-words.ts';

export class OpenSession {
  readonly control: PageSession;
  readonly trials = new CallTrials();
  /** The part of the session that is being edited. */
  editing: 'title' | 'prompt' | null = $state(null);
  view: 'transcript' | 'trace' = $state('transcript');
  /** Number of messages that the user has sent from this page. */
  sent: number = $state(0);
  readonly #announcer: Pick<Announcer, 'say'>;
  readonly #onFollow: (session: OpenSession) => void;
  readonly #stop: () => void;
  #state: SessionState;
  // Separate from the state, since unchanged values cause no updates.
  entries: readonly Entry[] = $state.raw([]);
  calls: Calls = $state.raw(new Map());
  #live: Live;
  /** False if another page writes the session. */
  writes: boolean = $state(true);
  /** Describes a problem of the stored data. */
  problem: string | null = $state(null);
  selected: readonly string[] = $state.raw([]);
  /** Whether the model may write programs. */
  programs: boolean = $state(false);
  /** Names of the user's permissions for the rest of the session: tools, and definitions of tools of servers. */
  allowed: readonly string[] = $state.raw([]);
  running: Background['running'] = $state.raw(null);
  ended: Background['ended'] = $state.raw([]);
  #unheard: { readonly ok: boolean } | null = $state.raw(null);
  /** Parts that the user has folded or opened. They are kept here, because rows that leave the view are unmounted. */
  #toggled: ReadonlySet<string> = $state.raw(new Set());

  /** @param onFollow called when another page writes the session, also initially */
  constructor(
    control: PageSession,
    announcer: Pick<Announcer, 'say'>,
    onFollow: (session: OpenSession) => void = () => undefined,
  ) {
    this.control = control;
    this.#onFollow = onFollow;
    this.#announcer = announcer;
    this.#state = $state.raw(control.state);
    this.#live = $state.raw(control.live);
    this.#read();
    this.#stop = control.observeFrames(() => {
      const before = { live: this.#live, state: this.#state };
      this.#read();
      const news = turnAnnouncement(before, { live: this.#live, state: this.#state });
      if (news !== '') this.#announcer.say(news);
    });
  }

  get id(): string {
    return this.control.id;
  }

  get state(): SessionState {
    return this.#state;
  }

  get live(): Live {
    return this.#live;
  }

  /** Whether a background prompt has ended and its answer has not been seen. */
  get unheard(): { readonly ok: boolean } | null {
    return this.#unheard;
  }

  /** Records that the user has seen the answer of the background prompt. */
  hear(): void {
    this.#unheard = null;
  }

  /** Whether something was sent, so that the session is stored and its tools are locked. */
  get begun(): boolean {
    return this.#state.selection !== null || this.#state.head.messages > 0;
  }

  /** Whether the session is stored, because something was sent or it is a fork. */
  get isStored(): boolean {
    return this.begun || this.#state.head.forkOf !== null;
  }

  get busy(): boolean {
    return this.#live.phase !== 'idle';
  }

  /** Whether the user has folded a part that is open at first, or opened one that is not. */
  isToggled(part: string): boolean {
    return this.#toggled.has(part);
  }

  toggle(part: string): void {
    const next = new Set(this.#toggled);
    if (!next.delete(part)) next.add(part);
    this.#toggled = next;
  }

  /** Runs what step mode holds: a call with the arguments that the user wrote for it, if any. */
  step(): void {
    const { paused } = this.#live;
    const draft = paused?.before === 'call' ? this.trials.heldDraft(paused.callId) : null;
    if (draft !== null && !(draft.checkComplete() && isValidArguments(draft.text))) return;
    this.control.step(draft !== null && isEdited(draft) ? draft.text : undefined);
    this.trials.dropHeld();
  }

  /** Rereads state that changes without an event. */
  refresh(): void {
    this.#read();
  }

  dispose(): void {
    this.#stop();
  }

  #read(): void {
    const { state, live, writes, problem, selected, selection, approvals, background } =
      this.control;
    this.#state = state;
    this.entries = state.entries;
    this.calls = state.calls;
    this.#live = live;
    const isLost = this.writes && !writes;
    this.writes = writes;
    this.problem = problem;
    this.selected = selected;
    this.programs = selection.programs;
    this.allowed = approvals.allowedTools;
    const hasEnded = this.running !== null && background.running === null;
    this.running = background.running;
    this.ended = background.ended;
    if (isLost) this.#onFollow(this);
    if (!hasEnded) return;
    this.#unheard = { ok: background.ended.at(-1)?.ok === true };
    this.#announcer.say(`Background prompt ${this.#unheard.ok ? 'finished' : 'failed'}`);
  }
}
