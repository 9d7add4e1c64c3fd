/**
 * Runs that continue by themselves, as a page follows them, and the fault of the last action on
 * them.
 */

import { errorWithHint } from '../../../runtime/spec/error.ts';
import { Observed } from './observed.ts';

/** Interval at which the page follows a run that changes quickly; milliseconds. */
const followMs = 100;

interface Runs<Run> {
  /** Returns the runs, newest first. */
  list(): readonly Run[];
  /** Calls the listener after every change. @returns dispose */
  observe(listener: () => void): () => void;
  /** Resolves when the stored runs are loaded. */
  readonly loaded: Promise<void>;
}

export class FollowedRuns<Run extends { readonly id: string }, Source extends Runs<Run>> {
  readonly #shown: Observed<{ readonly runs: Source; readonly all: readonly Run[] }>;
  loaded = $state(false);
  /** Why the last action failed; may be empty. */
  fault = $state('');

  constructor(runs: Source) {
    this.#shown = new Observed(() => ({ runs, all: runs.list() }), runs, followMs);
    void runs.loaded.then(() => {
      this.#shown.refresh();
      this.loaded = true;
    });
  }

  /** The runs, newest first. */
  get all(): readonly Run[] {
    return this.#shown.current.all;
  }

  /** The runs themselves; what shows them follows their changes. */
  protected get runs(): Source {
    return this.#shown.current.runs;
  }

  forgetFault(): void {
    this.fault = '';
  }

  run(id: string): Run | undefined {
    return this.all.find((run) => run.id === id);
  }

  /** Runs an action, whose failure is shown as the fault. @returns null if it failed */
  async try<T>(action: () => T | Promise<T>): Promise<T | null> {
    try {
      const outcome = await action();
      this.fault = '';
      return outcome;
    } catch (thrown) {
      this.fault = errorWithHint(thrown);
      return null;
    }
  }
}
