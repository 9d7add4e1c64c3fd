/** The packages of the open folder, as shown to the user. */

import type { Problem } from '../spec/problem.ts';
import type { LockedWheel } from './store.ts';

export interface FolderPackages {
  /** Whether the folder's files declare packages. */
  readonly declares: boolean;
  readonly installed: readonly LockedWheel[];
  readonly problems: readonly Problem[];
}

export const noPackages: FolderPackages = { declares: false, installed: [], problems: [] };
