/** Runs that a person started, the latest of each tool, and which tools are busy for whomever. */

import type { CallPath } from '../../../call/call-path.ts';
import type { CallEvent, ToolCall } from '../../../spec/call.ts';
import type { JsonText } from '../../../spec/json.ts';
import { coalesced } from '../../../async/coalesce.ts';
import { LossNews } from './loss-news.ts';
import { Run } from './run.svelte.ts';

export interface RunEffects {
  readonly calls: Pick<CallPath, 'call' | 'cancel' | 'observe' | 'running'>;
  newId(): string;
  now(): number;
}

export class Runs {
  readonly #effects: RunEffects;
  readonly #disposeObserver: () => void;
  readonly #unended = new Map<string, Run>();
  readonly #losses = new LossNews();
  #latest: ReadonlyMap<string, Run> = $state.raw(new Map());
  #busy: ReadonlySet<string> = $state.raw(new Set());
  #underWay: number = $state(0);
  readonly #count = coalesced(() => {
    const running = this.#effects.calls.running;
    this.#busy = new Set(running.map((call) => call.tool));
    this.#underWay = running.length;
  }, 100);

  constructor(effects: RunEffects) {
    this.#effects = effects;
    this.#disposeObserver = effects.calls.observe((event) => {
      this.#take(event);
    });
  }

  /** Tools with a call under way, whoever made it. */
  get busy(): ReadonlySet<string> {
    return this.#busy;
  }

  /** Calls under way, whoever made them. */
  get underWay(): number {
    return this.#underWay;
  }

  latest(tool: string): Run | undefined {
    return this.#latest.get(tool);
  }

  /** The run that has ended is the first to say that Python's state was lost. */
  tellsLoss(run: Run): boolean {
    return this.#losses.has(run.call.id);
  }

  /** Runs a tool for the person at the page; waits for its turn where Python is not there yet. */
  start(tool: string, args: JsonText): Run {
    const call: ToolCall = {
      id: this.#effects.newId(),
      tool,
      arguments: args,
      caller: 'person',
      sessionId: '',
      sessionKey: '',
      turnId: '',
      agentId: '',
      validate: true,
    };
    const run = new Run(call, this.#effects.now());
    this.#unended.set(call.id, run);
    this.#latest = new Map(this.#latest).set(tool, run);
    // The call never rejects and its end arrives as an event; nobody else aborts it, hence the idle signal.
    void this.#effects.calls.call(new AbortController().signal, call);
    return run;
  }

  /** Another folder is open: its tools may have the same names. */
  clear(): void {
    this.#latest = new Map();
  }

  stop(run: Run): void {
    run.markStopping();
    this.#effects.calls.cancel(run.call.id);
  }

  dispose(): void {
    this.#disposeObserver();
    this.#count.cancel();
  }

  #take(event: CallEvent): void {
    const id = 'call' in event ? event.call.id : event.callId;
    this.#losses.take(event);
    this.#unended.get(id)?.take(event);
    if (event.type === 'call-ended') this.#unended.delete(id);
    if (event.type !== 'call-stream') this.#count();
  }
}
