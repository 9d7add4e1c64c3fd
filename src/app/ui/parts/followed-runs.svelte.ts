/**
 * Runs that continue by themselves, as a page follows them, and the fault of the last action on
 * them.
 */

import { coalesced } from '../../../runtime/async/coalesce.ts';
import { errorText, ToolError } from '../../../runtime/spec/error.ts';

/** How often the page follows a run that changes quickly; milliseconds. */
const followMs = 100;

interface Runs<Run> {
  /** Returns the runs, newest first. */
  list(): readonly Run[];
  /** Calls the listener after every change. @returns dispose */
  observe(listener: () => void): () => void;
  /** Resolves when the stored runs are loaded. */
  readonly loaded: Promise<void>;
}

export class FollowedRuns<Run extends { readonly id: string }> {
  readonly #stop: () => void;
  #all: readonly Run[] = $state.raw([]);
  #loaded = $state(false);
  #fault = $state('');
  #changes = $state(0);

  constructor(runs: Runs<Run>) {
    const list = (): void => {
      this.#all = runs.list();
      this.#changes += 1;
    };
    this.#stop = runs.observe(coalesced(list, followMs));
    void runs.loaded.then(() => {
      list();
      this.#loaded = true;
    });
  }

  /** The runs, newest first. */
  get all(): readonly Run[] {
    return this.#all;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  forgetFault(): void {
    this.#fault = '';
  }

  /** Why the last action failed; may be empty. */
  get fault(): string {
    return this.#fault;
  }

  run(id: string): Run | undefined {
    return this.#all.find((run) => run.id === id);
  }

  /** Returns a value that is read again after each change of a run. */
  now<T>(read: () => T): T {
    // Reading the number subscribes to changes.
    return this.#changes < 0 ? read() : read();
  }

  /** Runs an action, whose failure is shown as the fault. @returns null if it failed */
  async try<T>(action: () => T | Promise<T>): Promise<T | null> {
    try {
      const outcome = await action();
      this.#fault = '';
      return outcome;
    } catch (thrown) {
      const hint = thrown instanceof ToolError ? (thrown.hint ?? '') : '';
      this.#fault = `${errorText(thrown)} ${hint}`.trim();
      return null;
    }
  }

  dispose(): void {
    this.#stop();
  }
}
