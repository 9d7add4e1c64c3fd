/** What a call did to the workspace of its tools folder, as its result tells. */

export type WorkspaceChangeKind =
  'added' | 'changed' | 'removed' | 'folder-added' | 'folder-removed';

/** One change of a call, and what has become of it by the call's end. */
export interface WorkspaceEntry {
  /** Fit to be shown: long ones are cut. */
  readonly path: string;
  readonly what: WorkspaceChangeKind;
  /**
   * `written` to the folder; `waiting` for the person to look at it; `asks`, since the folder has a newer file;
   * `failed` to be written, and waits; `refused` for good.
   */
  readonly state: 'written' | 'waiting' | 'asks' | 'failed' | 'refused';
  readonly reason?: string;
}

export interface WorkspaceNote {
  /** Of the workspace. */
  readonly name: string;
  readonly entries: readonly WorkspaceEntry[];
  /** Changes beyond those listed. */
  readonly more: number;
  /** Why the call had no workspace, or why what it wrote is lost; absent where neither is so. */
  readonly trouble?: string;
}
