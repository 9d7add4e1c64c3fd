/** The plan that is being written: one text, which the form and the graph change too. */

import type { Plans } from '../../../agent/runner/plans.ts';
import type { PlanReferences } from '../../../agent/runner/plan-problems.ts';
import { isRecord } from '../../../runtime/spec/guards.ts';
import { recall, remember } from '../../../runtime/spec/browser-storage.ts';
import type { Plan } from '../../../runtime/spec/plan.ts';
import type { Memory } from '../shell/preferences.svelte.ts';
import { YamlDraft } from '../yaml/yaml-draft.svelte.ts';

const draftKey = 'cloche:plan';
const fromKey = 'cloche:plan-from';
/** Tasks that are shown; no plan may have more. */
const maxTasks = 500;

type Fields = Readonly<Record<string, unknown>>;

export class PlanDraft extends YamlDraft<Plan> {
  readonly #edits: Plans['edits'];
  readonly #memory: Memory | null;
  /** Id of the session whose tools and model the plan inherits; empty for none. */
  #session = '';
  #text = $state('');
  /** Everything that tasks may refer to; null until it is known. */
  references = $state.raw<PlanReferences | null>(null);

  /** @param memory where the text survives a reload; null to forget it */
  constructor(
    control: Pick<Plans, 'read' | 'references' | 'edits'>,
    memory: Memory | null,
    text = '',
  ) {
    super({
      withValue: control.edits.withValue,
      read: async (written) => {
        const [{ plan, problems, value }, references] = await Promise.all([
          control.read(written, this.#session),
          control.references(this.#session),
        ]);
        this.references = references;
        return { checked: plan, problems, value };
      },
    });
    this.#edits = control.edits;
    this.#memory = memory;
    this.#text = text === '' ? (recall(memory, draftKey) ?? '') : text;
    this.from = recall(memory, fromKey) ?? '';
  }

  get text(): string {
    return this.#text;
  }

  protected keep(text: string): void {
    this.#text = text;
    remember(this.#memory, fromKey, this.from);
    remember(this.#memory, draftKey, text);
  }

  get tasks(): readonly Fields[] {
    const tasks = this.valueAt('tasks');
    if (!Array.isArray(tasks)) return [];
    return tasks.slice(0, maxTasks).map((task: unknown) => (isRecord(task) ? task : {}));
  }

  use(session: string): void {
    this.#session = session;
    void this.check();
  }

  /** Adds a task, and reveals it. @returns the id of the task */
  async addTask(): Promise<string> {
    let added = '';
    await this.change(async (text) => {
      const { text: next, id } = await this.#edits.withTask(text);
      added = id;
      return next;
    });
    this.reveal(['tasks', this.tasks.length - 1]);
    return added;
  }

  removeTask(index: number): Promise<void> {
    return this.change((text) => this.#edits.withoutTask(text, index));
  }

  moveTask(from: number, to: number): Promise<void> {
    return this.change((text) => this.#edits.withMovedTask(text, from, to));
  }

  renameTask(index: number, id: string): Promise<void> {
    return this.change((text) => this.#edits.withTaskId(text, index, id));
  }
}
