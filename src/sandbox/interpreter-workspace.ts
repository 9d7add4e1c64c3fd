/** An interpreter's way to the workspace of its tools folder, where that has one. */

import { transfer, type Remote } from 'comlink';
import type { Broker, OrLost } from '../protocol/frame.ts';
import type { WorkspaceReport, WorkspaceRequest } from '../protocol/workspace.ts';
import type { InterpreterCopy } from '../workspace/interpreter-copy.ts';
import { WorkspaceAccess } from '../workspace/workspace-access.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { copied, inBatches } from './file-batches.ts';
import { orThrow } from './loss-error.ts';
import { wait } from '../async/wait.ts';
import { newId } from './interpreter-calls.ts';

/** Asked at each call; null, at once, where the tools folder has no workspace. */
export type FindWorkspace = () => Promise<Workspace | null> | null;

/** How long one answer about the copy may take; milliseconds. */
const answerMs = 60_000;

export class InterpreterWorkspace {
  readonly #broker: Remote<Broker>;
  readonly #life: AbortSignal;
  readonly #find: FindWorkspace;
  #copy: { readonly of: Workspace; readonly is: InterpreterCopy } | null = null;
  /** One visit begins after the other. */
  #beginning: Promise<unknown> = Promise.resolve();

  constructor(broker: Remote<Broker>, life: AbortSignal, find: FindWorkspace) {
    this.#find = find;
    this.#broker = broker;
    this.#life = life;
  }

  /**
   * Begins a call's stay; null, at once, where there is no workspace.
   * @param isAlone asked when the copy is brought up to date: no other call works in it
   */
  enter(signal: () => AbortSignal, isAlone: () => boolean): Promise<WorkspaceAccess | null> | null {
    const found = this.#find();
    if (found === null) return null;
    const entering = Promise.all([found, this.#beginning]).then(async ([workspace]) =>
      workspace === null
        ? null
        : WorkspaceAccess.begin(signal(), workspace, this.#copyOf(workspace), isAlone()),
    );
    this.#beginning = entering.catch(() => undefined);
    return entering;
  }

  #copyOf(workspace: Workspace): InterpreterCopy {
    if (this.#copy?.of !== workspace) {
      const is = workspace.openCopy((signal, request) => this.#exchange(signal, request));
      this.#copy = { of: workspace, is };
    }
    return this.#copy.is;
  }

  async #exchange(signal: AbortSignal, request: WorkspaceRequest): Promise<WorkspaceReport> {
    const batches = [...inBatches(request.written)];
    let changes = request;
    let last: WorkspaceReport | null = null;
    for (const [index, batch] of batches.entries()) {
      const { copies, buffers } = copied(batch);
      const tell = index === batches.length - 1 ? request.tell : 'nothing';
      last = await this.#ask(signal, transfer({ ...changes, written: copies, tell }, buffers));
      changes = { ...request, removed: [], folders: [], foldersGone: [] };
    }
    // There is one batch at least.
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
