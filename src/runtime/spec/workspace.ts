/** The changes of a call in the workspace, as part of its result. */

export type WorkspaceChangeKind =
  'added' | 'changed' | 'removed' | 'folder-added' | 'folder-removed';

/** A change of a call, and its state when the call ended. */
export interface WorkspaceEntry {
  /** Path for display; long ones are cut. */
  readonly path: string;
  readonly what: WorkspaceChangeKind;
  /**
   * `written`: written to the folder; `waiting`: for the user's review; `asks`: the folder has a newer file, so the user
   * must decide; `failed`: could not be written, and waits; `refused`: not allowed.
   */
  readonly state: 'written' | 'waiting' | 'asks' | 'failed' | 'refused';
  /** Why it was refused, failed, or waits although changes are written at once. */
  readonly reason?: string;
}

export interface WorkspaceNote {
  readonly name: string;
  readonly entries: readonly WorkspaceEntry[];
  /** Number of further changes. */
  readonly more: number;
  /** Why the call had no workspace, or why its changes are lost; absent if neither happened. */
  readonly trouble?: string;
}
