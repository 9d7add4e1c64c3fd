/** The status of the open folder and of Python, which can be observed. */

import { Observable } from '../hooks/observe.ts';
import type { WatchState } from '../folder/watch.ts';
import { type FolderPackages, noPackages } from './current-folder.ts';

export type Phase = 'none' | 'reading' | 'packages' | 'starting' | 'scanning' | 'ready' | 'failed';
export type PythonState = 'off' | 'starting' | 'ready' | 'busy' | 'failed';

export interface FolderStatus {
  readonly phase: Phase;
  readonly folder: string | null;
  /** Changes whenever another folder is opened, even one of the same name; empty while none is open. */
  readonly folderKey: string;
  /** Files done in this phase. */
  readonly done: number;
  /** Files of this phase; 0 while unknown. */
  readonly total: number;
  /** The file being read or inspected, or the error that ended the phase. */
  readonly message: string;
  /** The remedy for a failure. */
  readonly hint?: string;
  readonly python: PythonState;
  /** The current step of Python's start, or why it failed. */
  readonly pythonStep: string;
  readonly packages: FolderPackages;
  /** The way in which changes of the folder are noticed. */
  readonly watch: WatchState;
}

export const initialFolderStatus: FolderStatus = {
  phase: 'none',
  folder: null,
  folderKey: '',
  done: 0,
  total: 0,
  message: '',
  python: 'off',
  pythonStep: '',
  packages: noPackages,
  watch: { at: 'off' },
};

export class StatusHolder<S extends FolderStatus = FolderStatus> extends Observable<S> {
  #status: S;

  constructor(initial: S, report: (thrown: unknown) => void) {
    super(report);
    this.#status = initial;
  }

  get(): S {
    return this.#status;
  }

  set(change: Partial<S>): void {
    this.#status = { ...this.#status, ...change };
    this.emit(this.#status);
  }

  /** Starts a phase, and resets progress and hint. */
  enter(phase: Phase, change: Partial<FolderStatus> = {}): void {
    const { hint: _, ...rest } = this.#status;
    this.#status = { ...(rest as S), phase, done: 0, total: 0, message: '', ...change };
    this.emit(this.#status);
  }
}
