/** Runs that the user started, from start to result, and which tools are busy. */

import { coalesce } from '../../../../runtime/async/coalesce.ts';
import type { CallPath } from '../../../../runtime/call/call-path.ts';
import { LossReports } from '../../../../runtime/call/results.ts';
import { newCall, type CallEvent, type ToolCall } from '../../../../runtime/spec/call.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import {
  type LogLine,
  type Progress,
  progressIn,
  type Stream,
  type ToolResult,
  type Update,
} from '../../../../runtime/spec/result.ts';
import { trackProgress, type ProgressTrack } from '../result/progress.ts';

export interface RunDeps {
  readonly calls: Pick<CallPath, 'call' | 'cancel' | 'observe' | 'running'>;
  newId(): string;
  now(): number;
}

export class Runs {
  readonly #deps: RunDeps;
  readonly #unended = new Map<string, Run>();
  readonly #losses = new StateLossNotices();
  #latest: ReadonlyMap<string, Run> = $state.raw(new Map());
  /** Tools with a running call of any caller, and the progress of the latest one if it reports any. */
  busy: ReadonlyMap<string, Progress | null> = $state.raw(new Map());
  /** Number of running calls of any caller. */
  runningCount: number = $state(0);
  /** The latest progress of each running call, by its id. */
  readonly #progress = new Map<string, Progress>();
  readonly #count = coalesce(() => {
    const running = this.#deps.calls.running;
    this.busy = new Map(running.map(({ tool, id }) => [tool, this.#progress.get(id) ?? null]));
    this.runningCount = running.length;
  }, 100);

  constructor(deps: RunDeps) {
    this.#deps = deps;
    deps.calls.observe((event) => this.#take(event));
  }

  latest(tool: string): Run | undefined {
    return this.#latest.get(tool);
  }

  /** Whether the ended run is the first to report that Python's state was lost. */
  tellsLoss(run: Run): boolean {
    return this.#losses.has(run.call.id);
  }

  /** Runs a tool for the user; waits if Python has not started yet. */
  start(tool: string, args: JsonText): Run {
    const call = newCall('user', tool, args, { id: this.#deps.newId() });
    const run = this.follow(call);
    this.#latest = new Map(this.#latest).set(tool, run);
    // The call never rejects, and its end arrives as an event. `cancel` stops it, so the signal is never aborted.
    void this.#deps.calls.call(new AbortController().signal, call);
    return run;
  }

  /** Follows a call that is about to be made elsewhere. */
  follow(call: ToolCall): Run {
    const run = new Run(call, this.#deps.now());
    this.#unended.set(call.id, run);
    return run;
  }

  /** Forgets all runs, because another folder is open, whose tools may have the same names. */
  clear(): void {
    this.#latest = new Map();
  }

  stop(run: Run): void {
    run.markStopping();
    this.#deps.calls.cancel(run.call.id);
  }

  #take(event: CallEvent): void {
    const id = 'call' in event ? event.call.id : event.callId;
    this.#losses.take(event);
    this.#unended.get(id)?.take(event);
    if (event.type === 'call-ended') {
      this.#unended.delete(id);
      this.#progress.delete(id);
    }
    const progress = event.type === 'call-stream' ? progressOf(event.stream) : null;
    if (progress !== null) this.#progress.set(id, progress);
    if (event.type !== 'call-stream' || progress !== null) this.#count();
  }
}

export type RunPhase = 'queued' | 'running' | 'ended';

/** Interval between updates of a stream, since text that changes faster cannot be read; milliseconds. */
const updateMs = 80;

export class Run {
  readonly call: ToolCall;
  /** Milliseconds since the epoch: when the call was queued, then when it started. */
  since: number = $state(0);
  phase: RunPhase = $state('queued');
  live: LiveOutput = $state.raw(noOutput);
  /** Null until the run has ended. */
  result: ToolResult | null = $state.raw(null);
  #stopping: boolean = $state(false);
  #newest = noOutput;
  readonly #show = coalesce(() => {
    this.live = this.#newest;
  }, updateMs);

  constructor(call: ToolCall, at: number) {
    this.call = call;
    this.since = at;
  }

  /** Whether Stop was pressed and the run has not ended yet. */
  get stopping(): boolean {
    return this.#stopping && this.phase !== 'ended';
  }

  /** Requests the end of the run. */
  markStopping(): void {
    this.#stopping = true;
  }

  take(event: CallEvent): void {
    switch (event.type) {
      case 'call-queued':
      case 'call-answered':
        break;
      case 'call-started':
        this.phase = 'running';
        this.since = event.at;
        break;
      case 'call-stream':
        this.#newest = withStream(this.#newest, event.stream, Date.now());
        this.#show();
        break;
      case 'call-ended':
        this.#show.cancel();
        this.live = this.#newest;
        this.result = event.result;
        this.phase = 'ended';
    }
  }
}

export interface LiveOutput {
  /** The latest updates. */
  readonly updates: readonly Update[];
  /** Number of all updates, including merged ones. */
  readonly updateCount: number;
  /** The end of the output. */
  readonly out: string;
  readonly err: string;
  readonly log: readonly LogLine[];
  /** Whether earlier output is left out; the result has it. */
  readonly cut: boolean;
  /** Null if no update has told any. */
  readonly progress: ProgressTrack | null;
}

export const noOutput: LiveOutput = {
  updates: [],
  updateCount: 0,
  out: '',
  err: '',
  log: [],
  cut: false,
  progress: null,
};

/** Stored while a call runs. */
const liveUpdates = 100;
const liveChars = 50_000;
const liveLogLines = 200;

/** Adds a batch. @param at when it arrived, in milliseconds */
export function withStream(before: LiveOutput, stream: Stream, at: number): LiveOutput {
  const out = before.out + stream.out;
  const err = before.err + stream.err;
  const log = [...before.log, ...stream.log];
  const progress = progressOf(stream);
  return {
    updates: [...before.updates, ...stream.updates].slice(-liveUpdates),
    updateCount: before.updateCount + stream.updates.length + stream.dropped,
    out: out.slice(-liveChars),
    err: err.slice(-liveChars),
    log: log.slice(-liveLogLines),
    cut:
      before.cut || out.length > liveChars || err.length > liveChars || log.length > liveLogLines,
    progress: progress === null ? before.progress : trackProgress(before.progress, progress, at),
  };
}

/** The latest progress of a batch. Only its last updates are read, since a batch may have a thousand. */
function progressOf({ updates }: Stream): Progress | null {
  for (const update of updates.slice(-3).reverse()) {
    const progress = progressIn(update);
    if (progress !== null) return progress;
  }
  return null;
}

export class StateLossNotices {
  readonly #news = new Set<string>();
  readonly #reported = new LossReports();

  /** Tracks calls of the user's session, to report each loss of state once. */
  take(event: CallEvent): void {
    if (event.type !== 'call-ended' || event.call.sessionId !== '') return;
    const { call, result } = event;
    if (this.#reported.take(result, { isSeen: call.caller === 'user' })) this.#news.add(call.id);
  }

  /** Whether the call was the first of the user to report the loss. */
  has(callId: string): boolean {
    return this.#news.has(callId);
  }
}
