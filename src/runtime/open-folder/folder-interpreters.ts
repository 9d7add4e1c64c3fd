/** The interpreters of the open folder. */

import { Observable } from '../hooks/observe.ts';
import type { Inspect } from '../scan/scan.ts';
import type { Dispatch } from '../spec/call.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { InterpreterView } from '../spec/interpreter.ts';
import type { JsonText } from '../spec/json.ts';
import type { LiveFolderDeps } from './live-folder.ts';

export interface FolderInterpreters extends Dispatch {
  /** Interpreters of sessions first. */
  list(): readonly InterpreterView[];
  /** @returns dispose */
  observe(listener: (views: readonly InterpreterView[]) => void): () => void;
  ready(): Promise<void>;
  inspect(...request: Parameters<Inspect>): ReturnType<Inspect>;
  /** Judges a saved test in the interpreter of its session. @throws {ToolError} */
  judge(
    signal: AbortSignal,
    sessionId: string,
    expect: JsonText,
    outcome: JsonText,
  ): Promise<readonly string[]>;
  /** Ends a session's calls and discards its Python state. */
  endSession(id: string): void;
  /** Replaces the folder's files. Between calls, changed modules are reloaded. */
  update(folder: FolderSnapshot, changes: FolderChanges): void;
  /** Replaces the values of all settings. Files whose values have changed are imported again. */
  setSettings(settings: SettingValues): void;
  openInspector(): FolderInspector;
  /** Ends the spare interpreter, and idle ones without Python state, to free their memory. `wake` starts a spare again. */
  rest(): void;
  wake(): void;
  /** Ends the interpreters once their running calls have ended. */
  retire(): void;
  /** Ends the interpreters and their calls immediately. */
  dispose(): void;
}

/** Inspects changed files and proposes specs, separately from calls. */
export interface FolderInspector {
  readonly inspect: LiveFolderDeps['inspect'];
  readonly propose: LiveFolderDeps['propose'];
  dispose(): void;
}

/** The interpreters of the open folder, for the page. */
export type InterpreterList = Pick<CurrentInterpreters, 'list' | 'observe'>;

/** Follows which interpreters are current. A call runs in those that are current when its turn comes. */
export class CurrentInterpreters extends Observable<readonly InterpreterView[]> {
  #current: FolderInterpreters | null = null;
  #unfollow: () => void = () => undefined;
  /** Interpreters beside the folder's own, which are listed last. */
  others: () => readonly InterpreterView[] = () => [];
  /** Rejects with `no-folder` while no folder is open. */
  readonly dispatch: Dispatch = {
    run: async (...call) => this.#expectOpen().run(...call),
    check: async (...call) => this.#expectOpen().check(...call),
    needsApproval: async (...call) => this.#expectOpen().needsApproval(...call),
  };

  get current(): FolderInterpreters | null {
    return this.#current;
  }

  set(current: FolderInterpreters | null): void {
    this.#unfollow();
    this.#current = current;
    this.#unfollow =
      current?.observe(() => {
        this.refresh();
      }) ?? (() => undefined);
    this.refresh();
  }

  /** Interpreters of sessions first. */
  list(): readonly InterpreterView[] {
    return [...(this.#current?.list() ?? []), ...this.others()];
  }

  /** Notifies observers of the interpreters as they are now. Call it when the others have changed. */
  refresh(): void {
    this.emit(this.list());
  }

  /** Judges an outcome by what is expected, in the interpreter of a session. @throws {ToolError} */
  async judge(...asked: Parameters<FolderInterpreters['judge']>): Promise<readonly string[]> {
    return this.#expectOpen().judge(...asked);
  }

  #expectOpen(): FolderInterpreters {
    if (this.#current === null) throw noFolder();
    return this.#current;
  }
}

export function noFolder(): ToolError {
  return new ToolError('no-folder', 'No tools folder is open');
}
