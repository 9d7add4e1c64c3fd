/** Plans, and their runs by sub-agents: reads, checks, starts and plays them, and lets a model write one. */

import { plan as isPlan } from 'virtual:cloche/page-validators';
import { ReadFiles } from '../session/recording/read-files.ts';
import type { Sessions } from '../session/sessions.ts';
import { nextTask } from '../../runtime/async/pace.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Asker, Plan, PlanNeeds } from '../../runtime/spec/plan.ts';
import type { PlanEdits, YamlTexts } from '../../runtime/protocol/yaml.ts';
import type { Providers } from '../providers/model-providers.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { PlanReferences } from './plan-problems.ts';
import { PlanRuns, type PlanRunsDeps } from './plan-runs.ts';
import { PlanSources, type PlanSourcesDeps } from './plan-sources.ts';
import { plannerPrompt, proposalMessage, proposalTask, proposePlan } from './propose-plan.ts';
import { checkNewPlan, checkPlan, readPlan, type ReadPlan } from './read-plan.ts';
import { recordedRunOfText, runFiles, type FolderRun, type RecordedRun } from './recorded-run.ts';
import { RequestedRuns, type RequestedRunsDeps } from './requested-runs.ts';
import type { RunState } from './run-record.ts';
import type { TaskEvidence } from './run-report.ts';
import { RunSessions } from './run-sessions.ts';
import type { TimelineTask } from './run-timeline.ts';
import { sessionAgent } from './session-agent.ts';
import { recordedRunForms, SubAgents, type SubAgentsDeps } from './sub-agents.ts';

export interface PlansDeps
  extends
    Omit<PlanSourcesDeps & SubAgentsDeps, 'sources'>,
    Omit<RequestedRunsDeps, 'runs' | 'sources' | 'currentFolder' | 'folder'>,
    Omit<PlanRunsDeps, 'agentsOf' | 'removeSession' | 'isPlan' | 'newId' | 'report'> {
  readonly yaml: YamlTexts;
  readonly stored: Pick<Sessions, 'events'>;
  readonly registry: Pick<Registry, 'list'>;
  readonly providers: Providers;
  /** Highest number of interpreters that run at the same time. */
  readonly maxInterpreters: number;
}

const maxRecordingBytes = 16_000_000;

export class Plans {
  readonly runs: PlanRuns;
  /** Writes and changes plans as text. Each edit rejects if a text takes too long. */
  readonly edits: PlanEdits;
  readonly maxInterpreters: number;
  readonly #deps: PlansDeps;
  readonly #sources: PlanSources;
  readonly #requested: RequestedRuns;
  readonly #runSessions: RunSessions;
  readonly #ofFolder: ReadFiles<RecordedRun>;

  constructor(deps: PlansDeps) {
    this.#deps = deps;
    this.edits = deps.yaml;
    this.maxInterpreters = deps.maxInterpreters;
    this.#sources = new PlanSources(deps);
    this.runs = new PlanRuns({
      ...deps,
      isPlan,
      agentsOf: (log) => new SubAgents(log, { ...deps, sources: this.#sources }),
      removeSession: (id) => deps.sessions.remove(id),
    });
    this.#requested = new RequestedRuns({ ...deps, runs: this.runs, sources: this.#sources });
    this.#runSessions = new RunSessions(deps.stored);
    this.#ofFolder = new ReadFiles(
      (text) => recordedRunOfText(text, recordedRunForms),
      deps.report,
    );
  }

  /**
   * Returns everything that a plan may refer to.
   * @param session the session in which the plan is made; empty for none
   * @throws {ToolError}
   */
  references(session: string): Promise<PlanReferences> {
    return this.#sources.references(session);
  }

  /** Reads a plan from JSON or YAML, with its problems by line. @throws {ToolError} */
  async read(text: string, session: string): Promise<ReadPlan> {
    return readPlan(text, await this.references(session), this.#deps.yaml);
  }

  /** Checks a plan that is not text. @param session in which it was made; empty for none @throws {ToolError} */
  async check(value: unknown, session: string): ReturnType<typeof checkPlan> {
    return checkNewPlan(value, await this.references(session));
  }

  /**
   * Returns what a plan would use. Never rejects.
   * @param inherited tools that the plan's stored run inherits; by default the session's
   */
  needs(plan: Plan, session: string, inherited?: PlanReferences['inherited']): Promise<PlanNeeds> {
    return this.#sources.needs(plan, session, inherited);
  }

  /** Calls the listener when models were added or removed. @returns dispose */
  observeModels(listener: () => void): () => void {
    return this.#deps.providers.observe(listener);
  }

  /** Stores a run and begins it. @throws {ToolError} */
  start(plan: Plan, session: string): Promise<RunState> {
    return this.#requested.start(plan, session, null);
  }

  /**
   * Stores a run that a page or an extension requests. It waits for the user's approval, unless the policy allows it.
   * @param asker a page by default
   * @throws {ToolError} `not-supported` if the policy refuses it
   */
  request(plan: Plan, session: string, asker: Asker = 'page'): Promise<RunState> {
    return this.#requested.request(plan, session, asker);
  }

  /** Lets a model write a plan, for a goal or from a session. @param wish may be empty if there is a session @returns YAML, perhaps with problems */
  async propose(signal: AbortSignal, wish: string, session: string): Promise<string> {
    const { registry, sessions, yaml } = this.#deps;
    const known = await this.references(session);
    const from = session === '' ? null : await this.#sources.ofSession(session);
    const model = from?.model ?? (await this.#sources.defaultModel());
    if (model === null)
      throw new ToolError('not-found', 'No model is set up.', 'Add a model under “Models” first.');
    const allowed = new Set(known.inherited ?? known.tools);
    const tools = registry.list().filter(({ name }) => allowed.has(name));
    const message = proposalMessage(wish, from?.state ?? null, tools);
    const { id, title = id, output } = proposalTask;
    const planner = sessions.createFor({ run: 'proposal', id, output });
    planner.useModel(model);
    planner.usePrompt(plannerPrompt);
    planner.rename(title);
    planner.select([], { noOthers: true });
    const agent = sessionAgent(planner, () => sessions.release(planner.id));
    try {
      return await yaml.planText(await proposePlan(signal, agent, message, known));
    } finally {
      agent.close();
      sessions.remove(planner.id);
    }
  }

  /** When each task and call of a run began and ended. Never rejects. */
  timeline(run: RunState): Promise<readonly TimelineTask[]> {
    return this.#runSessions.timeline(run);
  }

  /** Returns the parts of the tasks' sessions that the report needs, by task. Never rejects. */
  evidence(run: RunState): Promise<ReadonlyMap<string, TaskEvidence>> {
    return this.#runSessions.evidence(run);
  }

  /** The recorded runs of the open folder that have been read so far. */
  recordings(): readonly FolderRun[] {
    const { current } = this.#deps.currentFolder;
    const files = current === null ? [] : runFiles(current.snapshot);
    return this.#ofFolder.of(files).map(({ path, value }) => ({ path, run: value }));
  }

  /** Calls the listener when a recorded run of a folder has been read. @returns dispose */
  observeRecordings(listener: () => void): () => void {
    return this.#ofFolder.observe(listener);
  }

  /** @throws {ToolError} `bad-input`, `limit` */
  async recordingIn(file: Blob): Promise<RecordedRun> {
    if (file.size > maxRecordingBytes)
      throw new ToolError('limit', 'The file is too large for a recorded run.');
    return recordedRunOfText(await file.text(), recordedRunForms);
  }

  /** Starts a run whose models answer from a recording. @throws {ToolError} */
  async play(recorded: RecordedRun): Promise<RunState> {
    // Another folder may be opened during the pauses.
    const { reference } = this.#deps.currentFolder;
    const { problems } = await checkPlan(recorded.plan, {
      ...(await this.references('')),
      // The recording answers for all models of the plan.
      hasModel: () => true,
    });
    const [first] = problems;
    if (first !== undefined)
      throw new ToolError('bad-input', `The plan does not fit this folder: ${first.message}.`);
    // A long recording takes some time to check, to write and to store, so each has a task of its own.
    await nextTask();
    const replays = JSON.stringify(recorded);
    await nextTask();
    const about = { session: '', inherited: null, ...reference, replays };
    // Revisions would make calls that the user has not seen, and recordings contain no revisions.
    return this.runs.start({ ...recorded.plan, revisions: 0 }, about);
  }

  /** A run as a recording, as JSON. @throws {ToolError} */
  async record(id: string): Promise<string> {
    const run = this.runs.get(id);
    if (run === null) throw new ToolError('not-found', 'There is no such run.');
    return this.#runSessions.record(run);
  }
}
