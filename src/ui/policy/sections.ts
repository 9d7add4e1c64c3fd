/** The sections of the policy page, in their order; a new one is added here. */

import type { Component } from 'svelte';
import ApprovalsSection from './ApprovalsSection.svelte';
import LocalSection from './LocalSection.svelte';
import NetworkSection from './NetworkSection.svelte';
import PackagesSection from './PackagesSection.svelte';
import RequestsSection from './RequestsSection.svelte';
import SecretsSection from './SecretsSection.svelte';

export interface Section {
  readonly title: string;
  readonly Content: Component;
}

export const sections: readonly Section[] = [
  { title: 'Network', Content: NetworkSection },
  { title: 'Local addresses', Content: LocalSection },
  { title: 'Secrets', Content: SecretsSection },
  { title: 'Approvals', Content: ApprovalsSection },
  { title: 'Packages', Content: PackagesSection },
  { title: 'Requests of this visit', Content: RequestsSection },
];
