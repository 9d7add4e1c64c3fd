/** State of the pages of evaluations and their runs. */

import type { Evals } from '../../../agent/evals/evals.ts';
import type { EvalLimits, EvalState, EvalUsage } from '../../../agent/evals/eval-record.ts';
import type { EvaluationFile } from '../../../agent/evals/read-evaluation.ts';
import type { EditedFile } from '../editor/edited-file.svelte.ts';
import { FollowedRuns } from '../parts/followed-runs.svelte.ts';
import { EvaluationDraft } from './evaluation-draft.svelte.ts';

export type TriedModel = Awaited<ReturnType<Evals['models']>>[number];
export type Start = Parameters<Evals['start']>[1];

export class EvalsState extends FollowedRuns<EvalState, Evals['runs']> {
  readonly control: Evals;
  files: readonly EvaluationFile[] = $state.raw([]);
  models: readonly TriedModel[] = $state.raw([]);

  constructor(control: Evals) {
    super(control.runs);
    this.control = control;
  }

  /** Ids of the runs whose records are damaged, which can only be deleted. */
  get damaged(): readonly string[] {
    return this.runs.damaged();
  }

  /** Whether this page carries the run out. */
  isActive(run: EvalState): boolean {
    return this.runs.isActive(run.id);
  }

  faultOf(run: EvalState): string {
    return this.runs.fault(run.id);
  }

  usage(run: EvalState): EvalUsage {
    return this.runs.usage(run.id);
  }

  /** Reads the folder's files and the models again. */
  async refresh(): Promise<void> {
    await this.try(async () => {
      const [files, models] = await Promise.all([this.control.files(), this.control.models()]);
      this.files = files;
      this.models = models;
    });
  }

  /** Starts a run. @returns its id; null if it did not begin */
  start(file: EvaluationFile, chosen: Start): Promise<string | null> {
    return this.try(() => this.control.start(file, chosen));
  }

  /** The models that a file names, as far as they exist. */
  named(names: readonly string[]): Start['models'] {
    return names.flatMap((name) => {
      try {
        return [this.control.modelNamed(name)];
      } catch {
        return [];
      }
    });
  }

  /** Resolves when the run continues, or when the fault says why it does not. */
  async resume(id: string, limits: EvalLimits): Promise<void> {
    await this.try(() => this.control.runs.resume(id, limits));
  }

  stop(id: string): void {
    this.control.runs.stop(id);
  }

  remove(id: string): void {
    void this.try(() => this.control.runs.remove(id));
  }

  /** Returns a draft of an evaluation in the editor. */
  draftOf(file: EditedFile): EvaluationDraft {
    return new EvaluationDraft(this.control, file);
  }

  /** The runs in the open folder of a file, or of all files. */
  runsHere(path?: string): readonly EvalState[] {
    return this.all.filter(
      (run) => (path === undefined || run.file === path) && this.control.isHere(run),
    );
  }

  fileAt(path: string): EvaluationFile | undefined {
    return this.files.find((file) => file.path === path);
  }

  /**
   * Runs the same again, if the file has not changed since.
   *
   * @returns the id of the new run; null if it did not begin
   */
  async repeat({ file, fileHash, models, repeats, limits, approvals }: EvalState) {
    await this.refresh();
    const now = this.fileAt(file);
    if (now?.hash !== fileHash) return null;
    return this.start(now, { models, repeats, limits, approvals });
  }
}
