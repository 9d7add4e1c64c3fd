/** One prompt run beside the session, with the selected tools that are safe for that; its answer stays in memory. */

import type { CallAnswer } from '../spec/call.ts';
import { ToolError } from '../spec/error.ts';
import type { Background } from './conversation-type.ts';

type Running = NonNullable<Background['running']>;
type Ended = Background['ended'][number];

/** What is to be run, and what is told of it. */
export interface BackgroundPrompt {
  readonly prompt: string;
  /** Told of the answer as it grows. */
  onText(text: string): void;
  /** Told of each call before it is made. */
  onCall(callId: string, tool: string): void;
}

/** Runs a prompt to its answer. @throws what it fails with, and the signal's reason */
export type RunPrompt = (signal: AbortSignal, run: BackgroundPrompt) => Promise<string>;

const mostEnded = 20;

export class BackgroundRun implements Background {
  readonly #run: RunPrompt;
  readonly #now: () => number;
  readonly #onChange: () => void;
  #running: Running | null = null;
  #ended: readonly Ended[] = [];
  #stop = new AbortController();
  #over: Promise<void> = Promise.resolve();
  /** Tools of its calls, by their ids. */
  readonly #calls = new Map<string, string>();
  readonly #allowed = new Set<string>();

  constructor(run: RunPrompt, now: () => number, onChange: () => void) {
    this.#run = run;
    this.#now = now;
    this.#onChange = onChange;
  }

  get running(): Running | null {
    return this.#running;
  }

  get ended(): readonly Ended[] {
    return this.#ended;
  }

  start(prompt: string): void {
    if (this.#running !== null)
      throw new ToolError(
        'limit',
        'A prompt runs in the background already.',
        'Wait for its answer, or cancel it.',
      );
    this.#running = { prompt, since: this.#now(), text: '' };
    this.#stop = new AbortController();
    this.#onChange();
    this.#over = this.#finish(prompt);
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** None runs any more. */
  settled(): Promise<void> {
    return this.#over;
  }

  /** The person has answered for a call, perhaps one of its own. */
  answered(callId: string, { approval }: CallAnswer): void {
    const tool = this.#calls.get(callId);
    if (tool !== undefined && approval === 'session') this.#allowed.add(tool);
  }

  /** The person has allowed the tool for the session, asked by a call from here. */
  allows(tool: string): boolean {
    return this.#allowed.has(tool);
  }

  async #finish(prompt: string): Promise<void> {
    const { signal } = this.#stop;
    const ended = await this.#run(signal, {
      prompt,
      onText: (text) => {
        if (this.#running !== null) this.#running = { ...this.#running, text };
        this.#onChange();
      },
      onCall: (callId, tool) => this.#calls.set(callId, tool),
    }).then(
      (text): Ended => ({ prompt, text, ok: true }),
      (thrown: unknown): Ended => ({
        prompt,
        text: signal.aborted
          ? 'Cancelled.'
          : thrown instanceof Error
            ? thrown.message
            : String(thrown),
        ok: false,
      }),
    );
    this.#running = null;
    this.#ended = [...this.#ended, ended].slice(-mostEnded);
    this.#onChange();
  }
}
