/** State of the pages of plans and their runs. */

import type { PlansControl } from '../../app/app.ts';
import { coalesced } from '../../async/coalesce.ts';
import type { PlanLineProblem } from '../../runner/read-plan.ts';
import type { RunState } from '../../runner/run-record.ts';
import { errorText, ToolError } from '../../spec/error.ts';
import type { Memory } from '../shell/preferences.svelte.ts';

/** How often the page follows a run that changes quickly; milliseconds. */
const followMs = 100;
/** Delay after the last key press before a plan is read; milliseconds. */
const readMs = 300;
const draftKey = 'cloche:plan';

export const examplePlan = `goal: Compare the weather of two cities
parallel: 2
tasks:
  - id: first
    instructions: Find today's temperature in Oslo.
    output: { type: object, required: [celsius], properties: { celsius: { type: number } } }
  - id: second
    instructions: Find today's temperature in Rome.
    output: { type: object, required: [celsius], properties: { celsius: { type: number } } }
  - id: compare
    title: Compare
    depends_on: [first, second]
    instructions: Say which city is warmer, and by how many degrees.
    retries: 2
    check: { judge: The answer names the warmer city and the difference in degrees. }
`;

export class PlansState {
  readonly #control: PlansControl;
  readonly #memory: Memory | null;
  readonly #stop: () => void;
  #all: readonly RunState[] = $state.raw([]);
  #loaded = $state(false);
  #fault = $state('');
  #text = $state('');
  #problems: readonly PlanLineProblem[] = $state.raw([]);
  #reading = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #read = 0;

  constructor(control: PlansControl, memory: Memory | null) {
    this.#control = control;
    this.#memory = memory;
    this.#text = readDraft(memory);
    const follow = coalesced(() => {
      this.#all = control.runs.list();
    }, followMs);
    this.#stop = control.runs.observe(follow);
    void control.runs.loaded.then(() => {
      this.#all = control.runs.list();
      this.#loaded = true;
    });
  }

  /** Newest first. */
  get all(): readonly RunState[] {
    return this.#all;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Why the last action failed; may be empty. */
  get fault(): string {
    return this.#fault;
  }

  /** The plan that is being written. */
  get text(): string {
    return this.#text;
  }

  get problems(): readonly PlanLineProblem[] {
    return this.#problems;
  }

  /** Whether the problems are those of an earlier text. */
  get reading(): boolean {
    return this.#reading;
  }

  run(id: string): RunState | undefined {
    return this.#all.find((run) => run.id === id);
  }

  /** Whether this page carries the run out. */
  isActive(id: string): boolean {
    return this.#control.runs.isActive(id);
  }

  /** @param session in which the plan is made; empty for none */
  write(text: string, session: string): void {
    this.#text = text;
    this.#reading = true;
    try {
      this.#memory?.setItem(draftKey, text);
    } catch {
      // Storage is full: the text is lost with the page.
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(session), readMs);
  }

  /** Reads the plan, and shows its problems. @returns the plan if it has none */
  async check(session: string) {
    clearTimeout(this.#timer);
    const read = (this.#read += 1);
    this.#reading = true;
    try {
      const { plan, problems } = await this.#control.read(this.#text, session);
      if (read !== this.#read) return null;
      this.#problems = problems;
      this.#fault = '';
      return problems.length > 0 ? null : plan;
    } catch (thrown) {
      this.#show(thrown);
      return null;
    } finally {
      if (read === this.#read) this.#reading = false;
    }
  }

  /** Starts the plan that is written. @returns the id of the run; null if it was not started */
  async start(session: string): Promise<string | null> {
    const plan = await this.check(session);
    if (plan === null) return null;
    return this.#try(async () => (await this.#control.start(plan, session)).id);
  }

  pause(id: string): void {
    this.#control.runs.pause(id);
  }

  resume(id: string): void {
    void this.#try(() => this.#control.runs.resume(id));
  }

  stop(id: string): void {
    void this.#try(() => this.#control.runs.stop(id));
  }

  again(id: string, task: string): void {
    void this.#try(() => this.#control.runs.again(id, task));
  }

  remove(id: string): void {
    void this.#try(() => this.#control.runs.remove(id));
  }

  /** @returns whether a sub-agent has received it */
  steer(id: string, task: string, text: string): boolean {
    try {
      return this.#control.runs.steer(id, task, text);
    } catch (thrown) {
      // The message is too long, or another tab has taken the session over.
      this.#show(thrown);
      return false;
    }
  }

  /** The whole record, as JSON. */
  record(id: string): string {
    return JSON.stringify({ id, events: this.#control.runs.events(id) }, null, 2);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#stop();
  }

  async #try<T>(action: () => T | Promise<T>): Promise<T | null> {
    try {
      const outcome = await action();
      this.#fault = '';
      return outcome;
    } catch (thrown) {
      this.#show(thrown);
      return null;
    }
  }

  #show(thrown: unknown): void {
    const hint = thrown instanceof ToolError ? (thrown.hint ?? '') : '';
    this.#fault = `${errorText(thrown)} ${hint}`.trim();
  }
}

function readDraft(memory: Memory | null): string {
  try {
    return memory?.getItem(draftKey) ?? '';
  } catch {
    return '';
  }
}
