/** The sections of the settings page, in their order; a new one is added here. */

import type { Component } from 'svelte';
import AppearanceSection from './AppearanceSection.svelte';
import FoldersSection from './FoldersSection.svelte';
import LimitsSection from './LimitsSection.svelte';
import ModelsEntry from './ModelsEntry.svelte';
import PolicySection from './PolicySection.svelte';
import StorageSection from './StorageSection.svelte';
import WorkspacesSection from './WorkspacesSection.svelte';
import VersionSection from './VersionSection.svelte';

export interface Section {
  readonly title: string;
  readonly Content: Component;
}

export const sections: readonly Section[] = [
  { title: 'Appearance', Content: AppearanceSection },
  { title: 'Models', Content: ModelsEntry },
  { title: 'Tools folders', Content: FoldersSection },
  { title: 'Workspaces', Content: WorkspacesSection },
  { title: 'Network', Content: PolicySection },
  { title: 'Storage and offline use', Content: StorageSection },
  { title: 'Version', Content: VersionSection },
  { title: 'Limits', Content: LimitsSection },
];
