/** One prompt run beside the session, with the selected tools that are safe for that; its answer stays in memory. */

import { ToolError } from '../spec/error.ts';
import type { Background } from './conversation-type.ts';

type Running = NonNullable<Background['running']>;
type Ended = Background['ended'][number];

/** Runs a prompt to its answer. @throws what it fails with, and the signal's reason */
export type RunPrompt = (
  signal: AbortSignal,
  prompt: string,
  onText: (text: string) => void,
) => Promise<string>;

const mostEnded = 20;

export class BackgroundRun implements Background {
  readonly #run: RunPrompt;
  readonly #now: () => number;
  readonly #onChange: () => void;
  #running: Running | null = null;
  #ended: readonly Ended[] = [];
  #stop = new AbortController();

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
    void this.#finish(prompt);
  }

  cancel(): void {
    this.#stop.abort();
  }

  async #finish(prompt: string): Promise<void> {
    const { signal } = this.#stop;
    const ended = await this.#run(signal, prompt, (text) => {
      if (this.#running !== null) this.#running = { ...this.#running, text };
      this.#onChange();
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
