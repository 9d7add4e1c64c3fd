/** Sessions side by side: opens them, sends one message to all of them, and compares what they did. */

import { runPaced } from '../../../../runtime/async/pace.ts';
import {
  compareSessions,
  type ComparedSessions,
} from '../../../../agent/session/compare-sessions.ts';
import { isSameModel } from '../../../../agent/session/session-state.ts';
import type { ModelRef, UserPart } from '../../../../runtime/spec/model.ts';
import { newSession } from '../../shell/address.ts';
import { faultOf, type Fault } from '../fault.ts';
import { OpenSession } from '../open-session.svelte.ts';
import type { Sessions } from '../sessions.svelte.ts';

/** Limit of sessions that are shown side by side. */
export const maxSides = 3;

/** Limit of the stored sessions whose models are preferred for a comparison. */
const maxRecent = 50;

/** A column with one session. */
export interface Side {
  readonly id: string;
  /** Null while the session is opened, if that failed, and until the user chooses one. */
  readonly session: OpenSession | null;
  readonly fault: Fault | null;
}

export type SideDeps = Pick<
  Sessions,
  'liveSessions' | 'events' | 'ui' | 'playbackHasEnded' | 'models' | 'list'
>;

export class SideSessions {
  readonly #deps: SideDeps;
  sides: readonly Side[] = $state.raw([]);
  /**
   * The comparison of the open sessions' stored events, in the order of the sessions; null before
   * it is known.
   */
  comparison: ComparedSessions | null = $state.raw(null);
  /** Why the last message was not sent, or the sessions cannot be compared. */
  fault: Fault | null = $state.raw(null);
  /** New sessions that {@link chooseDifferentModels} has seen with a model of their own, and leaves alone from then on. */
  readonly #haveDiffered = new WeakSet<OpenSession>();
  #isComparing = false;
  /** Whether something has changed since the comparison began. */
  #isStale = false;
  #isOver = false;

  constructor(deps: SideDeps) {
    this.#deps = deps;
  }

  /** The sessions of the columns that have one. */
  get open(): readonly OpenSession[] {
    return this.sides.flatMap(({ session }) => (session === null ? [] : [session]));
  }

  /** Whether all sessions are new, so that their models and tools can be chosen. */
  get areNew(): boolean {
    return this.open.length > 0 && this.open.every(({ begun }) => !begun);
  }

  /** Why a message cannot be sent to all sessions; empty if it can. */
  get cannotSend(): string {
    const { open } = this;
    if (open.length < 2 || open.length < this.sides.length) return 'Choose another session first.';
    if (open.some(({ writes }) => !writes)) return 'A session is in use in another tab.';
    const needsModel = open.some(
      (one) => one.state.head.model === null || this.#deps.playbackHasEnded(one),
    );
    return needsModel ? 'Choose a model for each session first.' : '';
  }

  /** The ids for the address, which new sessions get with their first message. */
  get ids(): readonly string[] {
    return this.sides.map(({ id, session }) => (session?.begun === true ? session.id : id));
  }

  /** Shows the sessions of an address. New ones are created if all are new; otherwise the user chooses one. */
  follow(ids: readonly string[]): void {
    const { liveSessions } = this.#deps;
    if (liveSessions === null || this.#isOver) return;
    const before = this.sides;
    const mayCreate = ids.every((id) => id === newSession);
    const kept = new Set<OpenSession>();
    this.sides = ids.slice(0, maxSides).map((id, column): Side => {
      const shown = before.find(({ id: earlierId, session }, earlierColumn) => {
        if (session === null || kept.has(session)) return false;
        // New sessions get their ids one after the other, and the address follows each.
        const isStillNew =
          id === newSession && earlierId === newSession && earlierColumn === column;
        return session.id === id || isStillNew;
      });
      if (shown?.session) {
        kept.add(shown.session);
        return { ...shown, id };
      }
      const empty = { id, session: null, fault: null };
      if (id === newSession) {
        if (!mayCreate) return empty;
        const created = liveSessions.create();
        return { ...empty, session: new OpenSession(created, this.#deps.ui.announcer) };
      }
      // The same session is not shown twice.
      if (ids.indexOf(id) < column) return { ...empty, id: newSession };
      void this.#show(id);
      return empty;
    });
    for (const { session } of before)
      if (session !== null && !kept.has(session)) this.#close(session);
    this.refresh();
  }

  /** Opens a session again that could not be opened. */
  retry(id: string): void {
    this.#change(id, { fault: null });
    void this.#show(id);
  }

  /** Gives each new session, once, a model that no earlier column has, since all begin with the default model. */
  chooseDifferentModels(): void {
    const used: ModelRef[] = [];
    const isUsed = (model: ModelRef): boolean => used.some((other) => isSameModel(model, other));
    for (const session of this.open) {
      const { model } = session.state.head;
      if (session.begun || model === null) continue;
      const mustDiffer = isUsed(model) && !this.#haveDiffered.has(session);
      const chosen = mustDiffer ? this.#usableModels().find((other) => !isUsed(other)) : model;
      if (chosen !== undefined) this.#haveDiffered.add(session);
      if (chosen !== undefined && chosen !== model) session.control.useModel(chosen);
      used.push(chosen ?? model);
    }
  }

  /** Sends a message to all sessions. New ones get the tools and the prompt of the first. */
  send(parts: readonly UserPart[]): boolean {
    this.fault = null;
    const { open } = this;
    const [first] = open;
    if (first === undefined || this.cannotSend !== '') return false;
    try {
      if (this.areNew)
        for (const { control } of open.slice(1)) {
          control.select(first.control.selected, { noOthers: true });
          if (first.state.prompt !== null) control.usePrompt(first.state.prompt);
        }
      for (const { control } of open) control.send(parts);
      return true;
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return false;
    }
  }

  /** Returns the models that the user has added and that can call tools, the most recently used first. */
  #usableModels(): readonly ModelRef[] {
    const { models, list } = this.#deps;
    const all = models.list
      .filter(({ kind, from }) => kind !== 'replay' && kind !== 'browser' && from === undefined)
      .flatMap((provider) => provider.models.filter(({ tools }) => tools !== false))
      .map(({ ref }) => ref);
    const recent = list.all.slice(0, maxRecent).map(({ model }) => model);
    const used = recent.flatMap((model) => all.find((one) => isSameModel(one, model)) ?? []);
    return [...used, ...all];
  }

  /** Reads the events of all sessions again, and compares them. A running comparison is followed by another one. */
  refresh(): void {
    this.#isStale = true;
    if (this.#isComparing) return;
    this.#isComparing = true;
    void this.#compare().finally(() => (this.#isComparing = false));
  }

  dispose(): void {
    this.#isOver = true;
    for (const session of this.open) this.#close(session);
    this.sides = [];
  }

  async #compare(): Promise<void> {
    while (this.#isStale && !this.#isOver) {
      this.#isStale = false;
      try {
        const begun = this.open.filter((session) => session.begun);
        const events = await Promise.all(begun.map(({ id }) => this.#deps.events(id)));
        const comparison = await runPaced(compareSessions(events));
        // A comparison of other sessions would not have the columns that are shown.
        const isSame =
          begun.length === this.open.length && begun.every((one, at) => this.open[at] === one);
        this.comparison = isSame ? comparison : null;
      } catch (thrown) {
        this.fault = faultOf(thrown);
      }
    }
  }

  /** Opens a stored session for its column, or says there why that failed. */
  async #show(id: string): Promise<void> {
    const { liveSessions } = this.#deps;
    if (liveSessions === null) return;
    try {
      const session = await liveSessions.open(id);
      const isWanted = this.sides.some((side) => side.id === id && side.session === null);
      if (this.#isOver || !isWanted) liveSessions.release(id);
      else {
        this.#change(id, { session: new OpenSession(session, this.#deps.ui.announcer) });
        this.refresh();
      }
    } catch (thrown) {
      this.#change(id, { fault: faultOf(thrown) });
    }
  }

  /** Changes the column that waits for a session. */
  #change(id: string, change: Partial<Side>): void {
    this.sides = this.sides.map((side) =>
      side.id === id && side.session === null ? { ...side, ...change } : side,
    );
  }

  #close(session: OpenSession): void {
    session.dispose();
    this.#deps.liveSessions?.release(session.id);
  }
}
