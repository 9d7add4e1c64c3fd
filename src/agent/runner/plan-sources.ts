/**
 * Provides everything that plans refer to: the tools and saved tests of the open folder, models,
 * and the session in which a plan is made.
 */

import { findModel, nameOf } from '../providers/find-model.ts';
import type { DefaultModel } from '../providers/default-model.ts';
import type { Providers } from '../providers/model-providers.ts';
import type { SavedTests } from '../saved-tests/saved-tests.ts';
import type { SessionState } from '../session/session-state.ts';
import type { LiveSessions } from '../turn/live-sessions.ts';
import type { CurrentInterpreters } from '../../runtime/open-folder/folder-interpreters.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { planExpressions } from '../../runtime/spec/interpreter.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';
import type { Plan, PlanModel, PlanNeeds } from '../../runtime/spec/plan.ts';
import { faultInPython } from '../saved-tests/judged-outcome.ts';
import { planNeeds } from './plan-needs.ts';
import type { PlanReferences } from './plan-problems.ts';

export interface PlanSourcesDeps {
  readonly registry: Pick<Registry, 'list'>;
  readonly folder: Pick<FolderLoader, 'settled'>;
  readonly tests: Pick<SavedTests, 'refresh' | 'select' | 'run'>;
  readonly sessions: Pick<LiveSessions, 'open' | 'release'>;
  readonly providers: Pick<Providers, 'list' | 'loaded'>;
  readonly defaultModel: Pick<DefaultModel, 'current' | 'loaded'>;
  readonly interpreters: Pick<CurrentInterpreters, 'judge'>;
}

/** Expressions whose faults are remembered, because a plan that is being edited is read again and again. */
const maxRemembered = 1_000;

export class PlanSources {
  readonly #deps: PlanSourcesDeps;
  readonly #faults = new Map<string, string | null>();

  constructor(deps: PlanSourcesDeps) {
    this.#deps = deps;
  }

  toolNames(): readonly string[] {
    return this.#deps.registry.list().map(({ name }) => name);
  }

  /** @param name such as `provider/model` @returns null if there is none, or several */
  modelNamed(name: string): ModelRef | null {
    try {
      return findModel(this.#deps.providers.list(), name).ref;
    } catch {
      return null;
    }
  }

  /** The model of tasks that name none, outside sessions. */
  async defaultModel(): Promise<ModelRef | null> {
    await this.#deps.defaultModel.loaded;
    return this.#deps.defaultModel.current;
  }

  /** The tools, the model and the state of a session. @throws {ToolError} `not-found` */
  async ofSession(id: string): Promise<{
    readonly tools: readonly string[];
    readonly model: ModelRef | null;
    readonly state: SessionState;
  }> {
    const session = await this.#deps.sessions.open(id);
    try {
      const { selected: tools, state } = session;
      return { tools, model: state.head.model, state };
    } finally {
      this.#deps.sessions.release(id);
    }
  }

  /** Ids of the saved tests with a name or an id, or in a file. */
  testsNamed(name: string): readonly string[] {
    const named = this.#deps.tests
      .select({})
      .filter(({ id, name: own, file }) => [id, own, file].includes(name));
    return named.map(({ id }) => id);
  }

  /**
   * Returns everything that a plan may refer to.
   * @param session the session in which the plan is made; empty for none
   * @throws {ToolError}
   */
  async references(session: string): Promise<PlanReferences> {
    const { providers, folder, tests } = this.#deps;
    await Promise.all([providers.loaded, folder.settled(), tests.refresh()]);
    return {
      tools: this.toolNames(),
      inherited: session === '' ? null : (await this.ofSession(session)).tools,
      hasModel: (name) => this.modelNamed(name) !== null,
      hasTest: (name) => this.testsNamed(name).length > 0,
      faultIn: (signal, expression) => this.#faultIn(signal, expression),
    };
  }

  async #faultIn(signal: AbortSignal, expression: string): Promise<string | null> {
    const known = this.#faults.get(expression);
    if (known !== undefined) return known;
    const fault = await faultInPython(expression, (...asked) =>
      this.#deps.interpreters.judge(signal, planExpressions, ...asked),
    );
    if (this.#faults.size >= maxRemembered) this.#faults.clear();
    this.#faults.set(expression, fault);
    return fault;
  }

  /**
   * Returns what a plan would use. Never rejects.
   * @param inherited tools that the plan's stored run inherits; by default the session's
   */
  async needs(
    plan: Plan,
    session: string,
    inherited?: PlanReferences['inherited'],
  ): Promise<PlanNeeds> {
    const { providers } = this.#deps;
    await providers.loaded;
    const from = session === '' ? null : await this.ofSession(session).catch(() => null);
    const list = providers.list();
    const others = from?.model ?? (await this.defaultModel());
    const modelOf = (named: string | null): PlanModel => {
      const ref = named === null ? others : this.modelNamed(named);
      const provider = list.find(({ id }) => id === ref?.provider)?.from;
      const answers =
        provider === undefined
          ? ''
          : `answered by the extension ${provider.extension}, ${provider.file}`;
      const chosen =
        named !== null || ref === null
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
      tools: this.toolNames(),
      inherited: inherited === undefined ? (from?.tools ?? null) : inherited,
    };
    return planNeeds(plan, known, modelOf);
  }
}
