/** The pages of the open folder, to which its menu and the palette link. */

import type { Place } from '../shell/address.ts';

export interface FolderPage {
  readonly words: string;
  readonly place: Place;
  /** Related words by which the palette finds the page. */
  readonly also: string;
  /** Secondary text in the palette. */
  readonly detail?: string;
  /** Name of the command that opens the page from a message. */
  readonly slash?: string;
}

export const folderPages: readonly FolderPage[] = [
  {
    words: 'Extensions',
    place: { at: 'extensions' },
    also: 'plugins hooks',
    detail: 'Shows the extensions and what each has registered',
    slash: 'extensions',
  },
  { words: 'Workspace', place: { at: 'workspace' }, also: 'files uploads data' },
  {
    words: 'Policy',
    place: { at: 'policy' },
    also: 'grants permissions allow network access sandbox',
  },
  {
    words: 'Packages',
    place: { at: 'policy', section: 'packages' },
    also: 'dependencies requirements pip install import',
  },
];
