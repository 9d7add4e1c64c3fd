/** The sub-agents of one run: their sessions with tools and model, their inputs, and the checks of their outputs. */

import { recording as isRecording, plan as isPlan } from 'virtual:cloche/page-validators';
import type { Providers } from '../providers/model-providers.ts';
import type { SavedTests } from '../saved-tests/saved-tests.ts';
import { isFolderOf } from '../session/session-head.ts';
import { costOf } from '../session/usage.ts';
import type { LiveSessions } from '../turn/live-sessions.ts';
import type { LiveSession } from '../turn/live-session.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import type { CurrentInterpreters } from '../../runtime/open-folder/folder-interpreters.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import type { PlanTask } from '../../runtime/spec/plan.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import type { Workspaces } from '../../runtime/workspace/workspaces.ts';
import { checkOutput, failuresBefore, type CheckDeps, type CheckOutcome } from './task-checks.ts';
import {
  fileInput,
  taskInput,
  textOfInput,
  toolsOf,
  type PlanReferences,
} from './plan-problems.ts';
import type { PlanSources } from './plan-sources.ts';
import {
  readRecordedRun,
  replayVerdict,
  taskRecording,
  type RecordedRun,
  type RecordedRunForms,
} from './recorded-run.ts';
import type { RunLog } from './run-log.ts';
import { noUsage, type CheckFailure } from './run-record.ts';
import { taskTitle } from './run-tasks.ts';
import { evidenceOf, sessionAgent } from './session-agent.ts';
import type { SubAgent } from './sub-agent.ts';
import { subAgentPrompt } from './task-messages.ts';

export interface SubAgentsDeps {
  readonly sources: PlanSources;
  readonly sessions: LiveSessions;
  readonly providers: Pick<Providers, 'loaded' | 'info' | 'ask'>;
  readonly tests: Pick<SavedTests, 'refresh' | 'run'>;
  readonly calls: Pick<CallPath, 'call'>;
  readonly folder: Pick<FolderLoader, 'settled'>;
  readonly currentFolder: CurrentFolder;
  readonly interpreters: Pick<CurrentInterpreters, 'judge'>;
  readonly workspaces: Pick<Workspaces, 'of'>;
  readonly newId: () => string;
}

/** The methods that a run needs for its sub-agents. */
export type RunAgents = Pick<
  SubAgents,
  'begin' | 'reopen' | 'references' | 'inputs' | 'check' | 'failuresBefore'
>;

export const recordedRunForms: RecordedRunForms = { isPlan, isRecording };

export class SubAgents {
  readonly #log: RunLog;
  readonly #deps: SubAgentsDeps;
  /** Null unless the run's models answer from a recording. */
  readonly #played: RecordedRun | null;

  constructor(log: RunLog, deps: SubAgentsDeps) {
    this.#log = log;
    this.#deps = deps;
    const { replays } = log.state;
    this.#played = replays === null ? null : readRecordedRun(replays, recordedRunForms);
  }

  /** Creates the session of a task. @throws {ToolError} */
  async begin(task: PlanTask): Promise<SubAgent> {
    const { sessions } = this.#deps;
    const played = this.#played;
    const tools = await this.#toolsFor(task);
    const model = await this.#modelFor(task);
    await this.#requirePrice(task, model);
    const about = { run: this.#log.id, id: task.id, output: task.output ?? null };
    const replays = played === null ? undefined : taskRecording(played, task, tools);
    const session = sessions.createFor(about, replays);
    session.useModel(model);
    session.usePrompt(subAgentPrompt);
    session.rename(taskTitle(task));
    session.select(tools, { noOthers: true });
    session.selection.usePrograms(task.programs ?? this.#log.state.plan.programs ?? false);
    return sessionAgent(session, () => sessions.release(session.id));
  }

  /** Opens the session of an earlier attempt; null if it was never stored. @throws {ToolError} */
  async reopen(task: PlanTask, id: string): Promise<SubAgent | null> {
    const { sessions } = this.#deps;
    await this.#toolsFor(task);
    let session: LiveSession;
    try {
      session = await sessions.open(id);
    } catch (thrown) {
      if (thrown instanceof ToolError && thrown.code === 'not-found') return null;
      throw thrown;
    }
    try {
      await this.#requirePrice(task, session.state.head.model);
    } catch (thrown) {
      sessions.release(id);
      throw thrown;
    }
    return sessionAgent(session, () => sessions.release(id));
  }

  /** Returns everything that a changed plan may refer to. @throws {ToolError} */
  async references(): Promise<PlanReferences> {
    return {
      ...(await this.#deps.sources.references('')),
      inherited: this.#log.state.inherited,
    };
  }

  /** The inputs of a task, with the contents of files. Rejects if one cannot be read. */
  async inputs(task: PlanTask): Promise<ReadonlyMap<string, Json>> {
    const found = new Map<string, Json>();
    for (const [name, input] of Object.entries(task.inputs ?? {}))
      found.set(name, await this.#inputValue(input));
    return found;
  }

  /** Checks an output. Rejects if the check could not be carried out. */
  async check(
    signal: AbortSignal,
    task: PlanTask,
    { session }: Pick<SubAgent, 'session'>,
    output: JsonText,
  ): Promise<CheckOutcome> {
    if (task.check === undefined) return { fault: null, words: '', usage: noUsage };
    const opened = this.#deps.sessions.opened(session);
    if (opened === undefined) throw new Error('The session of a task is not open.');
    const { state } = opened;
    const { model } = state.head;
    const checked = { task: task.id, session, output, model, evidence: evidenceOf(state) };
    const earlier = this.#log.state.tasks.get(task.id)?.earlierFailures ?? [];
    return checkOutput(signal, task.check, checked, this.#checkDeps(task), earlier);
  }

  /**
   * Returns the failures that the check finds before the task begins, which do not count. Rejects
   * as {@link check}.
   */
  async failuresBefore(
    signal: AbortSignal,
    task: PlanTask,
    { session }: Pick<SubAgent, 'session'>,
  ): Promise<readonly CheckFailure[]> {
    if (task.check === undefined) return [];
    const subject = { task: task.id, session };
    return failuresBefore(signal, task.check, subject, this.#checkDeps(task));
  }

  #checkDeps({ id }: PlanTask): CheckDeps {
    const { calls, interpreters, providers, tests, sources, newId } = this.#deps;
    const played = this.#played;
    return {
      calls,
      interpreters,
      newId,
      runTests: async (signal, name) => {
        await tests.refresh();
        return tests.run({ tests: sources.testsNamed(name) }, { signal });
      },
      ask: (signal, model, request) =>
        played === null
          ? providers.ask(model)(signal, request)
          : replayVerdict(played, id, this.#log.state),
      cost: (model, usage) => costOf(providers.info(model), usage),
    };
  }

  /** @throws {ToolError} if the run's folder is not open, or a tool of the task has gone */
  async #toolsFor(task: PlanTask): Promise<readonly string[]> {
    const { folder, currentFolder, sources } = this.#deps;
    const { state } = this.#log;
    await folder.settled();
    if (!isFolderOf(state, currentFolder.reference))
      throw new ToolError(
        'no-folder',
        `The tools folder ${state.folder} is not open.`,
        'Open it, then run the task again.',
      );
    const tools = sources.toolNames();
    const wanted = toolsOf(state.plan, task, { tools, inherited: state.inherited });
    const gone = wanted.filter((name) => !tools.includes(name));
    if (gone.length === 0) return wanted;
    throw new ToolError(
      'not-found',
      `${gone.length === 1 ? 'This tool is' : 'These tools are'} no longer available: ${gone.slice(0, 5).join(', ')}.`,
      'Restore it in the folder or connect its MCP server, or change the plan.',
    );
  }

  /** @throws {ToolError} if the price of the model is unknown, and a budget of money applies to the task */
  async #requirePrice(task: PlanTask, model: ModelRef | null): Promise<void> {
    const { providers } = this.#deps;
    const budgets = [task.budget, this.#log.state.plan.budget];
    if (this.#played !== null || budgets.every((limits) => limits?.cost === undefined)) return;
    await providers.loaded;
    if (model !== null && (providers.info(model)?.price ?? null) !== null) return;
    throw new ToolError(
      'not-found',
      `The price of ${model?.model ?? 'the model'} is unknown, so a budget of money cannot be kept.`,
      'Enter the price under “Models”, 0 if it is free, or limit the tokens instead.',
    );
  }

  /** @throws {ToolError} `not-found` */
  async #modelFor(task: PlanTask): Promise<ModelRef> {
    if (this.#played !== null) return { provider: replayProvider, model: this.#played.title };
    const { sources } = this.#deps;
    const { session, plan } = this.#log.state;
    const name = task.model ?? plan.model;
    const inherited = session === '' ? null : await sources.ofSession(session).catch(() => null);
    const model =
      name === undefined
        ? (inherited?.model ?? (await sources.defaultModel()))
        : sources.modelNamed(name);
    if (model !== null) return model;
    throw new ToolError(
      'not-found',
      name === undefined ? 'No model is set up.' : `There is no model ${name}.`,
      'Add a model, then run the task again.',
    );
  }

  /** @throws {ToolError} */
  async #inputValue(input: Json): Promise<Json> {
    const { workspaces, currentFolder } = this.#deps;
    const task = taskInput(input);
    // The output stays text, since its numbers must stay as they are.
    if (task !== null) return this.#log.state.tasks.get(task)?.output ?? 'null';
    const path = fileInput(input);
    if (path === null) return input;
    const workspace = await workspaces.of(currentFolder.id);
    await workspace?.refresh(new AbortController().signal);
    return textOfInput(path, workspace?.view.files.get(path));
  }
}
