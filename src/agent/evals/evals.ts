/** The evaluations of the open folder, and their runs. */

import { evaluation as isEvaluation } from 'virtual:cloche/page-validators';
import { findModel, nameOf, realProviders } from '../providers/find-model.ts';
import { recordingOf } from '../session/recording/recorded-session.ts';
import { replayed } from '../session/reduce.ts';
import type { YamlTexts } from '../../runtime/protocol/yaml.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { defaultRepeats } from '../../runtime/spec/evaluation.ts';
import type { ModelInfo } from '../../runtime/spec/model.ts';
import type { Recording } from '../../runtime/spec/recording.ts';
import type { EvalModel, EvalState } from './eval-record.ts';
import { EvalRuns, type EvalRunsDeps } from './eval-runs.ts';
import { evaluationOf } from './from-recording.ts';
import { readEvaluations, type EvaluationFile } from './read-evaluation.ts';
import { toolsHashOf, TrialSessions, type TrialSessionsDeps } from './trial-sessions.ts';

export interface EvalsDeps
  extends TrialSessionsDeps, Omit<EvalRunsDeps, 'openTrials' | 'isEvaluation' | 'removeSession'> {
  readonly yaml: YamlTexts;
}

export class Evals {
  readonly runs: EvalRuns;
  readonly #deps: EvalsDeps;

  constructor(deps: EvalsDeps) {
    this.#deps = deps;
    this.runs = new EvalRuns({
      ...deps,
      isEvaluation,
      openTrials: (log) => TrialSessions.open(log, deps),
      removeSession: (id) => deps.sessions.remove(id),
    });
  }

  /** The evaluations in the open folder's `evals/`, with their problems. */
  async files(): Promise<readonly EvaluationFile[]> {
    const { folder, currentFolder, registry, yaml } = this.#deps;
    await folder.settled();
    const { current } = currentFolder;
    const tools = registry.list().map(({ name }) => name);
    return current === null ? [] : readEvaluations(current.snapshot.files, tools, yaml);
  }

  /** The models that can be tried. */
  async models(): Promise<readonly (EvalModel & Pick<ModelInfo, 'price'>)[]> {
    const { providers } = this.#deps;
    await providers.loaded;
    const list = realProviders(providers.list());
    return list.flatMap(({ models }) =>
      models.map(({ ref, price }) => ({ ref, name: nameOf(list, ref), price })),
    );
  }

  /** @param name such as `provider/model` @throws {ToolError} `not-found` */
  modelNamed(name: string): EvalModel {
    const list = realProviders(this.#deps.providers.list());
    const { ref } = findModel(list, name, null);
    return { ref, name: nameOf(list, ref) };
  }

  /** Stores a run and begins it. @returns its id @throws {ToolError} */
  async start(
    { path, hash, evaluation }: EvaluationFile,
    chosen: Pick<EvalState, 'models' | 'limits' | 'approvals'> & {
      readonly repeats: number | undefined;
    },
  ): Promise<string> {
    if (evaluation === null)
      throw new ToolError('bad-input', `${path} has problems.`, 'Correct them first.');
    const { models, limits, approvals, repeats = evaluation.repeats ?? defaultRepeats } = chosen;
    return this.runs.start({
      type: 'created',
      evaluation,
      file: path,
      fileHash: hash,
      toolsHash: await toolsHashOf(this.#deps.registry),
      ...this.#deps.currentFolder.reference,
      models,
      repeats,
      limits,
      approvals,
    });
  }

  /** An evaluation, as YAML, that is made from a session. @throws {ToolError} */
  async fromSession(id: string): Promise<string> {
    const state = replayed(id, await this.#deps.stored.events(id));
    return this.fromRecording(recordingOf(state));
  }

  /** An evaluation, as YAML, that is made from a recording. */
  fromRecording(recording: Recording): Promise<string> {
    return this.#deps.yaml.planText(evaluationOf(recording));
  }
}
