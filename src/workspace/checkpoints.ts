/**
 * Checkpoints of workspaces: how the files were at a moment. Restoring one makes changes like those of a call, which the
 * user reviews. They last until the page is closed.
 */

import { ToolError } from '../spec/error.ts';
import { differing, type WorkspaceView } from './pending.ts';
import type { Workspace } from './workspace.ts';

/** What is said about a checkpoint: nothing about the files but their number. */
export interface CheckpointSummary {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly files: number;
  /** How many files were changed, added or removed since. */
  readonly changed: number;
}

export interface Restored {
  /** How many files and folders become what they were: changes that wait for the user's review. */
  readonly waiting: number;
  /** How many do not, because a workspace cannot have them. */
  readonly refused: number;
}

export interface CheckpointsDeps {
  /** The workspace of the open folder; null if it has none, or if it cannot be opened. */
  readonly workspace: () => Promise<Workspace | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Limits: checkpoints of one extension, and characters of a name. The oldest are dropped. */
const [mostCheckpoints, mostNameChars] = [20, 200];

interface Checkpoint {
  readonly name: string;
  readonly createdAt: number;
  readonly view: WorkspaceView;
}

export class Checkpoints {
  readonly #deps: CheckpointsDeps;
  /** By workspace, then by the file of the extension that has made them, oldest first. */
  readonly #all = new WeakMap<Workspace, Map<string, readonly Checkpoint[]>>();

  constructor(deps: CheckpointsDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps the files as they are now, changes that wait for review included. Takes the place of one of the same name.
   * @param by the file of the extension @throws {ToolError}; the signal's reason
   */
  async save(signal: AbortSignal, by: string, name: string): Promise<CheckpointSummary> {
    if (name.trim() === '' || name.length > mostNameChars)
      throw new ToolError(
        'bad-input',
        `A checkpoint needs a name of at most ${mostNameChars} characters.`,
      );
    const workspace = await this.#current(signal);
    const made = { name, createdAt: this.#deps.now(), view: workspace.view };
    const others = this.#of(workspace, by).filter((one) => one.name !== name);
    const kept = withinRoom([...others, made], workspace).slice(-mostCheckpoints);
    const known = this.#all.get(workspace) ?? new Map<string, readonly Checkpoint[]>();
    this.#all.set(workspace, known.set(by, kept));
    return summaryOf(made, workspace.view);
  }

  /** Newest first. @throws {ToolError}; the signal's reason */
  async list(signal: AbortSignal, by: string): Promise<readonly CheckpointSummary[]> {
    const workspace = await this.#current(signal);
    const { view } = workspace;
    const all = this.#of(workspace, by).map((one) => summaryOf(one, view));
    return (await Promise.all(all)).reverse();
  }

  /**
   * Makes the workspace what it was at a checkpoint, by changes that the user sees as made by the extension.
   * @param shownAs names the extension in the review @throws {ToolError}; the signal's reason
   */
  async restore(signal: AbortSignal, by: string, name: string, shownAs: string): Promise<Restored> {
    const workspace = await this.#current(signal);
    const found = this.#of(workspace, by).find((one) => one.name === name);
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
        'This folder has no workspace. Choose one on the page Workspace.',
      );
    await workspace.refresh(signal);
    return workspace;
  }

  #of(workspace: Workspace, by: string): readonly Checkpoint[] {
    return this.#all.get(workspace)?.get(by) ?? [];
  }
}

async function summaryOf(
  { name, createdAt, view }: Checkpoint,
  now: WorkspaceView,
): Promise<CheckpointSummary> {
  const { files, removed } = await differing(view, now);
  return { name, createdAt, files: view.files.size, changed: files.length + removed.length };
}

/** The newest ones whose files, as far as the workspace does not have them anyway, take no more room than a workspace. */
function withinRoom(
  all: readonly Checkpoint[],
  { view, limits }: Workspace,
): readonly Checkpoint[] {
  const counted = new Set(Array.from(view.files.values(), ({ bytes }) => bytes));
  let room = limits.workspaceBytes;
  const kept: Checkpoint[] = [];
  for (const one of all.toReversed()) {
    for (const { bytes } of one.view.files.values()) {
      if (counted.has(bytes)) continue;
      counted.add(bytes);
      room -= bytes.byteLength;
    }
    // The newest one always fits: its files are those of the workspace.
    if (room < 0) break;
    kept.unshift(one);
  }
  return kept;
}
