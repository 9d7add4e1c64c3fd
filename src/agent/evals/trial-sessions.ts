/** The sessions in which the trials of one run work, and what judges their answers. */

import { findModel } from '../providers/find-model.ts';
import type { Providers } from '../providers/model-providers.ts';
import { checkByModel } from '../runner/task-checks.ts';
import { evidenceOf, sessionAgent, usageOf } from '../runner/session-agent.ts';
import type { WorkEnd } from '../runner/sub-agent.ts';
import type { OpenSessions } from '../session/open-sessions.ts';
import { replaySession } from '../session/reduce.ts';
import { isFolderOf } from '../session/session-head.ts';
import { calledToolName, type SessionState } from '../session/session-state.ts';
import type { Sessions } from '../session/sessions.ts';
import { costOf } from '../session/usage.ts';
import type { AgentHooks } from '../turn/hooks.ts';
import type { CallInterceptors } from '../../runtime/call/interceptors.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { runPython } from '../../runtime/spec/tool.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import { sha256Of } from '../../runtime/spec/bytes.ts';
import type { SubAgentsDeps } from '../runner/sub-agents.ts';
import { noEvalUsage, type EvalLog, type EvalUsage, type Trial } from './eval-record.ts';
import type { JudgeDeps, MadeCall } from './judge-trial.ts';

export interface TrialSessionsDeps extends Pick<
  SubAgentsDeps,
  'folder' | 'currentFolder' | 'interpreters' | 'sessions'
> {
  readonly registry: Pick<Registry, 'list' | 'get'>;
  readonly interceptors: Pick<CallInterceptors, 'register'>;
  readonly hooks: Pick<AgentHooks, 'steps'>;
  readonly openSessions: Pick<OpenSessions, 'open' | 'close' | 'allowInRun'>;
  readonly stored: Pick<Sessions, 'events'>;
  readonly providers: Pick<Providers, 'loaded' | 'list' | 'info' | 'ask'>;
}

export interface TrialSession {
  readonly session: string;
  /** The usage without requests, which the run counts. */
  readonly usage: Omit<EvalUsage, 'requests'>;
  readonly calls: readonly MadeCall[];
  /** The text of the last answer. */
  readonly answer: string;
  /** Sends a message and waits for the end of the turn. @throws the signal's reason */
  work(signal: AbortSignal, message: string): Promise<WorkEnd>;
  close(): void;
}

/** The methods that a run needs for the sessions of its trials. */
export type Trials = Pick<TrialSessions, 'begin' | 'drop' | 'compare' | 'ask'>;

/** Called before and after each request of a session. */
interface Gate {
  readonly before: () => void;
  readonly after: () => void;
  /** Sent with each request, so that versions of a tool are compared with the same one. */
  readonly seed?: number;
}

/** More than the repeats of any evaluation. */
const maxRepeats = 1_000;

export class TrialSessions {
  readonly #log: EvalLog;
  readonly #deps: TrialSessionsDeps;
  readonly #wanted: readonly string[];
  /** The session in whose interpreter outcomes are compared. */
  readonly #judging: string;
  readonly #gates = new Map<string, Gate>();
  readonly #ends: (() => void)[] = [];

  constructor(log: EvalLog, deps: TrialSessionsDeps) {
    this.#log = log;
    this.#deps = deps;
    const { registry, hooks, interceptors, openSessions } = deps;
    const { evaluation, approvals } = log.state;
    this.#wanted =
      typeof evaluation.tools === 'object'
        ? evaluation.tools
        : registry.list().map(({ name }) => name);
    this.#judging = `eval-${log.id}`;
    this.#ends.push(
      hooks.steps.intercept(0, async (step, next) => {
        const gate = this.#gates.get(step.session);
        gate?.before();
        const seed = gate?.seed;
        const { request } = step;
        try {
          return await next(seed === undefined ? step : { ...step, request: { ...request, seed } });
        } finally {
          gate?.after();
        }
      }),
    );
    if (approvals === 'refuse')
      this.#ends.push(
        interceptors.register({
          name: 'evaluation',
          priority: 0,
          before: (_, call) =>
            this.#gates.has(call.sessionId) && registry.get(call.tool)?.requires_approval !== false
              ? { refuse: 'it requires approval, which this evaluation does not give' }
              : null,
        }),
      );
    if (approvals === 'allow')
      for (const tool of this.#wanted)
        openSessions.allowInRun(log.id, registry.get(tool)?.permission ?? tool);
    openSessions.open(this.#judging);
  }

  /** @throws {ToolError} if the run's folder is not open, or its tools have changed */
  static async open(log: EvalLog, deps: TrialSessionsDeps): Promise<TrialSessions> {
    await Promise.all([deps.folder.settled(), deps.providers.loaded]);
    const { folder, toolsHash } = log.state;
    if (!isFolderOf(log.state, deps.currentFolder.reference))
      throw new ToolError(
        'no-folder',
        `The tools folder ${folder} is not open.`,
        'Open it, then run again.',
      );
    if ((await toolsHashOf(deps.registry)) !== toolsHash)
      throw new ToolError(
        'bad-input',
        'The tools have changed since this run began, so its trials could not be compared.',
        'Start a new run, and compare the two.',
      );
    return new TrialSessions(log, deps);
  }

  /**
   * Creates the session of a trial.
   * @param onRequest called before each request to the model, which is not sent if this throws
   * @param onUsage called after each request
   */
  async begin(trial: Trial, onRequest: () => void, onUsage: () => void): Promise<TrialSession> {
    const { sessions } = this.#deps;
    const { evaluation } = this.#log.state;
    const model = this.#modelOf(trial);
    const task = { run: this.#log.id, id: trial.key, output: null, finishes: false } as const;
    const session = sessions.createFor(task);
    session.useModel(model);
    if (evaluation.instructions !== undefined) session.usePrompt(evaluation.instructions);
    session.rename(`${evaluation.name}, ${trial.key}`.slice(0, 200));
    const { versions } = evaluation;
    const changes = versions?.[trial.version]?.tools ?? {};
    session.select(this.#wanted, { noOthers: true, changes });
    session.selection.usePrograms(evaluation.programs === true);
    const seed = trial.prompt * maxRepeats + trial.repeat + 1;
    const gate = { before: onRequest, after: onUsage };
    this.#gates.set(session.id, versions === undefined ? gate : { ...gate, seed });
    const agent = sessionAgent(session, () => {
      this.#gates.delete(session.id);
      sessions.release(session.id);
    });
    return Promise.resolve<TrialSession>({
      session: session.id,
      get usage() {
        return agent.usage;
      },
      get calls() {
        return callsOf(session.state);
      },
      get answer() {
        return answerOf(session.state);
      },
      work: (...asked) => agent.work(...asked),
      close: () => agent.close(),
    });
  }

  /** Deletes the session of an interrupted trial. @returns what it has used */
  async drop(session: string): Promise<EvalUsage> {
    const { sessions, stored } = this.#deps;
    const state = replaySession(session, await stored.events(session).catch(() => []));
    sessions.remove(session);
    const requests = state.entries.filter(({ kind }) => kind === 'step').length;
    return { requests, ...usageOf(state) };
  }

  /** @returns why an outcome is not as expected @throws {ToolError} */
  compare(
    signal: AbortSignal,
    ...asked: Parameters<JudgeDeps['compare']>
  ): Promise<readonly string[]> {
    return this.#deps.interpreters.judge(signal, this.#judging, ...asked);
  }

  /** Lets a model judge the answer of a trial. */
  async ask(
    signal: AbortSignal,
    trial: Trial,
    { session, answer }: Pick<TrialSession, 'session' | 'answer'>,
    statement: string,
  ): Promise<{ readonly fault: string | null; readonly usage: EvalUsage }> {
    const { sessions, providers } = this.#deps;
    const named = this.#log.state.evaluation.judge;
    const model =
      named === undefined ? this.#modelOf(trial) : findModel(providers.list(), named).ref;
    const opened = sessions.opened(session);
    const evidence = opened === undefined ? 'None.' : evidenceOf(opened.state);
    const checked = { output: JSON.stringify(answer), model, evidence };
    const { fault, usage } = await checkByModel(signal, statement, checked, {
      ask: (askSignal, ref, request) => providers.ask(ref)(askSignal, request),
      cost: (ref, used) => costOf(providers.info(ref), used),
    });
    return { fault, usage: { ...noEvalUsage, ...usage } };
  }

  /** Ends the rules and the interpreter of the run. */
  close(): void {
    for (const end of this.#ends) end();
    this.#deps.openSessions.close(this.#judging);
  }

  /** @throws {ToolError} `not-found` */
  #modelOf(trial: Pick<Trial, 'model'>): ModelRef {
    const model = this.#log.state.models[trial.model];
    if (model !== undefined && this.#deps.providers.info(model.ref) !== undefined) return model.ref;
    throw new ToolError(
      'not-found',
      `There is no model ${model?.name ?? ''} any more.`,
      'Add it again, then resume.',
    );
  }
}

/** Changes whenever a tool of the open folder changes. */
export async function toolsHashOf(registry: Pick<Registry, 'list'>): Promise<string> {
  const lines = registry.list().map(({ name, hash }) => `${name} ${hash}`);
  return sha256Of(new TextEncoder().encode(lines.sort().join('\n')));
}

/** The calls that a trial is judged by: instead of a program, the calls that it made. */
function callsOf({ calls }: SessionState): readonly MadeCall[] {
  return [...calls.values()].flatMap(({ asked, arguments: args, nested = [] }) => {
    const modelCall = { tool: calledToolName(asked), arguments: args };
    const madeCalls = modelCall.tool === runPython ? nested : [modelCall];
    return madeCalls.map((call): MadeCall => ({ tool: call.tool, arguments: call.arguments }));
  });
}

/** The text of the last answer. */
function answerOf({ entries }: SessionState): string {
  const last = entries.findLast((entry) => entry.kind === 'step');
  return (last?.parts ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
