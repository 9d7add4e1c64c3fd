/** Computes the state of a session from its events. */

import { createPacer } from '../../runtime/async/pace.ts';
import type { AssistantPart, Usage } from '../../runtime/spec/model.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';
import {
  CallMap,
  isSameModel,
  type BackgroundEntry,
  type Entry,
  type NoteEntry,
  type SessionCall,
  type SessionState,
  type StepEntry,
} from './session-state.ts';
import { applyToHead, emptyHead, type MutableHead } from './session-head.ts';
import { noUsage, addAmounts, usageSum } from './usage.ts';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;
type MutableState = { -readonly [K in keyof SessionState]: SessionState[K] };
/** The members of each kind of note, without those of every event. `Omit<NoteEntry, …>` would merge the kinds into one type. */
type NoteFact<Note = NoteEntry> = Note extends unknown ? Omit<Note, 'n' | 'at'> : never;

/** Limit for the background prompts in the state. */
const maxBackground = 20;

/** Returns the state before the first event. */
export function emptyState(id: string): SessionState {
  return {
    head: emptyHead(id),
    replays: null,
    task: null,
    prompt: null,
    selection: null,
    entries: [],
    calls: new CallMap(),
    turnId: null,
    allowed: new Set(),
    handedOver: new Set(),
    compaction: null,
    background: [],
    usage: noUsage,
    cost: null,
    context: null,
  };
}

/** Returns the state after one more event. An event that does not fit is only counted. */
export function applySessionEvent(state: SessionState, event: SessionEvent): SessionState {
  const replay = new Replay(state);
  replay.apply(event);
  return replay.state;
}

/** Returns the state after all events. */
export function replaySession(id: string, events: Iterable<SessionEvent>): SessionState {
  const replay = new Replay(emptyState(id));
  for (const event of events) replay.apply(event);
  return replay.state;
}

/** Computes the state after all events in slices, so that a long session does not block the page. */
export async function replayInSlices(
  id: string,
  events: readonly SessionEvent[],
): Promise<SessionState> {
  const pacer = createPacer();
  const replay = new Replay(emptyState(id));
  for (const event of events) {
    replay.apply(event);
    if (pacer.mustRest()) await pacer.rest();
  }
  return replay.state;
}

/** Applies many events to a copy of a state. Lists and maps are copied once, not for every event. */
export class Replay {
  readonly #state: MutableState;
  readonly #head: MutableHead;
  /** The copies of the state's entries and calls that this replay may change; null before the first change. */
  #ownEntries: Entry[] | null = null;
  #ownCalls: CallMap | null = null;
  /** Sets that this replay has made, and so may change. */
  readonly #ownSets = new WeakSet<ReadonlySet<string>>();
  /** The index of each step that was added by this replay. */
  readonly #stepIndexes = new Map<string, number>();
  /** Whether this replay has added every step, so that steps without an index do not exist. */
  readonly #isFromStart: boolean;

  constructor(state: SessionState) {
    this.#head = { ...state.head };
    this.#state = { ...state, head: this.#head };
    this.#isFromStart = state.entries.length === 0;
  }

  /** Read this only after the last event. */
  get state(): SessionState {
    return this.#state;
  }

  apply(event: SessionEvent): void {
    this.#change(event);
    applyToHead(this.#head, event);
  }

  #change(event: SessionEvent): void {
    const state = this.#state;
    switch (event.type) {
      case 'created':
        if (state.head.events > 0) return;
        state.replays = event.replays ?? null;
        state.task = event.task ?? null;
        if (event.forkOf !== undefined)
          this.#note(event, { kind: 'forked', session: event.forkOf.session });
        return;
      case 'titled':
        return;
      case 'selected':
        state.selection ??= {
          tools: event.tools,
          names: event.names,
          ...(event.programs && { programs: true }),
        };
        return;
      case 'model':
        if (this.#hasMessages && !isSameModel(state.head.model, event.model))
          this.#note(event, { kind: 'model', model: event.model });
        return;
      case 'prompt':
        state.prompt = event.text === '' ? null : event.text;
        if (this.#hasMessages) this.#note(event, { kind: 'prompt', text: event.text });
        return;
      case 'message': {
        const { type: kind, ...message } = event;
        this.#add({ kind, ...message });
        return;
      }
      case 'turn-began':
        state.turnId = event.turnId;
        return;
      case 'step-began':
        this.#stepBegan(event);
        return;
      case 'step-ended':
        this.#stepEnded(event);
        return;
      case 'call-began':
        this.#changeCall(event.callId, (call) =>
          call.phase === 'asked' ? { ...call, phase: 'running' } : call,
        );
        return;
      case 'call-answered':
        this.#callAnswered(event);
        return;
      case 'call-ended':
        this.#changeCall(event.callId, (call) =>
          call.phase === 'ended' ? call : { ...call, phase: 'ended', ...outcomeOf(event) },
        );
        return;
      case 'nested-began':
        this.#nestedBegan(event);
        return;
      case 'nested-ended':
        this.#nestedEnded(event);
        return;
      case 'turn-ended':
        if (state.turnId !== event.turnId) return;
        state.turnId = null;
        if (event.end !== 'done')
          this.#note(event, { kind: 'turn-ended', end: event.end, fault: event.fault ?? null });
        return;
      case 'compacted': {
        const { summary, messages, from, usage, cost = null } = event;
        // An imported file may claim otherwise, but a summary cannot include later entries.
        const before = Math.min(event.before, event.n);
        state.compaction = { before, summary, ...(messages && { messages }) };
        this.#count({ usage, cost });
        state.context = null;
        this.#note(event, { kind: 'compacted', before, summary, ...(from && { from }) });
        return;
      }
      case 'shown': {
        const { type: kind, ...message } = event;
        this.#add({ kind, ...message });
        return;
      }
      case 'python-anew':
        this.#note(event, { kind: 'python-anew', why: event.why });
        return;
      case 'background-began':
        this.#backgroundBegan(event);
        return;
      case 'background-step':
        this.#count(event);
        return;
      case 'background-ended':
        this.#backgroundEnded(event);
        return;
      case 'asks-again':
        state.allowed = new Set([...state.allowed].filter((tool) => tool !== event.tool));
        return;
      case 'handed-over':
        for (const tool of event.tools) state.handedOver = this.#with(state.handedOver, tool);
    }
  }

  /** Whether there is a message. Changes before the first message are not noted. */
  get #hasMessages(): boolean {
    return this.#state.head.messages > 0;
  }

  #stepBegan(event: EventOf<'step-began'>): void {
    const { n, at, stepId, turnId, model } = event;
    if (this.#indexOf(stepId) !== -1) return;
    this.#add({
      kind: 'step',
      n,
      at,
      stepId,
      turnId,
      model,
      parts: [],
      finish: null,
      fault: null,
      usage: noUsage,
      cost: null,
      ms: 0,
    });
  }

  #stepEnded(event: EventOf<'step-ended'>): void {
    const index = this.#indexOf(event.stepId);
    const step = this.#state.entries[index];
    if (step?.kind !== 'step' || step.finish !== null) return;
    const { parts, finish, usage, cost, ms, estimated, fault = null } = event;
    const ended = { ...step, parts, finish, usage, cost, ms, fault };
    this.#mutableEntries()[index] = estimated === undefined ? ended : { ...ended, estimated };
    const state = this.#state;
    this.#count({ usage, cost });
    const isCounted = usage.input !== null && estimated === undefined;
    state.context = isCounted ? usage.input + (usage.output ?? 0) : null;
    this.#addCalls(step, parts);
  }

  #addCalls({ turnId }: StepEntry, parts: readonly AssistantPart[]): void {
    for (const part of parts) {
      if (part.type !== 'call' || this.#state.calls.has(part.id)) continue;
      const phase = { phase: 'asked', approval: null, result: null } as const;
      const call = { asked: part, turnId, ...phase, arguments: part.arguments };
      this.#mutableCalls().set(part.id, call);
    }
  }

  #callAnswered(event: EventOf<'call-answered'>): void {
    const { approval, reason, tool } = event;
    // The call of a program is not one of the model's.
    if (approval === 'session' && tool !== undefined && !this.#state.calls.has(event.callId))
      this.#state.allowed = this.#with(this.#state.allowed, tool);
    this.#changeCall(event.callId, (call) => {
      if (call.phase === 'ended') return call;
      if (approval === 'session')
        this.#state.allowed = this.#with(this.#state.allowed, tool ?? call.asked.tool);
      return {
        ...call,
        approval: { approval, reason },
        arguments: event.arguments ?? call.arguments,
      };
    });
  }

  #nestedBegan({ callId, parent, tool, at, arguments: args }: EventOf<'nested-began'>): void {
    this.#changeCall(parent, (call) => {
      const { nested = [] } = call;
      if (call.phase === 'ended' || nested.some(({ id }) => id === callId)) return call;
      const began = { id: callId, tool, at, arguments: args, result: null };
      return { ...call, nested: [...nested, began] };
    });
  }

  #nestedEnded({ callId, parent, result }: EventOf<'nested-ended'>): void {
    this.#changeCall(parent, (call) => {
      const { nested = [] } = call;
      if (!nested.some((one) => one.id === callId && one.result === null)) return call;
      return {
        ...call,
        nested: nested.map((one) => (one.id === callId ? { ...one, result } : one)),
      };
    });
  }

  #backgroundBegan({ id, prompt }: EventOf<'background-began'>): void {
    const state = this.#state;
    if (state.background.some((one) => one.id === id)) return;
    const entry: BackgroundEntry = { id, prompt, text: null, ok: false };
    state.background = [...state.background, entry].slice(-maxBackground);
  }

  #backgroundEnded({
    id,
    text,
    ok,
    usage = noUsage,
    cost = null,
  }: EventOf<'background-ended'>): void {
    const state = this.#state;
    const entry = state.background.find((one) => one.id === id);
    const isRunning = entry?.text === null;
    if (!isRunning) return;
    state.background = state.background.map((one) => (one === entry ? { ...one, text, ok } : one));
    this.#count({ usage, cost });
  }

  #count({ usage, cost }: { readonly usage: Usage; readonly cost: number | null }): void {
    this.#state.usage = usageSum(this.#state.usage, usage);
    this.#state.cost = addAmounts(this.#state.cost, cost);
  }

  #changeCall(id: string, change: (call: SessionCall) => SessionCall): void {
    const call = this.#state.calls.get(id);
    if (call === undefined) return;
    const changed = change(call);
    if (changed !== call) this.#mutableCalls().set(id, changed);
  }

  #note({ n, at }: SessionEvent, fact: NoteFact): void {
    this.#add({ n, at, ...fact });
  }

  #add(entry: Entry): void {
    if (entry.kind === 'step') this.#stepIndexes.set(entry.stepId, this.#state.entries.length);
    this.#mutableEntries().push(entry);
  }

  /** The index of a step among the entries; -1 if there is no such step. */
  #indexOf(stepId: string): number {
    const known = this.#stepIndexes.get(stepId);
    if (known !== undefined) return known;
    if (this.#isFromStart) return -1;
    const { entries } = this.#state;
    return entries.findLastIndex((entry) => entry.kind === 'step' && entry.stepId === stepId);
  }

  /** Returns a set with one more item: the same set if this replay has made it. */
  #with(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
    if (set.has(item)) return set;
    if (this.#ownSets.has(set) && set instanceof Set) return set.add(item);
    const copy = new Set([...set, item]);
    this.#ownSets.add(copy);
    return copy;
  }

  #mutableEntries(): Entry[] {
    this.#ownEntries ??= [...this.#state.entries];
    this.#state.entries = this.#ownEntries;
    return this.#ownEntries;
  }

  #mutableCalls(): CallMap {
    this.#ownCalls ??= new CallMap(this.#state.calls);
    this.#state.calls = this.#ownCalls;
    return this.#ownCalls;
  }
}

function outcomeOf({
  result,
  edited,
}: EventOf<'call-ended'>): Pick<SessionCall, 'result' | 'edited'> {
  return edited === undefined ? { result } : { result, edited };
}
