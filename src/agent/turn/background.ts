/**
 * Background prompts of a session: the model answers with the session as its context, but neither prompt nor answer becomes
 * part of the conversation. One runs at a time; the log stores each with its answer.
 */

import type { SessionLog } from '../session/log/session-log.ts';
import { notWriter } from '../session/session-errors.ts';
import { calledToolName } from '../session/session-state.ts';
import type { CallAnswer } from '../../runtime/spec/call.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import type { AskedCall, Usage } from '../../runtime/spec/model.ts';
import type { Background, BackgroundCall } from './live-session-types.ts';

type Running = NonNullable<Background['running']>;
type Ended = Background['ended'][number];

/** A prompt to run, with callbacks for its progress. */
export interface BackgroundPrompt {
  readonly prompt: string;
  /** @param text the answer so far */
  onText(text: string): void;
  /** Called before each call. */
  onCall(call: AskedCall): void;
  /** Called when a call has ended. */
  onResult(callId: string, ok: boolean): void;
  /**
   * Called after each step.
   *
   * @param cost US dollars; null if unknown
   */
  onUsage(usage: Usage, cost: number | null): void;
}

/** `ok` is false if the answer is incomplete; its text then says so. */
export type BackgroundAnswer = Pick<Ended, 'text' | 'ok'>;

export interface BackgroundDeps {
  readonly log: Pick<SessionLog, 'state' | 'claim' | 'append'>;
  /**
   * Runs a prompt to its answer.
   *
   * @throws the error that ended it
   * @throws the signal's reason
   */
  run(signal: AbortSignal, prompt: BackgroundPrompt): Promise<BackgroundAnswer>;
  readonly clock: { now(): number; newId(): string };
  readonly onChange: () => void;
}

export class BackgroundPrompts implements Background {
  readonly #deps: BackgroundDeps;
  #running: Running | null = null;
  /** The latest prompt, if it could not be logged, as when another tab writes the session. */
  #unlogged: Ended | null = null;
  #stop = new AbortController();
  #finished: Promise<void> = Promise.resolve();
  /** Tools that the user allowed for the whole session when a background prompt called them. */
  readonly allowed = new Set<string>();
  /** The calls of each prompt that ran in this page, by prompt id. */
  readonly #calls = new Map<string, readonly BackgroundCall[]>();
  readonly #callIds = new Set<string>();

  constructor(deps: BackgroundDeps) {
    this.#deps = deps;
  }

  get running(): Running | null {
    return this.#running;
  }

  get ended(): readonly Ended[] {
    const logged = this.#deps.log.state.background.flatMap(({ id, prompt, text, ok }) =>
      text === null ? [] : [{ prompt, text, ok, calls: this.#calls.get(id) ?? [] }],
    );
    return this.#unlogged === null ? logged : [...logged, this.#unlogged];
  }

  start(prompt: string): void {
    if (this.#running !== null)
      throw new ToolError(
        'limit',
        'A background prompt is already running.',
        'Wait for its answer, or cancel it.',
      );
    if (this.#deps.log.state.head.messages === 0)
      throw new ToolError(
        'bad-input',
        'A background prompt needs a session that has started.',
        'Send a message first.',
      );
    this.#running = { prompt, since: this.#deps.clock.now(), text: '', calls: [] };
    this.#unlogged = null;
    this.#stop = new AbortController();
    this.#deps.onChange();
    this.#finished = this.#run(prompt);
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Resolves when no prompt is running. */
  settled(): Promise<void> {
    return this.#finished;
  }

  /**
   * Records the user's answer about a call, if a background prompt made the call.
   *
   * @param tool the tool that the user was asked about
   */
  answered(callId: string, tool: string, { approval }: CallAnswer): void {
    if (this.#callIds.has(callId) && approval === 'session') this.allowed.add(tool);
  }

  async #run(prompt: string): Promise<void> {
    const { log, clock, onChange } = this.#deps;
    const { signal } = this.#stop;
    const id = clock.newId();
    let calls: readonly BackgroundCall[] = [];
    const setCalls = (next: typeof calls): void => {
      calls = next;
      this.#show({ calls });
    };
    let answer: BackgroundAnswer;
    let isLogged = false;
    try {
      if (!(await log.claim())) throw notWriter();
      isLogged = log.append({ type: 'background-began', id, prompt });
      answer = await this.#deps.run(signal, {
        prompt,
        onText: (text) => this.#show({ text }),
        onCall: (call) => {
          this.#callIds.add(call.id);
          setCalls([...calls, { id: call.id, name: calledToolName(call), ok: null }]);
        },
        onResult: (callId, ok) => {
          setCalls(calls.map((call) => (call.id === callId ? { ...call, ok } : call)));
        },
        onUsage: (usage, cost) => log.append({ type: 'background-step', id, usage, cost }),
      });
    } catch (thrown) {
      answer = { text: signal.aborted ? 'Cancelled.' : errorText(thrown), ok: false };
    }
    this.#running = null;
    this.#calls.set(id, calls);
    // If another tab has taken over, that tab logs the end.
    if (isLogged) this.#logEnd(id, answer);
    else this.#unlogged = { prompt, ...answer, calls };
    onChange();
  }

  #show(changed: Partial<Running>): void {
    if (this.#running !== null) this.#running = { ...this.#running, ...changed };
    this.#deps.onChange();
  }

  #logEnd(id: string, answer: BackgroundAnswer): void {
    const { log } = this.#deps;
    try {
      log.append({ type: 'background-ended', id, ...answer });
    } catch (thrown) {
      // The answer was too long for an event, or contains what no event may. The error's text is short.
      log.append({ type: 'background-ended', id, text: errorText(thrown), ok: false });
    }
  }
}
