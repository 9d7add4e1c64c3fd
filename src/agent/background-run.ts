/** One prompt run beside the session, with the selected tools that are safe for that; the log keeps it and its answer. */

import { calledName } from '../session/called-name.ts';
import type { SessionLog } from '../session/session-log.ts';
import { followed } from '../session/session-troubles.ts';
import type { CallAnswer } from '../spec/call.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { AskedCall, Usage } from '../spec/model.ts';
import type { SessionFact } from '../spec/session.ts';
import type { Background, BackgroundCall } from './conversation-type.ts';

type Running = NonNullable<Background['running']>;
type Ended = Background['ended'][number];

/** What is to be run, and what is told of it. */
export interface BackgroundPrompt {
  readonly prompt: string;
  /** Told of the answer as it grows. */
  onText(text: string): void;
  /** Told of each call before it is made. */
  onCall(call: AskedCall): void;
  /** Told of the end of each. */
  onResult(callId: string, ok: boolean): void;
  /** Told of each step. @param cost US dollars; null where unknown */
  onUsage(usage: Usage, cost: number | null): void;
}

/** Not `ok`: it was cut, and its text says so. */
export type BackgroundAnswer = Pick<Ended, 'text' | 'ok'>;

/** Runs a prompt to its answer. @throws what it fails with, and the signal's reason */
export type RunPrompt = (signal: AbortSignal, run: BackgroundPrompt) => Promise<BackgroundAnswer>;

export interface BackgroundParts {
  readonly log: Pick<SessionLog, 'state' | 'claim' | 'append'>;
  readonly run: RunPrompt;
  readonly now: () => number;
  readonly newId: () => string;
  readonly onChange: () => void;
}

export class BackgroundRun implements Background {
  readonly #parts: BackgroundParts;
  #running: Running | null = null;
  /** The latest, where the log took nothing of it. */
  #unlogged: Ended | null = null;
  #stop = new AbortController();
  #over: Promise<void> = Promise.resolve();
  /** Ids of its calls. */
  readonly #calls = new Set<string>();
  /** Tools that the person has allowed for the session, asked by calls from here. */
  readonly allowed = new Set<string>();
  /** Calls of the prompts that ran here, by the ids of those. */
  readonly #made = new Map<string, readonly BackgroundCall[]>();

  constructor(parts: BackgroundParts) {
    this.#parts = parts;
  }

  get running(): Running | null {
    return this.#running;
  }

  get ended(): readonly Ended[] {
    const { background } = this.#parts.log.state;
    const kept = background.flatMap(({ id, prompt, text, ok }) =>
      text === null ? [] : [{ prompt, text, ok, calls: this.#made.get(id) ?? [] }],
    );
    return this.#unlogged === null ? kept : [...kept, this.#unlogged];
  }

  start(prompt: string): void {
    if (this.#running !== null)
      throw new ToolError(
        'limit',
        'A prompt runs in the background already.',
        'Wait for its answer, or cancel it.',
      );
    if (this.#parts.log.state.head.messages === 0)
      throw new ToolError(
        'bad-input',
        'A prompt in the background runs beside a session, and this one has not begun.',
        'Send a message first.',
      );
    this.#running = { prompt, since: this.#parts.now(), text: '', calls: [] };
    this.#unlogged = null;
    this.#stop = new AbortController();
    this.#parts.onChange();
    this.#over = this.#finish(prompt);
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** None runs any more. */
  settled(): Promise<void> {
    return this.#over;
  }

  /** The person has answered for a call, perhaps one of its own. @param tool that they were asked about */
  answered(callId: string, tool: string, { approval }: CallAnswer): void {
    if (this.#calls.has(callId) && approval === 'session') this.allowed.add(tool);
  }

  async #finish(prompt: string): Promise<void> {
    const { log, newId, onChange } = this.#parts;
    const { signal } = this.#stop;
    const id = newId();
    let calls: readonly BackgroundCall[] = [];
    const made = (now: typeof calls): void => {
      calls = now;
      this.#show({ calls });
    };
    let ended: BackgroundAnswer;
    let isBegun = false;
    try {
      if (!(await log.claim())) throw followed();
      isBegun = log.append({ type: 'background-began', id, prompt });
      ended = await this.#parts.run(signal, {
        prompt,
        onText: (text) => {
          this.#show({ text });
        },
        onCall: (call) => {
          this.#calls.add(call.id);
          made([...calls, { id: call.id, name: calledName(call), ok: null }]);
        },
        onResult: (callId, ok) => {
          made(calls.map((call) => (call.id === callId ? { ...call, ok } : call)));
        },
        onUsage: (usage, cost) => log.append({ type: 'background-step', id, usage, cost }),
      });
    } catch (thrown) {
      ended = { text: signal.aborted ? 'Cancelled.' : errorText(thrown), ok: false };
    }
    this.#running = null;
    this.#made.set(id, calls);
    // Where another page has taken over meanwhile, it has told the end.
    if (isBegun) this.#tellEnd({ id, ...ended });
    else this.#unlogged = { prompt, ...ended, calls };
    onChange();
  }

  #show(changed: Partial<Running>): void {
    if (this.#running !== null) this.#running = { ...this.#running, ...changed };
    this.#parts.onChange();
  }

  #tellEnd(ended: Omit<Extract<SessionFact, { type: 'background-ended' }>, 'type'>): void {
    const { log } = this.#parts;
    try {
      log.append({ type: 'background-ended', ...ended });
    } catch (thrown) {
      log.append({ type: 'background-ended', id: ended.id, text: errorText(thrown), ok: false });
    }
  }
}
