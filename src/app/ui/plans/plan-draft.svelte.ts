/** The plan that is being written: one text, which the form and the graph change too. */

import type { Plans } from '../../../agent/runner/plans.ts';
import type { ValuePath } from '../../../runtime/protocol/yaml.ts';
import type { PlanReferences } from '../../../agent/runner/plan-problems.ts';
import type { PlanLineProblem } from '../../../agent/runner/read-plan.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { isRecord } from '../../../runtime/spec/guards.ts';
import type { Json } from '../../../runtime/spec/json.ts';
import type { Plan } from '../../../runtime/spec/plan.ts';
import type { Memory } from '../shell/preferences.svelte.ts';
import { recall, remember } from '../../../runtime/spec/memory.ts';

/** Delay after the last key press before a plan is read; milliseconds. */
const readMs = 300;
const draftKey = 'cloche:plan';
const fromKey = 'cloche:plan-from';
const maxUndo = 100;
/** Tasks that are shown; no plan may have more. */
const maxTasks = 500;

type Fields = Readonly<Record<string, unknown>>;

export class PlanDraft {
  readonly #control: Pick<Plans, 'read' | 'references' | 'edits'>;
  readonly #memory: Memory | null;
  /** Id of the session whose tools and model the plan inherits; empty for none. */
  #session = '';
  text = $state('');
  #value: unknown = $state.raw({});
  problems: readonly PlanLineProblem[] = $state.raw([]);
  /** Everything that tasks may refer to; null until it is known. */
  references = $state.raw<PlanReferences | null>(null);
  /** Whether the problems are those of an earlier text. */
  reading = $state(false);
  /** Why the last change failed; may be empty. */
  fault = $state('');
  #earlier: readonly { readonly text: string; readonly from: string }[] = $state.raw([]);
  /** The source of the text, such as `the file a.yaml`; empty if the user has written it. */
  from = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #read = 0;
  /** Settles when the previous change is made, since changes follow one another. */
  #changed: Promise<unknown> = Promise.resolve();

  /** @param memory where the text survives a reload; null to forget it */
  constructor(
    control: Pick<Plans, 'read' | 'references' | 'edits'>,
    memory: Memory | null,
    text = '',
  ) {
    this.#control = control;
    this.#memory = memory;
    this.text = text === '' ? (recall(memory, draftKey) ?? '') : text;
    this.from = recall(memory, fromKey) ?? '';
  }

  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  /** Whether the text is JSON or YAML, so that the form can change it. */
  get isReadable(): boolean {
    return this.#value !== undefined;
  }

  /** The plan's keys, as far as the text has them. */
  get plan(): Fields {
    return isRecord(this.#value) ? this.#value : {};
  }

  get tasks(): readonly Fields[] {
    const { tasks } = this.plan;
    if (!Array.isArray(tasks)) return [];
    return tasks.slice(0, maxTasks).map((task: unknown) => (isRecord(task) ? task : {}));
  }

  /** The value at a place; undefined if the text has none there. */
  valueAt(...path: ValuePath): unknown {
    return path.reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return value[Number(step)];
      return isRecord(value) ? value[step] : undefined;
    }, this.#value);
  }

  get canUndo(): boolean {
    return this.#earlier.length > 0;
  }

  /** Describes the problem at a place, but not those deeper inside; empty if there is none. */
  problemAt(...path: ValuePath): string {
    const found = this.problems.filter(
      (problem) => problem.path.length === path.length && startsWith(problem.path, path),
    );
    return found.map(({ message, hint }) => `${message}. ${hint}`).join(' ');
  }

  /** How many problems are at a place or deeper inside. */
  problemsIn(...path: ValuePath): number {
    return this.problems.filter((problem) => startsWith(problem.path, path)).length;
  }

  use(session: string): void {
    this.#session = session;
    void this.check();
  }

  write(text: string, from = this.from): void {
    this.text = text;
    this.from = text.trim() === '' ? '' : from;
    this.reading = true;
    remember(this.#memory, fromKey, this.from);
    remember(this.#memory, draftKey, text);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), readMs);
  }

  /** Replaces the whole text. The user can undo this. @param from the source of the text, if it is not the user */
  replace(text: string, from = ''): void {
    this.#keepEarlier();
    this.write(text, from);
    void this.check();
  }

  undo(): void {
    const last = this.#earlier.at(-1);
    if (last === undefined) return;
    this.#earlier = this.#earlier.slice(0, -1);
    this.write(last.text, last.from);
    void this.check();
  }

  /** Sets a value; undefined removes it. */
  set(path: ValuePath, value: Json | undefined): Promise<void> {
    return this.#change((text) => this.#control.edits.withValue(text, path, value));
  }

  /** Adds a task. @returns the id of the task */
  async addTask(): Promise<string> {
    let added = '';
    await this.#change(async (text) => {
      const { text: next, id } = await this.#control.edits.withTask(text);
      added = id;
      return next;
    });
    return added;
  }

  removeTask(index: number): Promise<void> {
    return this.#change((text) => this.#control.edits.withoutTask(text, index));
  }

  moveTask(from: number, to: number): Promise<void> {
    return this.#change((text) => this.#control.edits.withMovedTask(text, from, to));
  }

  renameTask(index: number, id: string): Promise<void> {
    return this.#change((text) => this.#control.edits.withTaskId(text, index, id));
  }

  /** Reads the plan, and shows its problems. @returns the plan if it has none */
  async check(): Promise<Plan | null> {
    clearTimeout(this.#timer);
    const read = (this.#read += 1);
    this.reading = true;
    try {
      const [{ plan, problems, value }, references] = await Promise.all([
        this.#control.read(this.text, this.#session),
        this.#control.references(this.#session),
      ]);
      if (read !== this.#read) return null;
      this.problems = problems;
      this.#value = value;
      this.references = references;
      this.fault = '';
      return problems.length > 0 ? null : plan;
    } catch (thrown) {
      this.fault = errorText(thrown);
      return null;
    } finally {
      if (read === this.#read) this.reading = false;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #keepEarlier(): void {
    const now = { text: this.text, from: this.from };
    this.#earlier = [...this.#earlier, now].slice(-maxUndo);
  }

  #change(change: (text: string) => Promise<string>): Promise<void> {
    const done = this.#changed.then(async () => {
      try {
        const before = this.text;
        const text = await change(before);
        if (text === before) return;
        this.#keepEarlier();
        this.write(text);
        await this.check();
      } catch (thrown) {
        this.fault = errorText(thrown);
      }
    });
    this.#changed = done;
    return done;
  }
}

function startsWith(path: ValuePath, start: ValuePath): boolean {
  return start.every((step, at) => path[at] === step);
}
