/** Connects evaluations with sessions, tools and models. */

import { newId, type Parts } from '../page-deps.ts';
import { evaluation as isEvaluation } from 'virtual:cloche/page-validators';
import { after } from '../../runtime/async/after.ts';
import { EvalRuns, type EvalRunsDeps } from '../../agent/evals/eval-runs.ts';
import { noEvalUsage, type EvalUsage } from '../../agent/evals/eval-record.ts';
import type { TrialSession } from '../../agent/evals/eval-run.ts';
import type { MadeCall } from '../../agent/evals/judge-trial.ts';
import { evaluationOf } from '../../agent/evals/from-recording.ts';
import { readEvaluations, type EvaluationFile } from '../../agent/evals/read-evaluation.ts';
import { findModel, nameOf, realProviders } from '../../agent/extensions/find-model.ts';
import { holdRun, openRunPages, openRunStore } from '../../agent/storage/run-store.ts';
import { checkOutput } from '../../agent/runner/checks.ts';
import { evidenceOf, sessionAgent } from '../../agent/runner/session-agent.ts';
import { recordingOf } from '../../agent/session/recording/recorded-session.ts';
import { replayed } from '../../agent/session/reduce.ts';
import { isFolderOf } from '../../agent/session/session-head.ts';
import { calledName, type SessionState } from '../../agent/session/session-state.ts';
import { costOf } from '../../agent/session/usage.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { defaultRepeats } from '../../runtime/spec/evaluation.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import { sha256Of } from '../../runtime/spec/sha256.ts';
import type { EvalsControl } from '../app.ts';
import { noFolder } from '../../runtime/open-folder/folder-interpreters.ts';
import type { PlansDeps } from './plans.ts';

export type EvalsDeps = PlansDeps & Pick<Parts, 'hooks' | 'interceptors' | 'openSessions'>;

export function connectEvals(deps: EvalsDeps): EvalsControl {
  const { base, window, database, report, registry, currentFolder, hooks, openSessions } = deps;
  const { conversations, providers } = deps.sessions;
  const { locks } = window.navigator as Partial<Navigator>;
  const toolNames = (): readonly string[] => registry.list().map(({ name }) => name);

  async function toolsHash(): Promise<string> {
    const lines = registry.list().map(({ name, hash }) => `${name} ${hash}`);
    return sha256Of(new TextEncoder().encode(lines.sort().join('\n')));
  }

  const parts: EvalRunsDeps['parts'] = async (log) => {
    await Promise.all([deps.folder.settled(), providers.loaded]);
    const { evaluation, models, approvals } = log.state;
    if (!isFolderOf(log.state, currentFolder.reference))
      throw new ToolError(
        'no-folder',
        `The tools folder ${log.state.folder} is not open.`,
        'Open it, then run again.',
      );
    if ((await toolsHash()) !== log.state.toolsHash)
      throw new ToolError(
        'bad-input',
        'The tools have changed since this run began, so its trials could not be compared.',
        'Start a new run, and compare the two.',
      );
    const wanted = typeof evaluation.tools === 'object' ? evaluation.tools : toolNames();
    /** What is called before and after each request, by session. */
    const gates = new Map<string, { readonly before: () => void; readonly after: () => void }>();
    const ungate = hooks.steps.intercept(0, async (step, next) => {
      const gate = gates.get(step.session);
      gate?.before();
      try {
        return await next(step);
      } finally {
        gate?.after();
      }
    });
    const unrefuse =
      approvals === 'refuse'
        ? deps.interceptors.register({
            name: 'evaluation',
            priority: 0,
            before: (_, call) =>
              gates.has(call.sessionId) && registry.get(call.tool)?.requires_approval !== false
                ? { refuse: 'it requires approval, which this evaluation does not give' }
                : null,
          })
        : () => undefined;
    if (approvals === 'allow') for (const tool of wanted) openSessions.allowInRun(log.id, tool);
    const judging = `eval-${log.id}`;
    openSessions.open(judging);
    const modelOf = (index: number): ModelRef => {
      const model = models[index];
      if (model === undefined || providers.info(model.ref) === undefined)
        throw new ToolError(
          'not-found',
          `There is no model ${model?.name ?? ''} any more.`,
          'Add it again, then resume.',
        );
      return model.ref;
    };
    return {
      begin: (trial, onRequest, onUsage) => {
        const model = modelOf(trial.model);
        const task = { run: log.id, id: trial.key, output: null, finishes: false } as const;
        const conversation = conversations.createFor(task);
        conversation.useModel(model);
        if (evaluation.instructions !== undefined) conversation.usePrompt(evaluation.instructions);
        conversation.rename(`${evaluation.name}, ${trial.key}`.slice(0, 200));
        conversation.select(wanted, true);
        gates.set(conversation.id, { before: onRequest, after: onUsage });
        const agent = sessionAgent(conversation, () => {
          gates.delete(conversation.id);
          conversations.release(conversation.id);
        });
        return Promise.resolve<TrialSession>({
          session: conversation.id,
          get usage() {
            return agent.usage;
          },
          get calls() {
            return callsOf(conversation.state);
          },
          get answer() {
            return answerOf(conversation.state);
          },
          work: (...asked) => agent.work(...asked),
          close: () => agent.close(),
        });
      },
      drop: async (session): Promise<EvalUsage> => {
        const state = replayed(session, await deps.sessions.events(session).catch(() => []));
        conversations.remove(session);
        const requests = state.entries.filter(({ kind }) => kind === 'step').length;
        const { usage, cost } = state;
        const tokens = (usage.input ?? 0) + (usage.output ?? 0);
        return { requests, calls: state.calls.size, tokens, cost };
      },
      compare: (signal, expect, outcome) => {
        if (deps.interpreters.current === null) throw noFolder();
        return deps.interpreters.current.judge(signal, judging, expect, outcome);
      },
      ask: async (signal, trial, session, statement) => {
        const named = evaluation.judge;
        const model =
          named === undefined ? modelOf(trial.model) : findModel(providers.list(), named, null).ref;
        const conversation = conversations.opened(session.session);
        const evidence = conversation === undefined ? 'None.' : evidenceOf(conversation.state);
        const checked = {
          task: trial.key,
          session: judging,
          output: JSON.stringify(session.answer),
          model,
          evidence,
        };
        const found = await checkOutput(signal, { judge: statement }, checked, {
          call: (callSignal, call) => deps.calls.call(callSignal, call),
          judge: () => Promise.resolve([]),
          runTests: () => Promise.resolve([]),
          ask: (askSignal, ref, request) => providers.ask(ref)(askSignal, request),
          cost: (ref, usage) => costOf(providers.info(ref), usage),
          newId,
        });
        return { fault: found.fault, usage: { ...noEvalUsage, ...found.usage } };
      },
      close: () => {
        ungate();
        unrefuse();
        openSessions.close(judging);
      },
    };
  };

  const runs = new EvalRuns({
    store: openRunStore(database, 'evals'),
    parts,
    hold: (run) => holdRun(locks, base.pathname, run),
    isEvaluation,
    now: () => Date.now(),
    newId,
    ...openRunPages(base.pathname, 'evals'),
    removeSession: (id) => conversations.remove(id),
    after,
    report,
  });

  return {
    runs,
    files: async () => {
      await deps.folder.settled();
      const { current } = currentFolder;
      return current === null
        ? []
        : readEvaluations(current.snapshot.files, toolNames(), deps.yaml);
    },
    models: async () => {
      await providers.loaded;
      const list = realProviders(providers.list());
      return list.flatMap(({ models }) =>
        models.map(({ ref, price }) => ({
          ref,
          name: nameOf(list, ref),
          price,
        })),
      );
    },
    modelNamed: (name) => {
      const list = realProviders(providers.list());
      const { ref } = findModel(list, name, null);
      return { ref, name: nameOf(list, ref) };
    },
    start,
    fromSession: async (id) => {
      const state = replayed(id, await deps.sessions.events(id));
      return deps.yaml.planText(evaluationOf(recordingOf(state)));
    },
    fromRecording: (recording) => deps.yaml.planText(evaluationOf(recording)),
  };

  async function start(
    { path, hash, evaluation }: EvaluationFile,
    chosen: Parameters<EvalsControl['start']>[1],
  ): Promise<string> {
    if (evaluation === null)
      throw new ToolError('bad-input', `${path} has problems.`, 'Correct them first.');
    const { models, limits, approvals, repeats = evaluation.repeats ?? defaultRepeats } = chosen;
    return runs.start({
      type: 'created',
      evaluation,
      file: path,
      fileHash: hash,
      toolsHash: await toolsHash(),
      ...currentFolder.reference,
      models,
      repeats,
      limits,
      approvals,
    });
  }
}

function callsOf({ calls }: SessionState): readonly MadeCall[] {
  return [...calls.values()].map(({ asked, arguments: args }) => ({
    tool: calledName(asked),
    arguments: args,
  }));
}

/** The text of the last answer. */
function answerOf({ entries }: SessionState): string {
  const last = entries.findLast((entry) => entry.kind === 'step');
  return (last?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
