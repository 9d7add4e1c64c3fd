/** Fake sessions for UI tests: scripted, without storage or a model. */

import { StoredSelections } from '../../../agent/turn/kept-selections.ts';
import { Exchanges } from '../../../agent/turn/exchanges.ts';
import type { PageSession } from '../../../agent/turn/page-session.ts';
import { idle, type Live } from '../../../agent/turn/live-state.ts';
import type {
  Entry,
  SessionCall,
  SessionState,
  StepEntry,
} from '../../../agent/session/session-state.ts';
import { newCall } from '../../../runtime/spec/call.ts';
import type { AskedCall, AssistantPart, Usage, UserPart } from '../../../runtime/spec/model.ts';
import type { Recording } from '../../../runtime/spec/recording.ts';
import type { ToolResult } from '../../../runtime/spec/result.ts';
import type { SessionHead } from '../../../runtime/spec/session.ts';
import type { LiveSession } from '../../../agent/turn/live-session.ts';
import type { SessionsControl } from '../../../agent/create-agent.ts';
import { config, fakeProviders, gpt } from './providers.fixture.ts';

const began = Date.UTC(2026, 10, 22, 9, 30);
const usage: Usage = { input: 1_840, cached: 1_024, output: 212, reasoning: 64 };

export function headOf(id: string, changes: Partial<SessionHead> = {}): SessionHead {
  return {
    id,
    title: `Session ${id}`,
    titled: 'by-message',
    folder: 'weather-tools',
    folderId: 'f',
    createdAt: began,
    changedAt: began,
    events: 3,
    messages: 1,
    model: gpt,
    forkOf: null,
    ...changes,
  };
}

export function resultOf(changes: Partial<ToolResult> = {}): ToolResult {
  return {
    resultType: 'success',
    textResultForLlm: '{"min_c": 9, "max_c": 15}',
    isError: false,
    content: [{ type: 'json', text: '{"min_c": 9, "max_c": 15}' }],
    recoverable: false,
    metadata: '{}',
    updates: [],
    updatesDropped: 0,
    log: [],
    stdout: '',
    stderr: '',
    outputDropped: 0,
    durationMs: 38,
    interpreter: 'python-1',
    stateLost: false,
    ...changes,
  };
}

export function askedCall(id: string, changes: Partial<AskedCall> = {}): AskedCall {
  return {
    type: 'call',
    id,
    askedId: `toolu_${id}`,
    wire: 'weather_tools__get_temperatures',
    tool: 'weather_tools:get_temperatures',
    arguments: '{"location": "Oslo"}',
    ...changes,
  };
}

export function stateOf(changes: Partial<SessionState> = {}): SessionState {
  return {
    head: headOf('s1'),
    replays: null,
    task: null,
    prompt: null,
    selection: { tools: [], names: [] },
    entries: [],
    calls: new Map(),
    turnId: null,
    allowed: new Set(),
    handedOver: new Set(),
    compaction: null,
    background: [],
    usage,
    cost: 0.0123,
    context: 41_000,
    ...changes,
  };
}

export function message(n: number, text: string, turnId: string): Entry {
  return {
    n,
    at: began + n * 1_000,
    kind: 'message',
    id: `m${n}`,
    turnId,
    steering: false,
    parts: [{ type: 'text', text }],
  };
}

export function step(n: number, parts: readonly AssistantPart[], turnId: string): StepEntry {
  return {
    n,
    at: began + n * 1_000,
    kind: 'step',
    stepId: `step${n}`,
    turnId,
    model: gpt,
    parts,
    finish: 'stop',
    usage,
    cost: 0.0041,
    ms: 2_300,
    fault: null,
  };
}

export function callOf(asked: AskedCall, changes: Partial<SessionCall> = {}): SessionCall {
  return {
    asked,
    turnId: 't1',
    phase: 'ended',
    approval: null,
    arguments: asked.arguments,
    result: resultOf(),
    ...changes,
  };
}

/** A fake session with settable state, which records its calls. */
export class FakeSession implements PageSession {
  readonly id: string;
  readonly calls: unknown[] = [];
  readonly #listeners = new Set<() => void>();
  state: SessionState;
  live: Live;
  writes = true;
  problem: string | null = null;
  selected: readonly string[];
  readonly approvals = { allowedTools: [], askAgain: () => undefined };
  readonly selection = {
    programs: false,
    usePrograms: (on: boolean): void => {
      this.selection.programs = on;
    },
  };
  background: PageSession['background'] = {
    running: null,
    ended: [],
    start: (prompt) => this.calls.push(['background', prompt]),
    cancel: () => this.calls.push('cancel background'),
  };

  constructor(state: SessionState, live: Live = idle, selected: readonly string[] = []) {
    [this.id, this.state, this.live, this.selected] = [state.head.id, state, live, selected];
  }

  set(changes: { state?: Partial<SessionState>; live?: Partial<Live> }): void {
    this.state = { ...this.state, ...changes.state };
    this.live = { ...this.live, ...changes.live };
    for (const listener of this.#listeners) listener();
  }

  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  observeFrames(listener: () => void): () => void {
    return this.observe(listener);
  }

  send(parts: readonly UserPart[]): void {
    this.calls.push(['send', parts]);
  }

  unsend(id: string): void {
    this.calls.push(['unsend', id]);
  }

  interrupt(): void {
    this.calls.push('interrupt');
  }

  stop(): void {
    this.calls.push('stop');
    this.set({ live: { ...idle, stepMode: this.live.stepMode } });
  }

  resume(): void {
    this.calls.push('resume');
  }

  setStepMode(stepMode: boolean): void {
    this.set({ live: { stepMode } });
  }

  step(): void {
    this.calls.push('step');
  }

  select(tools: readonly string[]): void {
    this.selected = tools;
    this.set({});
  }

  useModel(model: SessionHead['model'] & object): void {
    this.set({ state: { head: { ...this.state.head, model } } });
  }

  usePrompt(prompt: string | null): void {
    this.set({ state: { prompt } });
  }

  rename(title: string): void {
    this.set({ state: { head: { ...this.state.head, title } } });
  }

  show(message: Parameters<PageSession['show']>[0]): void {
    this.calls.push(['show', message]);
  }

  replaceMessages(...replaced: Parameters<PageSession['replaceMessages']>): void {
    this.calls.push(['replaceMessages', ...replaced]);
  }

  compact(): ReturnType<PageSession['compact']> {
    this.calls.push('compact');
    return Promise.resolve('done');
  }

  prompt(): ReturnType<PageSession['prompt']> {
    return Promise.resolve([
      { title: 'Base', text: this.state.prompt ?? 'You are helpful.', tokens: 5 },
      { title: 'Tools', text: 'get_temperatures: degrees Celsius.', tokens: 9 },
    ]);
  }

  takeOver(): Promise<void> {
    this.writes = true;
    this.set({});
    return Promise.resolve();
  }

  claim = (): Promise<boolean> => Promise.resolve(this.writes);
}

const recording: Recording = {
  format: 'cloche-recording',
  version: 1,
  title: 'What to wear in Oslo',
  scripted: true,
  tools: ['weather_tools:get_temperatures'],
  turns: [],
};

/** Sessions with the given sessions. */
export function fakeSessions(
  liveSessions: readonly FakeSession[],
  providers = fakeProviders([config]),
): SessionsControl {
  let heads = liveSessions.map(({ state }) => state.head);
  let numbers = 0;
  const listeners = new Set<(heads: readonly SessionHead[]) => void>();
  const set = (next: SessionHead[]): void => {
    heads = next;
    for (const listener of listeners) listener(heads);
  };
  const known = new Map(liveSessions.map((session) => [session.id, session]));
  // A class with private fields; the page uses only what the fake has.
  const opened = (fake: FakeSession) => fake as unknown as LiveSession;
  const begin = (changes: Partial<SessionState> = {}): LiveSession => {
    numbers += 1;
    const head = headOf(`new${numbers}`, { title: '', messages: 0, titled: 'no', model: null });
    const made = new FakeSession(stateOf({ head, selection: null, ...changes }));
    known.set(made.id, made);
    return opened(made);
  };
  return {
    programs: {
      functions: () => [],
      callOf: () => newCall('user', 'run_python', '{}'),
      run: () => Promise.reject(new Error('no program runs here')),
    },
    stored: {
      list: () => heads,
      loaded: Promise.resolve(),
      observe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      rename: () => Promise.resolve(),
      search: (_signal, text) =>
        Promise.resolve(
          heads
            .filter(({ title }) => title.toLowerCase().includes(text))
            .map((head) => ({ head, excerpt: null })),
        ),
      events: () => Promise.resolve([]),
      export: () => Promise.resolve({ file: new Blob(['{}']), problem: null }),
      read: () =>
        Promise.resolve({ state: stateOf(), store: () => Promise.resolve(headOf('imported')) }),
    },
    liveSessions: {
      create: () => begin({ usage: { input: null, cached: null, output: null, reasoning: null } }),
      open: (id) => {
        const found = known.get(id);
        if (found === undefined) return Promise.reject(new Error('There is no such session.'));
        return Promise.resolve(opened(found));
      },
      release: () => undefined,
      fork: () => Promise.resolve(begin()),
      remove: (id) => {
        const before = heads;
        set(heads.filter((head) => head.id !== id));
        return () => {
          set(before);
        };
      },
      hasFolderOf: () => true,
      record: () => Promise.resolve({ file: new Blob(['{}']), problem: null }),
      recordings: () => [{ path: 'recordings/weather.json', recording }],
      observeRecordings: () => () => undefined,
      recordingIn: () => Promise.resolve(recording),
      play: () => begin({ replays: JSON.stringify(recording) }),
      playOn: () => undefined,
      stopPlaying: () => undefined,
      isPlaying: () => false,
      exchanges: new Exchanges(() => undefined),
      recordingOf: ({ state }) => (state.replays === null ? null : recording),
    },
    providers,
    builtIns: {
      add: () => () => undefined,
      list: () => [],
      observe: () => () => undefined,
      switch: () => undefined,
    },
    selections: new StoredSelections(null, () => ''),
    memory: null,
  };
}
