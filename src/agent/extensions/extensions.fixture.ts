/** Extensions whose interpreters are fakes: a test says what they register, and answers their functions. */

import { createAgentHooks } from '../turn/hooks.ts';
import { CallInterceptors } from '../../runtime/call/interceptors.ts';
import { failure } from '../../runtime/call/results.ts';
import { Policies } from '../../runtime/grants/policies.ts';
import type { WantedProvider } from '../../runtime/grants/provider-grant.ts';
import type { NewQuestion } from '../../runtime/grants/questions.ts';
import type { Answered } from '../../runtime/grants/questions.ts';
import { createObservers } from '../../runtime/hooks/observe.ts';
import { Registry, type ExtensionFile } from '../../runtime/registry/registry.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { fakeInspection, fakeTool } from '../../runtime/scan/tool.fixture.ts';
import { newCall, type CallEvent, type ToolCall } from '../../runtime/spec/call.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { Action } from './actions.ts';
import { Extensions } from './extensions.ts';
import type { ExtensionPython, OnAction } from './call-loader.ts';
import type { ExtensionEvent } from './events.ts';
import { FakeHost } from './host-types.fixture.ts';
import { Contributions } from './contributions.ts';

export type Answer = Json | Error | Promise<Json>;

/** Answers of the fake extension's functions, by their numbers. */
export type Functions = Readonly<Record<number, (...values: Json[]) => Answer>>;

export interface FakeExtension {
  readonly registered: readonly Json[];
  /** Whether `register(app)` never ends. */
  readonly hangs?: boolean;
  readonly actions?: readonly Json[];
  readonly functions?: Functions;
  /** Names of the tools that it registers. */
  readonly tools?: readonly string[];
}

const aborts = new WeakMap<AbortSignal, Promise<'cancelled'>>();

/** Adds one listener for all calls that share a signal, because Node reports more than ten as a leak. */
function whenAborted(signal: AbortSignal): Promise<'cancelled'> {
  let aborted = aborts.get(signal);
  if (aborted === undefined) {
    aborted = new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        resolve('cancelled');
      });
    });
    aborts.set(signal, aborted);
  }
  return aborted;
}

/** An interpreter of a fake extension. */
export class FakeExtensionPython implements ExtensionPython {
  readonly ended: Promise<string>;
  readonly calls: string[] = [];
  /** Id of the latest call of a function. */
  lastCall = '';
  disposed = false;
  readonly act: OnAction;
  readonly #extension: FakeExtension;
  #end: (why: string) => void = () => undefined;

  constructor(extension: FakeExtension, act: OnAction) {
    this.#extension = extension;
    this.act = act;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  check() {
    return Promise.resolve(null);
  }

  needsApproval() {
    return Promise.resolve(false);
  }

  /** Ends the interpreter, like a crash does. */
  die(): void {
    this.#end('The interpreter crashed: the worker died');
  }

  dispose(): void {
    this.disposed = true;
    this.#end('The interpreter was stopped');
  }

  inspect() {
    const tools = (this.#extension.tools ?? []).map((name) => fakeTool(name));
    return Promise.resolve(fakeInspection('extension.py', { tools }));
  }

  async run(signal: AbortSignal, tool: RegisteredTool, call: ToolCall): Promise<ToolResult> {
    const { registered, hangs = false, actions = [], functions = {} } = this.#extension;
    this.calls.push(`${tool.name} ${call.arguments}`);
    this.lastCall = call.id;
    if (tool.name !== '@hook' && tool.name !== '@register') return success('ran');
    const answered = (): Answer | undefined => {
      if (tool.name === '@hook') {
        const { id, values } = JSON.parse(call.arguments) as { id: number; values: Json[] };
        return functions[id]?.(...values);
      }
      const report = { registered, actions } as unknown as Json;
      return hangs ? new Promise(() => undefined) : report;
    };
    const timeout = new Promise<'timeout'>((resolve) => {
      setTimeout(resolve, tool.timeout_s * 1000, 'timeout');
    });
    const answer = await Promise.race([
      Promise.resolve(answered()).then((value) => ({ value })),
      whenAborted(signal),
      timeout,
      this.ended.then(() => 'crashed' as const),
    ]);
    if (typeof answer === 'string') {
      // The sandbox aborts calls like this, too: Python may be stuck.
      if (answer === 'timeout') this.dispose();
      return failure(answer, '');
    }
    const { value } = answer;
    if (value instanceof Error) return failure(`ValueError: ${value.message}`, '');
    return success(value ?? null);
  }
}

function success(value: Json): ToolResult {
  const { error: _, ...rest } = failure('', '');
  const content = [{ type: 'json', text: JSON.stringify(value) } as const];
  return { ...rest, resultType: 'success', isError: false, content };
}

/** A folder with one extension, and everything that it can be connected to. */
export class ExtensionsWorld {
  readonly registry: Registry;
  readonly interceptors = new CallInterceptors(defaultLimits);
  readonly hooks;
  readonly calls;
  readonly shown;
  readonly policies: Policies;
  readonly extensions: Extensions;
  readonly events;
  readonly host = new FakeHost();
  readonly pythons: FakeExtensionPython[] = [];
  readonly questions: NewQuestion[] = [];
  /** The providers for which the network was asked. */
  readonly wanted: WantedProvider[] = [];
  readonly performed: { action: Action; session: string; file: string }[] = [];
  /** How the user answers questions; null leaves them open. */
  reply: 'always' | 'never' | 'visit' | 'no' | null = 'always';
  extension: FakeExtension;
  #hash = 0;
  #held: Promise<void> = Promise.resolve();
  #let: () => void = () => undefined;

  constructor(extension: FakeExtension) {
    const report = (thrown: unknown): void => {
      throw thrown;
    };
    this.extension = extension;
    this.registry = new Registry(noDispatch, report);
    this.hooks = createAgentHooks(report);
    this.calls = createObservers<CallEvent>(report);
    this.shown = new Contributions(report);
    this.events = createObservers<ExtensionEvent>(report);
    this.policies = new Policies({
      store: {
        get: () => Promise.resolve(null),
        put: () => Promise.resolve(),
        observe: () => undefined,
      },
      isLocked: false,
      onStorageFailure: report,
      report,
    });
    this.registry.begin('tools');
    this.save();
    const { registry, interceptors, hooks, calls, shown, policies, events, host } = this;
    this.extensions = new Extensions({
      registry,
      policies,
      report,
      targets: {
        registry,
        interceptors,
        hooks,
        calls,
        shown,
        events,
        host,
        grantedHeaders: (_, wanted) => {
          this.wanted.push(wanted);
          return Promise.resolve(wanted.headers);
        },
      },
      policyLoaded: () => Promise.resolve(),
      questions: {
        ask: (_, question) => {
          this.questions.push(question);
          return this.reply === null
            ? new Promise(() => undefined)
            : Promise.resolve<Answered>({ reply: this.reply, reason: '' });
        },
      },
      start: async (_, __, act) => {
        await this.#held;
        const python = new FakeExtensionPython(this.extension, act);
        this.pythons.push(python);
        return python;
      },
      perform: ({ file }, action, session) => {
        this.performed.push({ action, session, file });
      },
      now: () => 1_000,
    });
  }

  /** Loads a new version of the extension's file. */
  save(): void {
    const inspection = fakeInspection('extension.py', { extension: true });
    this.#hash += 1;
    const hash = `hash ${this.#hash}`;
    this.registry.replaceFile({ file: 'extension.py', hash, inspection, fingerprint: hash }, 1);
  }

  /** Lets no interpreter start until {@link release}. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#let = resolve;
    });
  }

  async release(): Promise<void> {
    this.#let();
    await this.settled();
  }

  get file(): ExtensionFile | undefined {
    return this.registry.extensions[0];
  }

  get python(): FakeExtensionPython {
    const python = this.pythons.at(-1);
    if (python === undefined) throw new Error('No interpreter was started.');
    return python;
  }

  /** Waits until it is loaded and its questions are answered. */
  async settled(): Promise<this> {
    await this.extensions.settled();
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    return this;
  }

  view() {
    const [view] = this.extensions.list();
    if (view === undefined) throw new Error('There is no extension.');
    return view;
  }

  /** A call as the call path makes it. */
  call(
    args = '{}',
    run: (args: string) => Promise<ToolResult> = () => Promise.resolve(success('ran')),
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ToolResult> {
    const call = newCall('model', 'files:remove', args, { id: 'c', sessionId: 's' });
    return this.interceptors.around(signal, call, run);
  }
}
