/** The sections of the settings, in their order. */

import type { SectionHead } from '../sections/section-head.ts';

export type SettingSection =
  'appearance' | 'models' | 'folders' | 'workspaces' | 'sites' | 'storage' | 'limits' | 'version';

export const settingSections: readonly (SectionHead & { readonly id: SettingSection })[] = [
  { id: 'appearance', title: 'Appearance', about: 'Light or dark theme' },
  { id: 'models', title: 'Models', about: 'Providers, their keys, and the models of sessions' },
  { id: 'folders', title: 'Tools folders', about: 'Folders that you opened recently' },
  { id: 'workspaces', title: 'Workspaces', about: 'Folders with the files that tools work on' },
  { id: 'sites', title: 'Other sites', about: 'Pages of other sites that may call your tools' },
  {
    id: 'storage',
    title: 'Storage and offline use',
    about: 'Offline files, Python packages, call log',
  },
  { id: 'limits', title: 'Limits', about: 'Time limits, sizes, memory, length of the call log' },
  { id: 'version', title: 'Version and debug mode', about: 'The build of this page, messages' },
];
