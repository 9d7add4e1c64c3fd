/** Performs the actions and requests of an extension in Python, within its powers and limits. */

import type { CallClock } from '../../runtime/protocol/ask.ts';
import type { Power } from '../../runtime/grants/powers.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import { costlyLimit, PowerDenied, RateLimit, type Access } from './access.ts';
import { costlyActions, intrusiveActions, powerFor, readAction, type Action } from './actions.ts';
import type { ExtensionApp, RegistrationTargets } from './app.ts';
import type { CallFunction } from './python-models.ts';
import { answerRequest, isRequest } from './python-requests.ts';
import { callLoader, type ExtensionPython } from './call-loader.ts';
import type { RunLog } from './function-log.ts';
import { createBinder, type SessionApp } from './session-writes.ts';
import type { Origin } from './contributions.ts';

/** A function for `run_async` may run as long as the page is open; milliseconds. */
const asyncMs = 24 * 3_600_000;
/** Limit of the arguments of one function, and of its result; characters. */
export const maxChars = 8_000_000;
/** Limits: functions for `run_async` at once, actions in a second, and messages that wait for a turn's end. */
const maxAsync = 20;
const maxActions = 50;
const maxFollowUps = 20;
/** Limit of pickers and changes of the view in a minute. */
const maxIntrusive = 15;

export interface PythonActionsDeps {
  readonly targets: RegistrationTargets;
  readonly file: string;
  readonly log: RunLog;
  readonly signal: AbortSignal;
  readonly from: () => Origin;
  /** The interpreter that answers; null while there is none. */
  readonly running: () => {
    readonly python: ExtensionPython;
    readonly app: ExtensionApp;
    readonly call: CallFunction;
  } | null;
  readonly isAllowed: (power: Power) => boolean;
  /** Resolves with whether the extension has a power; may ask the user for it. */
  readonly mayHave: (power: Power) => Promise<boolean>;
  /** Performs an action of the page. @throws {ToolError} */
  readonly perform: (from: Origin, action: Action, session: string) => void;
  readonly now: () => number;
}

export class PythonActions {
  readonly #deps: PythonActionsDeps;
  readonly #costly: RateLimit;
  readonly #intrusive: RateLimit;
  readonly #bind: (session: string, access: Access) => SessionApp;
  #asyncs = 0;
  #followUps = 0;
  #asked = { second: 0, count: 0 };

  constructor(deps: PythonActionsDeps) {
    this.#deps = deps;
    this.#costly = costlyLimit(deps.now);
    this.#intrusive = new RateLimit(deps.now, maxIntrusive, 'pickers and changes of the view');
    const { host, shown, events } = deps.targets;
    const emit = events.emit.bind(events);
    this.#bind = createBinder({ host, shown, emit, costly: this.#costly });
  }

  /**
   * Returns the access of running code; without a clock, that of the page on behalf of the
   * extension.
   */
  access(clock?: CallClock): Access {
    const { from, signal } = this.#deps;
    return {
      from,
      signal,
      need: (power) => this.#askForPower(power, clock),
      perform: (action, session) => this.#act(action, session, clock),
    };
  }

  /**
   * Performs what running code asks for, which counts as a fault if it fails.
   * @returns the answer as JSON; undefined if there is none @throws {ToolError}
   */
  async ask(asked: Json, session: string, clock?: CallClock): Promise<JsonText | undefined> {
    try {
      return await this.#perform(asked, session, clock);
    } catch (thrown) {
      const { log } = this.#deps;
      const message = errorText(thrown);
      // A flood of one fault must not push out the others.
      if (log.faults.at(-1)?.message !== message) log.failed('What it asked for', message);
      throw thrown;
    }
  }

  /** Performs the action that a function has returned; null does nothing. @throws {ToolError} */
  async perform(returned: Json, session: string): Promise<void> {
    await this.#perform(returned, session);
  }

  /** Does work whose failure is a fault of the extension. Never rejects. */
  async attempt(what: string, work: () => Promise<void>): Promise<void> {
    const { log } = this.#deps;
    try {
      await work();
    } catch (thrown) {
      const isKnown = log.faults.at(-1)?.what === what;
      if (!isKnown) log.failed(what, errorText(thrown));
    }
  }

  /** Does work that the user has asked for, and tells them if it fails. Never rejects. */
  attemptForUser(what: string, work: () => Promise<void>): Promise<void> {
    const { from, targets, signal } = this.#deps;
    return this.attempt(what, async () => {
      try {
        await work();
      } catch (thrown) {
        const message = errorText(thrown);
        const text = message.startsWith(what) ? message : `${what} failed: ${message}`;
        if (!signal.aborted) targets.shown.notify(from(), text, { stays: false });
        throw thrown;
      }
    });
  }

  async #perform(asked: Json, session: string, clock?: CallClock): Promise<JsonText | undefined> {
    if (asked === null) return undefined;
    if (this.#deps.signal.aborted) throw new ToolError('aborted', 'The extension was ended.');
    this.#count();
    if (isRequest(asked)) return answerRequest(this.#bind(session, this.access(clock)), asked);
    await this.#act(readAction(asked), session, clock);
    return undefined;
  }

  async #act(action: Action, session: string, clock?: CallClock): Promise<void> {
    const power = powerFor[action.action];
    if (power !== null) await this.#askForPower(power, clock, action.action);
    if (costlyActions.has(action.action)) this.#costly.count();
    if (intrusiveActions.has(action.action)) this.#intrusive.count();
    const running = this.#deps.running();
    // The interpreter may have ended while the user was asked.
    if (running === null) return;
    switch (action.action) {
      case 'run_async':
        this.#runAsync(running.python, action.run, session);
        return;
      case 'set_status':
        running.app.setStatus(action.key, action.text);
        return;
      case 'show_picker':
        this.#showPicker(action, session);
        return;
      case 'follow_up':
        this.#followUp(action.text, session);
        return;
      default:
        this.#deps.perform(this.#deps.from(), action, session);
    }
  }

  /** @throws {ToolError} if the user does not grant the power */
  async #askForPower(power: Power, clock?: CallClock, what = 'This'): Promise<void> {
    const { isAllowed, mayHave } = this.#deps;
    if (isAllowed(power)) return;
    // While the user reads, the time of the function does not pass.
    clock?.pause();
    const granted = await mayHave(power);
    clock?.resume();
    // @mutant an extension does only what its powers allow => !granted -> granted === null
    //   [src/agent/extensions/session-writes.test.ts]
    if (!granted) throw new PowerDenied(what, power);
  }

  #count(): void {
    const second = Math.floor(this.#deps.now() / 1_000);
    if (this.#asked.second !== second) this.#asked = { second, count: 0 };
    this.#asked.count += 1;
    // @mutant actions of an extension in a second => > maxActions -> < 0 [src/agent/extensions/extensions.test.ts]
    if (this.#asked.count > maxActions)
      throw new ToolError('limit', `More than ${maxActions} actions in a second.`);
  }

  #runAsync(python: ExtensionPython, id: number, session: string): void {
    if (this.#asyncs >= maxAsync)
      throw new ToolError('limit', `More than ${maxAsync} functions run asynchronously.`);
    this.#asyncs += 1;
    const asked = { deadlineMs: asyncMs, maxChars, session };
    const args = `{"id":${id},"values":[]}`;
    void this.attempt('run_async', async () => {
      try {
        const { file, signal } = this.#deps;
        const returned = await callLoader(signal, python, file, '@hook', args, asked);
        await this.#perform(returned, session);
      } finally {
        this.#asyncs -= 1;
      }
    });
  }

  /** Calls `run` once, even if nothing is chosen, so that Python need not keep the function. */
  #showPicker(
    { title, items, run }: Extract<Action, { action: 'show_picker' }>,
    session: string,
  ): void {
    const { targets, from, signal } = this.#deps;
    const what = `The picker ${title}`;
    targets.shown.pickers.open(from(), { title, items }, (index) => {
      const call = this.#deps.running()?.call;
      if (call === undefined || signal.aborted) return;
      void this.attemptForUser(what, async () => {
        const returned = await call(signal, what, run, [JSON.stringify(index)], session);
        await this.#perform(returned, session);
      });
    });
  }

  #followUp(text: string, session: string): void {
    const { targets, signal, from, perform } = this.#deps;
    if (this.#followUps >= maxFollowUps)
      throw new ToolError('limit', `More than ${maxFollowUps} messages wait for a turn’s end.`);
    const idle = targets.host.idle(signal, session);
    this.#followUps += 1;
    void this.attempt('follow_up', async () => {
      try {
        await idle;
      } finally {
        this.#followUps -= 1;
      }
      // The power may have been revoked meanwhile.
      await this.#askForPower('send');
      perform(from(), { action: 'send_message', text }, session);
    });
  }
}
