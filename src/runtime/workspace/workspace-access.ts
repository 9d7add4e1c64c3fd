/** The access of one call to a workspace: its context, and what happens to its changes. */

import { showPath } from '../folder/path-rules.ts';
import { errorText } from '../spec/error.ts';
import type { WorkspaceEntry, WorkspaceNote } from '../spec/result.ts';
import type { ChangeOrigin } from './changes.ts';
import type { InterpreterCopy } from './interpreter-copy.ts';
import type { Workspace, Writing } from './workspace.ts';

/** The workspace as a tool's context describes it. */
export interface WorkspaceContext {
  readonly path: string;
  readonly name: string;
  readonly writing: Writing;
}

/** The highest number of changes that a result lists. */
const maxEntries = 100;

export class WorkspaceAccess {
  readonly #workspace: Workspace;
  readonly #copy: InterpreterCopy;
  /** Why the call has no workspace; null if it has one. */
  readonly #trouble: string | null;

  private constructor(workspace: Workspace, copy: InterpreterCopy, trouble: string | null) {
    this.#workspace = workspace;
    this.#copy = copy;
    this.#trouble = trouble;
  }

  /**
   * Updates the copy to the folder's current state, unless another call uses it.
   * Never rejects: without a workspace, the call's result says why.
   */
  static async begin(
    signal: AbortSignal,
    workspace: Workspace,
    copy: InterpreterCopy,
    isAlone: boolean,
  ): Promise<WorkspaceAccess> {
    try {
      const reading = workspace.refresh(signal);
      if (reading !== null) await reading;
    } catch (thrown) {
      const { disk, name } = workspace;
      const denied = !(await disk.mayRead({ ask: false }).catch(() => true));
      const asked = `The call had no workspace: the browser requires permission to read “${name}”. Allow it on the Workspace page.`;
      return new WorkspaceAccess(workspace, copy, denied ? asked : noWorkspaceText('read', thrown));
    }
    try {
      if (isAlone) await copy.updateTo(signal, workspace.view);
    } catch (thrown) {
      return new WorkspaceAccess(workspace, copy, noWorkspaceText('copied', thrown));
    }
    return new WorkspaceAccess(workspace, copy, null);
  }

  /** Null if the call runs without a workspace. */
  get context(): WorkspaceContext | null {
    if (this.#trouble !== null) return null;
    const { root, name, writing } = this.#workspace;
    return { path: root, name, writing };
  }

  /** Applies the changes of a call that has ended by itself. Never rejects. */
  async end(signal: AbortSignal, origin: ChangeOrigin): Promise<WorkspaceNote | undefined> {
    if (this.#trouble !== null) return this.#note([], this.#trouble);
    try {
      const collected = await this.#copy.collect(signal);
      const entries = await this.#workspace.take(collected, this.#copy, origin);
      return entries.length === 0 ? undefined : this.#note(entries);
    } catch (thrown) {
      this.#copy.invalidate();
      return this.#note([], `Its changes to the workspace are lost: ${errorText(thrown)}`);
    }
  }

  /** Discards the changes of a call that was ended early. @param options.isShared whether other calls use the same copy */
  lose({ isShared }: { isShared: boolean }): WorkspaceNote {
    if (this.#trouble !== null) return this.#note([], this.#trouble);
    if (!isShared) this.#copy.invalidate();
    return this.#note(
      [],
      isShared
        ? 'Its earlier changes to the workspace are included in the calls that ran in parallel.'
        : 'Its changes to the workspace are lost.',
    );
  }

  #note(entries: readonly WorkspaceEntry[], trouble?: string): WorkspaceNote {
    return {
      name: this.#workspace.name,
      entries: entries
        .slice(0, maxEntries)
        .map((entry) => ({ ...entry, path: showPath(entry.path) })),
      more: Math.max(0, entries.length - maxEntries),
      ...(trouble === undefined ? {} : { trouble }),
    };
  }
}

function noWorkspaceText(what: string, thrown: unknown): string {
  return `The call had no workspace: it could not be ${what}: ${errorText(thrown)}`;
}
