/** What the page is given of evaluations; part of the types that the UI gets. */

import type { EvalApprovals, EvalLimits, EvalModel } from '../evals/eval-record.ts';
import type { EvalRuns } from '../evals/eval-runs.ts';
import type { EvaluationFile } from '../evals/read-evaluation.ts';
import type { ModelInfo } from '../spec/model.ts';
import type { Recording } from '../spec/recording.ts';

/** Evaluations of the open folder, and their runs. */
export interface EvalsControl {
  readonly runs: EvalRuns;
  /** The evaluations in the open folder's `evals/`, with their problems. */
  files(): Promise<readonly EvaluationFile[]>;
  /** The models that can be tried. */
  models(): Promise<readonly (EvalModel & Pick<ModelInfo, 'price'>)[]>;
  /** @param name such as `provider/model` @throws {ToolError} `not-found` */
  modelNamed(name: string): EvalModel;
  /** Stores a run and begins it. @returns its id @throws {ToolError} */
  start(
    file: EvaluationFile,
    chosen: {
      readonly models: readonly EvalModel[];
      readonly repeats: number | undefined;
      readonly limits: EvalLimits;
      readonly approvals: EvalApprovals;
    },
  ): Promise<string>;
  /** An evaluation of what was said in a session, as YAML. @throws {ToolError} */
  fromSession(id: string): Promise<string>;
  fromRecording(recording: Recording): Promise<string>;
}
