/** The current status of the app, and who watches it. */

import type { AppStatus, Status } from './app-types.ts';
import { createObservers } from './hooks/observe.ts';
import { noPackages } from './packages/folder-packages.ts';

const initial: AppStatus = {
  phase: 'none',
  folder: null,
  folderKey: '',
  done: 0,
  total: 0,
  message: '',
  python: 'off',
  pythonStep: '',
  api: 'off',
  packages: noPackages,
  watch: { at: 'off' },
  storage: 'ok',
  offline: { at: 'unknown' },
  update: null,
};

export class StatusHolder implements Status {
  readonly #observers;
  #status: AppStatus = initial;

  /** @param report told of what listeners throw */
  constructor(report: (thrown: unknown) => void) {
    this.#observers = createObservers<AppStatus>(report);
  }

  get(): AppStatus {
    return this.#status;
  }

  observe(listener: (status: AppStatus) => void): () => void {
    return this.#observers.observe(listener);
  }

  set(change: Partial<AppStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#observers.emit(this.#status);
  }

  /** A new phase; progress and hint of the last one go. */
  enter(phase: AppStatus['phase'], change: Partial<AppStatus> = {}): void {
    const { hint: _, ...rest } = this.#status;
    this.#status = { ...rest, phase, done: 0, total: 0, message: '', ...change };
    this.#observers.emit(this.#status);
  }
}
