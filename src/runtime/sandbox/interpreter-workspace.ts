/** Connects an interpreter to the workspace of its tools folder, if there is one. */

import { transfer, type Remote } from 'comlink';
import { type Broker, type OrLost, orThrow } from '../protocol/frame.ts';
import type { WorkspaceReport, WorkspaceRequest } from '../protocol/workspace.ts';
import type { InterpreterCopy } from '../workspace/interpreter-copy.ts';
import { WorkspaceAccess } from '../workspace/workspace-access.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { copyFiles, splitIntoBatches } from './file-batches.ts';
import { wait } from '../async/wait.ts';
import { newId } from './interpreter-calls.ts';

/** Finds the workspace at each call. Returns null synchronously if the tools folder has none. */
export type FindWorkspace = () => Promise<Workspace | null> | null;

/** Milliseconds that one answer about the copy may take. */
const answerMs = 60_000;

export class InterpreterWorkspace {
  readonly #broker: Remote<Broker>;
  readonly #life: AbortSignal;
  readonly #find: FindWorkspace;
  #copy: { readonly workspace: Workspace; readonly copy: InterpreterCopy } | null = null;
  /** Settles when the previous call has entered: calls enter one after the other. */
  #entering: Promise<unknown> = Promise.resolve();

  constructor(broker: Remote<Broker>, life: AbortSignal, find: FindWorkspace) {
    this.#find = find;
    this.#broker = broker;
    this.#life = life;
  }

  /**
   * Gives a call access to the workspace. Returns null synchronously if there is none.
   * @param isAlone whether no other call uses the copy at the moment when it is updated
   */
  enter(signal: () => AbortSignal, isAlone: () => boolean): Promise<WorkspaceAccess | null> | null {
    const found = this.#find();
    if (found === null) return null;
    const entering = Promise.all([found, this.#entering]).then(async ([workspace]) =>
      workspace === null
        ? null
        : WorkspaceAccess.begin(signal(), workspace, this.#copyOf(workspace), isAlone()),
    );
    this.#entering = entering.catch(() => undefined);
    return entering;
  }

  #copyOf(workspace: Workspace): InterpreterCopy {
    if (this.#copy?.workspace !== workspace) {
      const copy = workspace.openCopy((signal, request) => this.#exchange(signal, request));
      this.#copy = { workspace, copy };
    }
    return this.#copy.copy;
  }

  async #exchange(signal: AbortSignal, request: WorkspaceRequest): Promise<WorkspaceReport> {
    const batches = [...splitIntoBatches(request.written)];
    let changes = request;
    let last: WorkspaceReport | null = null;
    for (const [index, batch] of batches.entries()) {
      const { copies, buffers } = copyFiles(batch);
      // The first batch also has the removals and folders; only the last one asks for the tools' changes.
      const tell = index === batches.length - 1 ? request.tell : 'nothing';
      last = await this.#ask(signal, transfer({ ...changes, written: copies, tell }, buffers));
      changes = { ...request, removed: [], folders: [], foldersGone: [] };
    }
    // There is always at least one batch.
    return last ?? this.#ask(signal, request);
  }

  async #ask(signal: AbortSignal, request: WorkspaceRequest): Promise<WorkspaceReport> {
    const asked = this.#broker.workspace(newId(), request);
    const what = 'Copying the workspace';
    return orThrow(
      await wait<OrLost<WorkspaceReport>>(signal, asked, {
        lost: this.#life,
        deadlineMs: answerMs,
        what,
      }),
    );
  }
}
