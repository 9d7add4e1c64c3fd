/** The page's entries of the status line, but for Python's. Loaded after the first paint. */

import PolicyEntry from '../policy/PolicyEntry.svelte';
import WorkspaceEntry from '../workspace/WorkspaceEntry.svelte';
import ApiEntry from './ApiEntry.svelte';
import OfflineEntry from './OfflineEntry.svelte';
import type { ComponentEntry } from './status-entries.svelte.ts';
import StorageEntry from './StorageEntry.svelte';
import WatchEntry from './WatchEntry.svelte';

export const pageEntries: readonly ComponentEntry[] = [
  { key: 'watch', side: 'left', order: 10, component: WatchEntry },
  { key: 'policy', side: 'left', order: 20, component: PolicyEntry },
  { key: 'workspace', side: 'left', order: 30, component: WorkspaceEntry },
  { key: 'api', side: 'left', order: 40, component: ApiEntry },
  { key: 'offline', side: 'left', order: 50, component: OfflineEntry },
  { key: 'storage', side: 'left', order: 60, component: StorageEntry },
];
