/** From events to what a session is: one by one while it is open, all at once when it is opened. */

import type { AssistantPart, Usage } from '../spec/model.ts';
import type { SessionEvent } from '../spec/session.ts';
import { CallMap } from './call-map.ts';
import { changeHead, emptyHead, type ChangingHead } from './head.ts';
import type {
  BackgroundEntry,
  Entry,
  NoteEntry,
  SessionCall,
  SessionState,
  StepEntry,
} from './session-state.ts';
import { noUsage, plus, usageSum } from './usage.ts';

type Of<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;
type Changed = { -readonly [K in keyof SessionState]: SessionState[K] };
type NoteFact = NoteEntry extends infer N
  ? N extends unknown
    ? Omit<N, 'n' | 'at'>
    : never
  : never;

/** Prompts that are remembered with their answers. */
const mostBackground = 20;

/** A session to which nothing has happened. */
export function emptyState(id: string): SessionState {
  return {
    head: emptyHead(id),
    replays: null,
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

/** The state after one more event; one that does not fit what came before changes nothing but the count of events. */
export function applied(state: SessionState, event: SessionEvent): SessionState {
  const replay = new Replay(state);
  replay.apply(event);
  return replay.state;
}

/** The state after all of them. */
export function replayed(id: string, events: Iterable<SessionEvent>): SessionState {
  const replay = new Replay(emptyState(id));
  for (const event of events) replay.apply(event);
  return replay.state;
}

/** Applies events in a row to a state of its own: what they add to is copied once, not for each. */
export class Replay {
  readonly #state: Changed;
  readonly #head: ChangingHead;
  #entries: Entry[] | null = null;
  #calls: CallMap | null = null;
  readonly #sets = new WeakSet<ReadonlySet<string>>();
  /** Where the step of each id is, of those that were added here. */
  readonly #steps = new Map<string, number>();
  readonly #knowsAllSteps: boolean;

  constructor(state: SessionState) {
    this.#head = { ...state.head };
    this.#state = { ...state, head: this.#head };
    this.#knowsAllSteps = state.entries.length === 0;
  }

  /** Only read it once the last event was applied. */
  get state(): SessionState {
    return this.#state;
  }

  apply(event: SessionEvent): void {
    this.#change(event);
    changeHead(this.#head, event);
  }

  #change(event: SessionEvent): void {
    const state = this.#state;
    switch (event.type) {
      case 'created':
        this.#created(event);
        return;
      case 'titled':
        return;
      case 'selected':
        state.selection ??= { tools: event.tools, names: event.names };
        return;
      case 'model':
        this.#model(event);
        return;
      case 'prompt':
        state.prompt = event.text === '' ? null : event.text;
        if (this.#isUnderWay) this.#note(event, { kind: 'prompt', text: event.text });
        return;
      case 'message':
        this.#message(event);
        return;
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
          call.phase === 'ended' ? call : { ...call, phase: 'ended', result: event.result },
        );
        return;
      case 'turn-ended':
        this.#turnEnded(event);
        return;
      case 'compacted': {
        const { summary, usage, cost = null } = event;
        // What comes after it is never part of it, whatever an imported file says.
        const before = Math.min(event.before, event.n);
        state.compaction = { before, summary };
        this.#count({ usage, cost });
        state.context = null;
        this.#note(event, { kind: 'compacted', before, summary });
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

  /** Before the first message nothing is worth a line. */
  get #isUnderWay(): boolean {
    return this.#state.head.messages > 0;
  }

  #created(event: Of<'created'>): void {
    if (this.#state.head.events > 0) return;
    this.#state.replays = event.replays ?? null;
    if (event.forkOf !== undefined)
      this.#note(event, { kind: 'forked', session: event.forkOf.session });
  }

  #model(event: Of<'model'>): void {
    const { model } = event;
    const before = this.#state.head.model;
    const isSame = before?.provider === model.provider && before.model === model.model;
    if (this.#isUnderWay && !isSame) this.#note(event, { kind: 'model', model });
  }

  #message(event: Of<'message'>): void {
    const { n, at, id, turnId, parts, context, steering } = event;
    const told = context === undefined ? {} : { context };
    this.#add({ kind: 'message', n, at, id, turnId, parts, ...told, steering });
  }

  #stepBegan(event: Of<'step-began'>): void {
    const { n, at, stepId, turnId, model } = event;
    if (this.#placeOf(stepId) !== -1) return;
    this.#add({
      ...{ kind: 'step', n, at, stepId, turnId, model, parts: [], finish: null, fault: null },
      ...{ usage: noUsage, cost: null, ms: 0 },
    });
  }

  #stepEnded(event: Of<'step-ended'>): void {
    const index = this.#placeOf(event.stepId);
    const step = this.#state.entries[index];
    if (step?.kind !== 'step' || step.finish !== null) return;
    const { parts, finish, usage, cost, ms, fault = null } = event;
    this.#ownEntries()[index] = { ...step, parts, finish, usage, cost, ms, fault };
    const state = this.#state;
    this.#count({ usage, cost });
    state.context = usage.input === null ? null : usage.input + (usage.output ?? 0);
    this.#asked(step, parts);
  }

  #asked({ turnId }: StepEntry, parts: readonly AssistantPart[]): void {
    for (const part of parts) {
      if (part.type !== 'call' || this.#state.calls.has(part.id)) continue;
      const phase = { phase: 'asked', approval: null, result: null } as const;
      const call = { asked: part, turnId, ...phase, arguments: part.arguments };
      this.#ownCalls().set(part.id, call);
    }
  }

  #callAnswered(event: Of<'call-answered'>): void {
    const { approval, reason, tool } = event;
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

  #turnEnded(event: Of<'turn-ended'>): void {
    if (this.#state.turnId !== event.turnId) return;
    this.#state.turnId = null;
    const { end, fault = null } = event;
    if (end !== 'done') this.#note(event, { kind: 'turn-ended', end, fault });
  }

  #backgroundBegan({ id, prompt }: Of<'background-began'>): void {
    const state = this.#state;
    if (state.background.some((one) => one.id === id)) return;
    const began: BackgroundEntry = { id, prompt, text: null, ok: false };
    state.background = [...state.background, began].slice(-mostBackground);
  }

  #backgroundEnded({ id, text, ok, usage = noUsage, cost = null }: Of<'background-ended'>): void {
    const state = this.#state;
    const began = state.background.find((one) => one.id === id);
    if (began?.text !== null) return;
    state.background = state.background.map((one) => (one === began ? { ...one, text, ok } : one));
    this.#count({ usage, cost });
  }

  #count({ usage, cost }: { readonly usage: Usage; readonly cost: number | null }): void {
    this.#state.usage = usageSum(this.#state.usage, usage);
    this.#state.cost = plus(this.#state.cost, cost);
  }

  #changeCall(id: string, change: (call: SessionCall) => SessionCall): void {
    const call = this.#state.calls.get(id);
    if (call === undefined) return;
    const changed = change(call);
    if (changed !== call) this.#ownCalls().set(id, changed);
  }

  #note({ n, at }: SessionEvent, fact: NoteFact): void {
    this.#add({ n, at, ...fact });
  }

  #add(entry: Entry): void {
    if (entry.kind === 'step') this.#steps.set(entry.stepId, this.#state.entries.length);
    this.#ownEntries().push(entry);
  }

  #placeOf(stepId: string): number {
    const known = this.#steps.get(stepId);
    if (known !== undefined || this.#knowsAllSteps) return known ?? -1;
    const { entries } = this.#state;
    return entries.findLastIndex((entry) => entry.kind === 'step' && entry.stepId === stepId);
  }

  #with(set: ReadonlySet<string>, item: string): ReadonlySet<string> {
    if (set.has(item)) return set;
    if (this.#sets.has(set) && set instanceof Set) return set.add(item);
    const own = new Set([...set, item]);
    this.#sets.add(own);
    return own;
  }

  #ownEntries(): Entry[] {
    return (this.#state.entries = this.#entries ??= [...this.#state.entries]);
  }

  #ownCalls(): CallMap {
    return (this.#state.calls = this.#calls ??= new CallMap(this.#state.calls));
  }
}
