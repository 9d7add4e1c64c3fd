/** The packages of the open folder, for who looks at them. */

import type { Problem } from '../spec/problem.ts';
import type { LockedWheel } from './store.ts';

export interface FolderPackages {
  /** Its files declare some. */
  readonly declares: boolean;
  readonly installed: readonly LockedWheel[];
  readonly problems: readonly Problem[];
}

export const noPackages: FolderPackages = { declares: false, installed: [], problems: [] };
