/** The evaluations of the open folder, and their runs. */

import { evaluation as isEvaluation } from 'virtual:cloche/page-validators';
import { findModel, nameOf, realProviders } from '../providers/find-model.ts';
import { recordingOf } from '../session/recording/recorded-session.ts';
import { replaySession } from '../session/reduce.ts';
import { isSameModel, type SessionState } from '../session/session-state.ts';
import type { ValuePath, YamlTexts } from '../../runtime/protocol/yaml.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import {
  defaultRepeats,
  expectedTool,
  type Evaluation,
  type EvaluationPrompt,
} from '../../runtime/spec/evaluation.ts';
import type { Json } from '../../runtime/spec/json.ts';
import type { ModelInfo } from '../../runtime/spec/model.ts';
import type { Recording } from '../../runtime/spec/recording.ts';
import type { EvalModel, EvalState } from './eval-record.ts';
import { EvalRuns, type EvalRunsDeps } from './eval-runs.ts';
import { evaluationOf, evaluationOfCall, fileNameFor } from './make-evaluation.ts';
import {
  readEvaluation,
  readEvaluations,
  type EvaluationFile,
  type ReadEvaluation,
} from './read-evaluation.ts';
import { toolsHashOf, TrialSessions, type TrialSessionsDeps } from './trial-sessions.ts';

export interface EvalsDeps
  extends TrialSessionsDeps, Omit<EvalRunsDeps, 'openTrials' | 'isEvaluation' | 'removeSession'> {
  readonly yaml: YamlTexts;
}

/** An evaluation that is not in the folder yet. */
export interface NewEvaluation {
  /** A name for its file, without the extension. */
  readonly name: string;
  /** YAML. */
  readonly text: string;
}

/** Limit of the prompts that are collected from evaluations. */
const maxPrompts = 40;

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
    const { folder, currentFolder, yaml } = this.#deps;
    await folder.settled();
    const { current } = currentFolder;
    return current === null ? [] : readEvaluations(current.snapshot.files, this.#toolNames(), yaml);
  }

  /** Whether a run is of the open folder. */
  isHere({ folder, folderId }: Pick<EvalState, 'folder' | 'folderId'>): boolean {
    const { reference } = this.#deps.currentFolder;
    return reference.folder === folder && reference.folderId === folderId;
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
    const { ref } = findModel(list, name);
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

  /** Reads the text of an evaluation for the open folder, and says in which lines it is wrong. */
  read(text: string): Promise<ReadEvaluation> {
    return readEvaluation(text, new Set(this.#toolNames()), this.#deps.yaml);
  }

  /** Sets a value in the text of an evaluation; undefined removes it. Rejects if the text is neither JSON nor YAML. */
  withValue(text: string, path: ValuePath, value: Json | undefined): Promise<string> {
    return this.#deps.yaml.withValue(text, path, value);
  }

  /**
   * An evaluation that is made from a session, and is tried with its last model.
   *
   * @param callId the only call that is expected; null for all
   * @throws {ToolError} `not-found`
   */
  async fromSession(id: string, callId: string | null): Promise<NewEvaluation> {
    const state = replaySession(id, await this.#deps.stored.events(id));
    const evaluation =
      callId === null ? evaluationOf(recordingOf(state)) : evaluationOfCall(state, callId);
    return this.#newEvaluation({ ...evaluation, ...this.#modelsOf(state) });
  }

  fromRecording(recording: Recording): Promise<NewEvaluation> {
    return this.#newEvaluation(evaluationOf(recording));
  }

  /** An evaluation of one prompt, which expects the first tool of the open folder. */
  example(): Promise<NewEvaluation> {
    const [tool] = this.#toolNames();
    const expect = tool === undefined ? {} : { expect: { calls: { must: [tool] } } };
    const prompts = [{ text: 'What should the model do?', ...expect }];
    return this.#newEvaluation({ name: 'New evaluation', repeats: 3, prompts }, 'evaluation');
  }

  /** The prompts of the open folder's evaluations that expect a call of this tool. */
  async promptsFor(tool: string): Promise<readonly EvaluationPrompt[]> {
    const files = await this.files();
    return files
      .flatMap(({ evaluation }) => evaluation?.prompts ?? [])
      .filter(({ expect }) =>
        (expect?.calls?.must ?? []).some((call) => expectedTool(call) === tool),
      )
      .slice(0, maxPrompts);
  }

  /** An evaluation that compares another description of a tool with the one in its file. */
  compareDescriptions(
    tool: string,
    description: string,
    prompts: readonly EvaluationPrompt[],
  ): Promise<NewEvaluation> {
    const name = `Descriptions of ${tool}`.slice(0, 200);
    const versions = [
      { name: 'As it is' },
      { name: 'New description', tools: { [tool]: { description } } },
    ];
    const evaluation = { name, repeats: 3, versions, prompts: [...prompts] };
    return this.#newEvaluation(
      evaluation,
      `${fileNameFor({ name: tool, prompts: [] })}-descriptions`,
    );
  }

  async #newEvaluation(made: Evaluation, name = fileNameFor(made)): Promise<NewEvaluation> {
    return { name, text: await this.#deps.yaml.planText(made) };
  }

  /** The model that answered last, if it can be tried. */
  #modelsOf({ entries }: SessionState): Pick<Evaluation, 'models'> {
    const list = realProviders(this.#deps.providers.list());
    const last = entries.findLast((entry) => entry.kind === 'step')?.model;
    const isKnown = list.some(({ models }) =>
      models.some(({ ref }) => isSameModel(ref, last ?? null)),
    );
    return last === undefined || !isKnown ? {} : { models: [nameOf(list, last)] };
  }

  #toolNames(): readonly string[] {
    return this.#deps.registry.list().map(({ name }) => name);
  }
}
