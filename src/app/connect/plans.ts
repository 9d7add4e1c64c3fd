/** Connects runs of plans with sessions, tools, saved tests and the workspace. */

import { plan as isPlan, recording as isRecording } from 'virtual:cloche/page-validators';
import type { Conversations } from '../../agent/turn/conversations.ts';
import { subAgentPrompt } from '../../agent/runner/task-messages.ts';
import { after } from '../../runtime/async/after.ts';
import { findModel, nameOf } from '../../agent/extensions/find-model.ts';
import type { YamlTexts } from '../../runtime/protocol/yaml.ts';
import { holdRun, openRunPages, openRunStore } from '../../agent/storage/run-store.ts';
import { checkOutput, failuresBefore, type CheckDeps } from '../../agent/runner/checks.ts';
import { planNeeds } from '../../agent/runner/plan-needs.ts';
import {
  fileInput,
  taskInput,
  textOfInput,
  toolsOf,
  type PlanReferences,
} from '../../agent/runner/plan-problems.ts';
import { PlanRuns, type PlanRunsDeps } from '../../agent/runner/plan-runs.ts';
import { checkPlan, readPlan } from '../../agent/runner/read-plan.ts';
import type { RunLog } from '../../agent/runner/run-log.ts';
import { noUsage } from '../../agent/runner/run-record.ts';
import { RunSessions } from '../../agent/runner/run-sessions.ts';
import {
  plannerPrompt,
  proposalMessage,
  proposalTask,
  proposePlan,
} from '../../agent/runner/propose-plan.ts';
import {
  folderRuns,
  readRecordedRun,
  recordedVerdict,
  taskRecording,
  type RecordedRun,
  type RecordedRunForms,
} from '../../agent/runner/recorded-run.ts';
import { evidenceOf, sessionAgent } from '../../agent/runner/session-agent.ts';
import { capacityOf } from '../../runtime/sandbox/interpreter-allocator.ts';
import type { SavedTests } from '../../agent/saved-tests/saved-tests.ts';
import { costOf } from '../../agent/session/usage.ts';
import { isFolderOf } from '../../agent/session/session-head.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Json } from '../../runtime/spec/json.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import type { Asker, Plan, PlanModel, PlanNeeds, PlanTask } from '../../runtime/spec/plan.ts';
import type { SessionState } from '../../agent/session/session-state.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';
import type { Workspaces } from '../../runtime/workspace/workspaces.ts';
import type { PlansControl, PolicyControl, SessionsControl } from '../app.ts';
import { noFolder } from '../../runtime/open-folder/folder-interpreters.ts';
import { newId, type PageDeps, type Parts } from '../page-deps.ts';
import { requestedRuns } from './requested-runs.ts';

export interface PlansDeps
  extends
    PageDeps,
    Pick<Parts, 'registry' | 'calls' | 'folder' | 'currentFolder' | 'interpreters'> {
  readonly yaml: YamlTexts;
  readonly tests: SavedTests;
  readonly workspaces: Workspaces;
  readonly policy: Pick<PolicyControl, 'policies' | 'questions'>;
  readonly sessions: Pick<SessionsControl, 'providers'> & {
    readonly conversations: Conversations;
    readonly usualModel: () => Promise<ModelRef | null>;
    /** The events of a session. @throws {ToolError} */
    readonly events: (id: string) => Promise<readonly SessionEvent[]>;
  };
}

const recordedRunForms: RecordedRunForms = { isPlan, isRecording };

const maxRecordingBytes = 16_000_000;

export function connectPlans(deps: PlansDeps): PlansControl {
  const { base, window, database, report, registry, calls, currentFolder, tests, yaml } = deps;
  const { conversations, providers, usualModel } = deps.sessions;
  const toolNames = (): readonly string[] => registry.list().map(({ name }) => name);
  const models = (name: string): ModelRef | null => {
    try {
      return findModel(providers.list(), name, null).ref;
    } catch {
      return null;
    }
  };
  const { locks } = window.navigator as Partial<Navigator>;

  /** The tools and the model of a session. @throws {ToolError} `not-found` */
  async function ofSession(id: string): Promise<{
    readonly tools: readonly string[];
    readonly model: ModelRef | null;
    readonly state: SessionState;
  }> {
    const conversation = await conversations.open(id);
    try {
      const { selected: tools, state } = conversation;
      return { tools, model: state.head.model, state };
    } finally {
      conversations.release(id);
    }
  }

  /** Ids of the saved tests with a name or an id, or in a file. */
  function testsNamed(name: string): readonly string[] {
    const named = tests
      .select({})
      .filter(({ id, name: own, file }) => [id, own, file].includes(name));
    return named.map(({ id }) => id);
  }

  async function references(session: string): Promise<PlanReferences> {
    await Promise.all([providers.loaded, deps.folder.settled(), tests.refresh()]);
    return {
      tools: toolNames(),
      inherited: session === '' ? null : (await ofSession(session)).tools,
      hasModel: (name) => models(name) !== null,
      hasTest: (name) => testsNamed(name).length > 0,
    };
  }

  function parts(log: RunLog): ReturnType<PlanRunsDeps['parts']> {
    const { session, replays } = log.state;
    const played = replays === null ? null : readRecordedRun(replays, recordedRunForms);
    /** @throws {ToolError} if the run's folder is not open, or a tool of the task has gone */
    const toolsFor = async (task: PlanTask): Promise<readonly string[]> => {
      await deps.folder.settled();
      if (!isFolderOf(log.state, currentFolder.reference))
        throw new ToolError(
          'no-folder',
          `The tools folder ${log.state.folder} is not open.`,
          'Open it, then run the task again.',
        );
      const tools = toolNames();
      const wanted = toolsOf(log.state.plan, task, { tools, inherited: log.state.inherited });
      const gone = wanted.filter((name) => !tools.includes(name));
      if (gone.length === 0) return wanted;
      throw new ToolError(
        'not-found',
        `The tools folder has no ${gone.slice(0, 5).join(', ')} any more.`,
        'Restore the tool, or change the plan.',
      );
    };
    /** @throws {ToolError} if the price of the model is unknown, and a budget of money applies to the task */
    const requirePrice = async (task: PlanTask, model: ModelRef | null): Promise<void> => {
      const budgets = [task.budget, log.state.plan.budget];
      if (played !== null || budgets.every((limits) => limits?.cost === undefined)) return;
      await providers.loaded;
      if (model !== null && (providers.info(model)?.price ?? null) !== null) return;
      throw new ToolError(
        'not-found',
        `The price of ${model?.model ?? 'the model'} is unknown, so a budget of money cannot be kept.`,
        'Enter the price under “Models”, 0 if it is free, or limit the tokens instead.',
      );
    };
    const modelFor = async (task: PlanTask): Promise<ModelRef> => {
      if (played !== null) return { provider: replayProvider, model: played.title };
      const name = task.model ?? log.state.plan.model;
      const inherited = session === '' ? null : await ofSession(session).catch(() => null);
      const model = name === undefined ? (inherited?.model ?? (await usualModel())) : models(name);
      if (model !== null) return model;
      throw new ToolError(
        'not-found',
        name === undefined ? 'No model is set up.' : `There is no model ${name}.`,
        'Add a model, then run the task again.',
      );
    };
    const agentOf = (id: string) => {
      const conversation = conversations.opened(id);
      if (conversation === undefined) throw new Error('The session of a task is not open.');
      return conversation;
    };
    const checkDeps = ({ id }: PlanTask): CheckDeps => ({
      call: (signal, call) => calls.call(signal, call),
      judge: (...asked) => {
        if (deps.interpreters.current === null) throw noFolder();
        return deps.interpreters.current.judge(...asked);
      },
      runTests: async (signal, name) => {
        await tests.refresh();
        return tests.run({ tests: testsNamed(name) }, { signal });
      },
      ask: (signal, model, request) =>
        played === null
          ? providers.ask(model)(signal, request)
          : recordedVerdict(played, id, log.state),
      cost: (model, usage) => costOf(providers.info(model), usage),
      newId,
    });
    return {
      begin: async (task) => {
        const tools = await toolsFor(task);
        const model = await modelFor(task);
        await requirePrice(task, model);
        const own = { run: log.id, id: task.id, output: task.output ?? null };
        const replays = played === null ? {} : { replays: taskRecording(played, task, tools) };
        const conversation = conversations.createFor(own, replays);
        conversation.useModel(model);
        conversation.usePrompt(subAgentPrompt);
        conversation.rename(task.title ?? task.id);
        conversation.select(tools, true);
        return sessionAgent(conversation, () => conversations.release(conversation.id));
      },
      reopen: async (task, id) => {
        await toolsFor(task);
        const conversation = await conversations.open(id).catch((thrown: unknown) => {
          if (thrown instanceof ToolError && thrown.code === 'not-found') return null;
          throw thrown;
        });
        if (conversation === null) return null;
        const release = (): void => conversations.release(id);
        await requirePrice(task, conversation.state.head.model).catch((thrown: unknown) => {
          release();
          throw thrown;
        });
        return sessionAgent(conversation, release);
      },
      references: async () => ({ ...(await references('')), inherited: log.state.inherited }),
      inputs: async (task) => {
        const found = new Map<string, Json>();
        for (const [name, input] of Object.entries(task.inputs ?? {}))
          found.set(name, await inputValue(input, log));
        return found;
      },
      check: async (signal, task, agent, output) => {
        if (task.check === undefined) return { fault: null, words: '', usage: noUsage };
        const { state } = agentOf(agent.session);
        const checked = {
          task: task.id,
          session: agent.session,
          output,
          model: state.head.model,
          evidence: evidenceOf(state),
        };
        const earlier = log.state.tasks.get(task.id)?.earlierFailures ?? [];
        return checkOutput(signal, task.check, checked, checkDeps(task), earlier);
      },
      failuresBefore: (signal, task, { session: own }) =>
        task.check === undefined
          ? Promise.resolve([])
          : failuresBefore(signal, task.check, { task: task.id, session: own }, checkDeps(task)),
    };
  }

  async function inputValue(input: Json, log: RunLog): Promise<Json> {
    const task = taskInput(input);
    // As text, since its numbers must stay as they are.
    if (task !== null) return log.state.tasks.get(task)?.output ?? 'null';
    const path = fileInput(input);
    if (path === null) return input;
    const workspace = await deps.workspaces.of(currentFolder.id);
    await workspace?.refresh(new AbortController().signal);
    return textOfInput(path, workspace?.view.files.get(path));
  }

  const runs = new PlanRuns({
    store: openRunStore(database),
    parts,
    hold: (run) => holdRun(locks, base.pathname, run),
    isPlan,
    now: () => Date.now(),
    newId,
    ...openRunPages(base.pathname),
    removeSession: (id) => conversations.remove(id),
    after,
    report,
    onStorageFailure: deps.onStorageFailure,
  });

  /** Starts a run in the folder that is open now. @param askedBy null if the user starts it, or allows it */
  async function start(plan: Plan, session: string, askedBy: Asker | null) {
    const { reference } = currentFolder;
    const inherited = session === '' ? null : (await ofSession(session)).tools;
    return runs.start(plan, {
      session,
      inherited,
      ...reference,
      ...(askedBy !== null && { waits: true }),
      ...(askedBy !== null && askedBy !== 'page' && { extension: askedBy }),
    });
  }

  async function needs(
    plan: Plan,
    session: string,
    inherited?: readonly string[] | null,
  ): Promise<PlanNeeds> {
    await providers.loaded;
    const from = session === '' ? null : await ofSession(session).catch(() => null);
    const list = providers.list();
    const others = from?.model ?? (await usualModel());
    const modelOf = (named: string | null): PlanModel => {
      const ref = named === null ? others : models(named);
      const provider = list.find(({ id }) => id === ref?.provider)?.from;
      const answers =
        provider === undefined
          ? ''
          : `answered by the extension ${provider.extension}, ${provider.file}`;
      const chosen =
        named !== null
          ? ''
          : from?.model
            ? 'the model of the session'
            : 'the model that you used last';
      return {
        name: ref === null ? (named ?? 'No model is set up') : nameOf(list, ref),
        from: [chosen, answers].filter(Boolean).join(', '),
      };
    };
    const known = {
      tools: toolNames(),
      inherited: inherited === undefined ? (from?.tools ?? null) : inherited,
    };
    return planNeeds(plan, known, modelOf);
  }

  async function play(recorded: RecordedRun) {
    const { problems } = await checkPlan(recorded.plan, {
      ...(await references('')),
      hasModel: () => true,
    });
    const [first] = problems;
    if (first !== undefined)
      throw new ToolError('bad-input', `The plan does not fit this folder: ${first.message}.`);
    const replays = JSON.stringify(recorded);
    // Revisions would make calls that the user has not seen, and recordings contain no revisions.
    const about = { session: '', inherited: null, ...currentFolder.reference, replays };
    return runs.start({ ...recorded.plan, revisions: 0 }, about);
  }

  async function propose(signal: AbortSignal, wish: string, session: string): Promise<string> {
    const known = await references(session);
    const from = session === '' ? null : await ofSession(session);
    const model = from?.model ?? (await usualModel());
    if (model === null)
      throw new ToolError('not-found', 'No model is set up.', 'Add a model under “Models” first.');
    const allowed = new Set(known.inherited ?? known.tools);
    const tools = registry.list().filter(({ name }) => allowed.has(name));
    const message = proposalMessage(wish, from?.state ?? null, tools);
    const { id, title = id, output } = proposalTask;
    const conversation = conversations.createFor({ run: 'proposal', id, output });
    conversation.useModel(model);
    conversation.usePrompt(plannerPrompt);
    conversation.rename(title);
    conversation.select([], true);
    const agent = sessionAgent(conversation, () => conversations.release(conversation.id));
    try {
      return await yaml.planText(await proposePlan(signal, agent, message, known));
    } finally {
      agent.close();
      conversations.remove(conversation.id);
    }
  }

  const ofRun = new RunSessions(deps.sessions.events);

  return {
    runs,
    references,
    needs,
    play,
    propose,
    timeline: (run) => ofRun.timeline(run),
    evidence: (run) => ofRun.evidence(run),
    record: async (id) => {
      const run = runs.get(id);
      if (run === null) throw new ToolError('not-found', 'There is no such run.');
      return ofRun.record(run);
    },
    start: (plan, session) => start(plan, session, null),
    maxInterpreters: capacityOf(window.navigator).max,
    request: requestedRuns({
      ...deps.policy,
      runs,
      start,
      needs,
      report,
      openFolder: () => currentFolder.reference,
      settled: () => deps.folder.settled(),
    }),
    read: async (text, session) => readPlan(text, await references(session), yaml),
    check: async (value, session) => checkPlan(value, await references(session)),
    edits: yaml,
    recordings: () => {
      const { current } = currentFolder;
      return current === null ? [] : folderRuns(current.snapshot, recordedRunForms);
    },
    recordingIn: async (file) => {
      if (file.size > maxRecordingBytes)
        throw new ToolError('limit', 'The file is too large for a recorded run.');
      return readRecordedRun(await file.text(), recordedRunForms);
    },
  };
}
