/** State of the pages of evaluations and their runs. */

import type { EvalsControl } from '../../app/app.ts';
import { coalesced } from '../../async/coalesce.ts';
import type { EvalLimits, EvalState, EvalUsage } from '../../evals/eval-record.ts';
import type { EvaluationFile } from '../../evals/read-evaluation.ts';
import { errorText, ToolError } from '../../spec/error.ts';
import type { Recording } from '../../spec/recording.ts';

/** How often the page follows a run; milliseconds. */
const followMs = 100;

export type TriedModel = Awaited<ReturnType<EvalsControl['models']>>[number];
export type Start = Parameters<EvalsControl['start']>[1];

export class EvalsState {
  readonly #control: EvalsControl;
  readonly #stop: () => void;
  #all: readonly EvalState[] = $state.raw([]);
  #damaged: readonly string[] = $state.raw([]);
  #files: readonly EvaluationFile[] = $state.raw([]);
  #models: readonly TriedModel[] = $state.raw([]);
  #loaded = $state(false);
  #fault = $state('');
  /** Changes with what running runs have used. */
  #changes = $state(0);

  constructor(control: EvalsControl) {
    this.#control = control;
    const { runs } = control;
    const list = (): void => {
      this.#all = runs.list();
      this.#damaged = runs.damaged();
      this.#changes += 1;
    };
    this.#stop = runs.observe(coalesced(list, followMs));
    void runs.loaded.then(() => {
      list();
      this.#loaded = true;
    });
  }

  /** Newest first. */
  get all(): readonly EvalState[] {
    return this.#all;
  }

  /** Ids of the runs whose records are damaged, which can only be deleted. */
  get damaged(): readonly string[] {
    return this.#damaged;
  }

  get files(): readonly EvaluationFile[] {
    return this.#files;
  }

  get models(): readonly TriedModel[] {
    return this.#models;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Why the last action failed; may be empty. */
  get fault(): string {
    return this.#fault;
  }

  run(id: string): EvalState | undefined {
    return this.#all.find((run) => run.id === id);
  }

  /** Whether this page carries the run out. */
  isActive(run: EvalState): boolean {
    return this.#changes >= 0 && this.#control.runs.isActive(run.id);
  }

  faultOf(run: EvalState): string {
    return this.#changes >= 0 ? this.#control.runs.fault(run.id) : '';
  }

  usage(run: EvalState): EvalUsage {
    return this.#control.runs.usage(this.#changes >= 0 ? run.id : '');
  }

  /** Reads the folder's files and the models again. */
  async refresh(): Promise<void> {
    await this.#try(async () => {
      const [files, models] = await Promise.all([this.#control.files(), this.#control.models()]);
      this.#files = files;
      this.#models = models;
    });
  }

  /** @returns the id of the run; null if it did not begin */
  start(file: EvaluationFile, chosen: Start): Promise<string | null> {
    return this.#try(() => this.#control.start(file, chosen));
  }

  /** The models that a file names, as far as they are there. */
  named(names: readonly string[]): Start['models'] {
    return names.flatMap((name) => {
      try {
        return [this.#control.modelNamed(name)];
      } catch {
        return [];
      }
    });
  }

  resume(id: string, limits: EvalLimits): void {
    void this.#try(() => this.#control.runs.resume(id, limits));
  }

  stop(id: string): void {
    this.#control.runs.stop(id);
  }

  remove(id: string): void {
    void this.#try(() => this.#control.runs.remove(id));
  }

  /** @returns the text of a file; null if there is none */
  fromRecording(reading: () => Promise<Recording>): Promise<string | null> {
    return this.#try(async () => this.#control.fromRecording(await reading()));
  }

  dispose(): void {
    this.#stop();
  }

  async #try<T>(action: () => T | Promise<T>): Promise<T | null> {
    try {
      const outcome = await action();
      this.#fault = '';
      return outcome;
    } catch (thrown) {
      const hint = thrown instanceof ToolError ? (thrown.hint ?? '') : '';
      this.#fault = `${errorText(thrown)} ${hint}`.trim();
      return null;
    }
  }
}
