/**
 * An extension in Python: starts its interpreter, activates what it registers, and supervises it. When the
 * interpreter ends, only this extension is affected: it is started again, at most three times. Its interceptors are
 * guards: while the extension does not run, they refuse all calls, which it might have refused.
 */

import { pause } from '../../runtime/async/wait.ts';
import type { ExtensionFile } from '../../runtime/registry/registry.ts';
import { checkTool } from '../../runtime/scan/check-tool.ts';
import { settleInspection } from '../../runtime/scan/settle-inspection.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import type { Json } from '../../runtime/spec/json.ts';
import { asFields, isRecord } from '../../runtime/spec/guards.ts';
import { readAction } from './actions.ts';
import { createExtensionApp, type ExtensionApp } from './app.ts';
import type { ExtensionEvent } from './events.ts';
import { Owner, type RegisteredView } from './owner.ts';
import { maxChars, PythonActions, type PythonActionsDeps } from './python-actions.ts';
import { registerAll, findReplacingTools, type ExtInfo } from './python-app.ts';
import type { CallFunction } from './python-models.ts';
import { PythonStreams } from './python-stream.ts';
import { callLoader, type ExtensionPython, type StartPython } from './call-loader.ts';
import { RunLog } from './function-log.ts';
import type { Origin } from './contributions.ts';
import type { Power } from '../../runtime/grants/powers.ts';

/** Deadline of `register(app)`; milliseconds. */
const registerMs = 10_000;
/** Deadline of a registered function whose caller sets no other; milliseconds. */
const hookMs = 5_000;
/** Milliseconds before each restart. */
const backoff = [500, 2_000, 8_000];
/** Limit of events that wait for one handler; later ones are left out. */
const maxEvents = 100;
/** Limit of handlers of one extension that run at once, so that a thousand of them do not block the page. */
const maxHandlers = 20;

export interface PythonExtensionDeps extends Pick<
  PythonActionsDeps,
  'targets' | 'isAllowed' | 'mayHave' | 'perform' | 'now'
> {
  readonly start: StartPython;
  readonly onChange: () => void;
}

export type State = 'starting' | 'running' | 'restarting' | 'failed' | 'ended';

interface Running {
  readonly python: ExtensionPython;
  readonly owner: Owner;
  readonly app: ExtensionApp;
  readonly call: CallFunction;
}

export class PythonExtension {
  readonly file: ExtensionFile;
  readonly log: RunLog;
  /** Resolves when the extension has registered for the first time, or failed to. Never rejects. */
  readonly settled: Promise<void>;
  readonly #deps: PythonExtensionDeps;
  readonly #life = new AbortController();
  readonly #streams = new PythonStreams((what, message) => this.log.failed(what, message));
  #state: State = 'starting';
  #info: ExtInfo | null = null;
  #running: Running | null = null;
  /** The registrations, including those of an interpreter that has ended. */
  #owner: Owner | null = null;
  readonly #actions: PythonActions;
  #restarts = 0;

  constructor(file: ExtensionFile, deps: PythonExtensionDeps) {
    this.file = file;
    this.#deps = deps;
    this.log = new RunLog(deps.now, deps.onChange);
    this.#actions = new PythonActions({
      ...deps,
      file: file.file,
      log: this.log,
      signal: this.#life.signal,
      from: () => this.#origin,
      running: () => this.#running,
    });
    this.settled = this.#start();
  }

  get state(): State {
    return this.#state;
  }

  get name(): string {
    return this.#info?.name ?? this.file.file.replace(/\.py$/, '');
  }

  get version(): string {
    return this.#info?.version ?? '';
  }

  get needs(): readonly Power[] {
    return this.#owner?.needs ?? [];
  }

  get registered(): readonly RegisteredView[] {
    return this.#owner?.list() ?? [];
  }

  /** Applies a change of the extension's powers. */
  refresh(): void {
    this.#owner?.refresh();
    const { isAllowed, targets } = this.#deps;
    if (!isAllowed('show')) targets.shown.clear(this.file.file);
    if (!isAllowed('send')) targets.shown.attachments.clear(this.file.file);
  }

  /** Ends the interpreter and deactivates all registrations, except guards, which refuse calls until {@link end}. */
  suspend(): void {
    this.#state = 'ended';
    this.#life.abort();
    this.#owner?.suspend();
    this.#running?.python.dispose();
    this.#running = null;
    const { shown } = this.#deps.targets;
    shown.clear(this.file.file);
    shown.attachments.clear(this.file.file);
  }

  /** Ends the extension with all of its registrations. */
  end(): void {
    this.suspend();
    this.#owner?.end();
  }

  async #start(): Promise<void> {
    try {
      await this.#run();
    } catch (thrown) {
      if (this.#life.signal.aborted) return;
      this.log.failed('Loading the extension', errorText(thrown));
      this.#state = 'failed';
      if (this.#owner === null) this.#guard();
      this.#deps.onChange();
    }
  }

  /** Refuses all calls in place of an extension that could not be loaded and may intercept calls: it might have refused them. */
  #guard(): void {
    const { targets, isAllowed } = this.#deps;
    this.#owner = new Owner(isAllowed);
    const before = (): never => {
      throw this.#notRunning(`The extension ${this.name}`);
    };
    const app = createExtensionApp(this.#owner, targets, this.#actions.access());
    app.registerInterceptor({ name: `${this.name} (not loaded)`, priority: 0, before });
    // Without that power, the guard is discarded, so that granting the power later does not activate it.
    if (isAllowed('intercept')) this.#owner.refresh();
    else this.#owner = null;
  }

  #notRunning(what: string): ToolError {
    return new ToolError(
      'crashed',
      `${what} cannot answer, because the extension does not run. Reload or disable it on the page Extensions.`,
    );
  }

  async #run(): Promise<void> {
    const { targets, isAllowed, start, onChange } = this.#deps;
    const { signal } = this.#life;
    const { file } = this.file;
    const actions = this.#actions;
    const python = await start(signal, file, async ({ id, sessionId }, text, clock) => {
      const asked = JSON.parse(text) as Json;
      const taken = this.#streams.take(id, asked);
      if (taken === null) return actions.ask(asked, sessionId, clock);
      await taken;
      return undefined;
    });
    const owner = new Owner(isAllowed);
    const app = createExtensionApp(owner, targets, actions.access());
    const call = this.#callOf(python);
    try {
      const asked = { deadlineMs: registerMs, maxChars, session: '' };
      const report = await callLoader(signal, python, file, '@register', '{}', asked);
      await this.#registerTools(python, app, findReplacingTools(report));
      const perform = actions.perform.bind(actions);
      const observe = this.#createObserver(call);
      const attemptForUser = actions.attemptForUser.bind(actions);
      const streams = this.#streams;
      this.#info = registerAll(report, app, { call, streams, perform, observe, attemptForUser });
      // While it registers, an extension can perform no other action.
      for (const early of listIn(asFields(report).actions)) {
        const action = readAction(early);
        if (action.action === 'set_status') app.setStatus(action.key, action.text);
      }
    } catch (thrown) {
      python.dispose();
      throw thrown;
    }
    if (signal.aborted) {
      python.dispose();
      return;
    }
    const before = this.#owner;
    this.#owner = owner;
    this.#running = { python, owner, app, call };
    // The guards of the last run refuse calls until the new ones have taken their place.
    owner.refresh();
    before?.end();
    this.#state = 'running';
    void python.ended.then((why) => this.#restartAfter(python, why));
    onChange();
  }

  async #registerTools(
    python: ExtensionPython,
    app: ExtensionApp,
    replacing: ReadonlySet<unknown>,
  ): Promise<void> {
    const { file, hash } = this.file;
    const inspection = await python.inspect(this.#life.signal);
    const pacer = createPacer();
    const loadedAt = this.#deps.now();
    for (const { message } of inspection.problems.filter(({ severity }) => severity === 'error'))
      this.log.failed('A tool', message);
    for (const reported of inspection.tools) {
      // An extension may choose the module in the name of each tool, so each one is checked against its own.
      const module = reported.name.slice(0, reported.name.indexOf(':') + 1);
      const alone = { ...inspection, tools: [reported], problems: [] };
      // The third argument only concerns the files of problems, which `alone` has none of.
      const { tools, problems } = settleInspection(alone, file, () => true, module);
      for (const tool of tools) {
        const faults = [...problems, ...(await checkTool(tool, pacer))];
        const fault = faults.find(({ severity }) => severity === 'error');
        if (fault === undefined)
          app.registerTool(
            { ...tool, hash, loadedAt, state: 'ready' },
            python,
            replacing.has(tool.name),
          );
        else this.log.failed(`The tool ${tool.name}`, fault.message);
      }
      for (const { message } of problems) this.log.failed('A tool', message);
    }
  }

  async #restartAfter(python: ExtensionPython, why: string): Promise<void> {
    if (this.#running?.python !== python || this.#life.signal.aborted) return;
    const { owner } = this.#running;
    this.#running = null;
    owner.suspend();
    this.log.failed('Its interpreter', why);
    const waitMs = backoff[this.#restarts];
    if (waitMs === undefined) {
      this.#state = 'failed';
      this.log.failed(
        'Restarting',
        `it ended ${backoff.length + 1} times. Reload it to try again.`,
      );
      return;
    }
    this.#restarts += 1;
    this.#state = 'restarting';
    this.#deps.onChange();
    try {
      await pause(this.#life.signal, waitMs);
    } catch {
      return;
    }
    await this.#start();
  }

  #callOf(python: ExtensionPython): CallFunction {
    return async (signal, what, id, values, session, options) => {
      if (this.#running?.python !== python) throw this.#notRunning(`${what} of ${this.name}`);
      const args = `{"id":${id},"values":[${values.join(',')}]}`;
      const asked = { deadlineMs: hookMs, maxChars, session, ...options };
      const from = performance.now();
      try {
        return await callLoader(signal, python, this.file.file, '@hook', args, asked);
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        this.log.failed(what, errorText(thrown));
        throw new ToolError('bad-input', `${what} of ${this.name} failed: ${errorText(thrown)}`);
      } finally {
        this.log.ran(what, performance.now() - from);
      }
    };
  }

  /**
   * Returns a function that passes an event to a handler without waiting for it. Each handler gets one event after the
   * other. If too many wait for it, later ones are left out, and the first of these is logged.
   */
  #createObserver(call: CallFunction): (name: string, id: number, event: ExtensionEvent) => void {
    const queues = new Map<number, { waiting: number; leftOut: number; chain: number }>();
    // The calls in a chain wait for each other, so that no more handlers run at once than there are chains.
    const chains = Array.from({ length: maxHandlers }, () => Promise.resolve());
    const { signal } = this.#life;
    return (name, id, event) => {
      const what = `The event handler ${name}`;
      const chain = queues.size % maxHandlers;
      const queue = queues.get(id) ?? { waiting: 0, leftOut: 0, chain };
      queues.set(id, queue);
      if (queue.waiting >= maxEvents) {
        queue.leftOut += 1;
        if (queue.leftOut === 1) this.log.failed(what, 'it is too slow: events are left out');
        return;
      }
      queue.waiting += 1;
      const session = boundBy(event);
      const last = chains[queue.chain] ?? Promise.resolve();
      chains[queue.chain] = last.then(async () => {
        // A failed handler is in the log already; it does not affect others.
        const returned = await call(signal, what, id, [JSON.stringify(event)], session).catch(
          () => null,
        );
        queue.waiting -= 1;
        if (returned !== null)
          await this.#actions.attempt(what, () => this.#actions.perform(returned, session));
      });
    };
  }

  get #origin(): Origin {
    return { extension: this.name, file: this.file.file };
  }
}

/**
 * The session in which a handler of the event acts. A session that was only opened is not bound,
 * since the user has not acted in it.
 */
function boundBy({ type, session_id }: ExtensionEvent): string {
  return typeof session_id === 'string' && !type.startsWith('session_') ? session_id : '';
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter(isRecord).slice(0, 1_000) : [];
}
