/**
 * Checkpoints of workspaces: how the files were at a moment. Restoring one makes changes like those of a call, which the
 * user reviews. They last until the page is closed.
 */

import { createPacer } from '../async/pace.ts';
import { ToolError } from '../spec/error.ts';
import { compareViews, type WorkspaceView } from './changes.ts';
import type { Workspace } from './workspace.ts';

/** The description of a checkpoint, which tells only the number of its files. */
export interface CheckpointSummary {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly files: number;
  /** Number of files that were changed, added or removed since. */
  readonly changed: number;
}

export interface Restored {
  /** Number of files and folders that are restored: changes that wait for the user's review. */
  readonly waiting: number;
  /** Number of files and folders that are not restored, because a workspace cannot have them. */
  readonly refused: number;
}

export interface CheckpointsDeps {
  /** The workspace of the open folder; null if it has none, or if it cannot be opened. */
  readonly workspace: () => Promise<Workspace | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Limits: checkpoints of one extension and of all, and characters of a name. The oldest are dropped. */
const maxCheckpoints = 20;
const maxOfAll = 100;
const maxNameChars = 200;

interface Checkpoint {
  /** The file of the extension that has made it. */
  readonly by: string;
  readonly name: string;
  readonly createdAt: number;
  readonly view: WorkspaceView;
}

export class Checkpoints {
  readonly #deps: CheckpointsDeps;
  /** Checkpoints of all extensions by workspace, oldest first. */
  readonly #all = new WeakMap<Workspace, readonly Checkpoint[]>();

  constructor(deps: CheckpointsDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps the files as they are now, changes that wait for review included. Replaces a checkpoint
   * of the same name.
   * @param by the file of the extension
   * @throws {ToolError}; the signal's reason
   */
  async save(signal: AbortSignal, by: string, name: string): Promise<CheckpointSummary> {
    if (name.trim() === '' || name.length > maxNameChars)
      throw new ToolError(
        'bad-input',
        `A checkpoint needs a name of at most ${maxNameChars} characters.`,
      );
    const workspace = await this.#current(signal);
    const checkpoint = { by, name, createdAt: this.#deps.now(), view: workspace.view };
    const others = this.#checkpointsOf(workspace).filter(
      (one) => one.by !== by || one.name !== name,
    );
    const tooMany = new Set(others.filter((one) => one.by === by).slice(0, 1 - maxCheckpoints));
    const all = [...others.filter((one) => !tooMany.has(one)), checkpoint].slice(-maxOfAll);
    this.#all.set(workspace, all);
    const dropped = await beyondRoom(all, workspace);
    const kept = this.#checkpointsOf(workspace).filter((one) => !dropped.has(one));
    this.#all.set(workspace, kept);
    const { createdAt, view } = checkpoint;
    return { name, createdAt, files: view.files.size, changed: 0 };
  }

  /** Lists the extension's checkpoints, newest first. @throws {ToolError}; the signal's reason */
  async list(signal: AbortSignal, by: string): Promise<readonly CheckpointSummary[]> {
    const workspace = await this.#current(signal);
    const { view } = workspace;
    const pacer = createPacer();
    const summaries: CheckpointSummary[] = [];
    // Checkpoints are compared one after the other: at the same time, their slices would add up and
    // block the page.
    for (const one of this.#checkpointsOf(workspace).filter((one) => one.by === by)) {
      const { files, removed } = await compareViews(one.view, view, pacer);
      const changed = files.length + removed.length;
      const { name, createdAt } = one;
      summaries.unshift({ name, createdAt, files: one.view.files.size, changed });
    }
    return summaries;
  }

  /**
   * Makes the workspace what it was at a checkpoint, by changes that the user sees as made by the extension.
   * @param shownAs names the extension in the review @throws {ToolError}; the signal's reason
   */
  async restore(signal: AbortSignal, by: string, name: string, shownAs: string): Promise<Restored> {
    const workspace = await this.#current(signal);
    const found = this.#checkpointsOf(workspace).find((one) => one.by === by && one.name === name);
    if (found === undefined)
      throw new ToolError('not-found', `There is no checkpoint “${name.slice(0, 100)}”.`);
    const entries = await workspace.restore(found.view, { tool: shownAs, callId: '' });
    const refused = entries.filter(({ state }) => state === 'refused').length;
    return { waiting: entries.length - refused, refused };
  }

  /** The workspace, with its files read. @throws {ToolError}; the signal's reason */
  async #current(signal: AbortSignal): Promise<Workspace> {
    const workspace = await this.#deps.workspace();
    if (workspace === null)
      throw new ToolError(
        'not-found',
        'This folder has no workspace. Choose one on the Workspace page.',
      );
    await workspace.refresh(signal);
    return workspace;
  }

  #checkpointsOf(workspace: Workspace): readonly Checkpoint[] {
    return this.#all.get(workspace) ?? [];
  }
}

/**
 * Returns the oldest checkpoints that must be dropped, so that the files of the others take no more
 * room than a workspace. Files that the workspace has too do not count.
 */
async function beyondRoom(
  all: readonly Checkpoint[],
  { view, limits }: Workspace,
): Promise<ReadonlySet<Checkpoint>> {
  const pacer = createPacer();
  const counted = new Set<Uint8Array>();
  const countedViews = new Set<WorkspaceView>();
  const newBytes = async (one: WorkspaceView): Promise<number> => {
    let sum = 0;
    // Checkpoints between which nothing has changed have the same view.
    if (countedViews.has(one)) return sum;
    countedViews.add(one);
    for (const { bytes } of one.files.values()) {
      if (!counted.has(bytes)) sum += bytes.byteLength;
      counted.add(bytes);
      if (pacer.mustRest()) await pacer.rest();
    }
    return sum;
  };
  await newBytes(view);
  let room = limits.workspaceBytes;
  for (const [at, one] of [...all.entries()].toReversed()) {
    // The newest checkpoint always fits: its files are those of the workspace.
    room -= await newBytes(one.view);
    if (room < 0) return new Set(all.slice(0, at + 1));
  }
  return new Set();
}
