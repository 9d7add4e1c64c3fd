/** The open dialog about folders and files. */

import type { Place } from '../shell/address.ts';

export type FolderDialog =
  /** A new folder with a tool to edit. */
  | { readonly at: 'new-folder'; readonly title?: string }
  /** A file of the open folder; `text` is what the user has pasted. */
  | { readonly at: 'new-file'; readonly text?: string }
  /** Pasted Python text, for a file in a new folder. */
  | { readonly at: 'paste'; readonly text: string }
  | { readonly at: 'rename'; readonly path: string }
  | { readonly at: 'delete'; readonly path: string }
  | { readonly at: 'open-url' }
  /** Imports a document of another system, which may have been dropped. */
  | { readonly at: 'import'; readonly file: File | null }
  | ({ readonly at: 'add-file' } & AddedFile)
  /** Shares a tool, or the whole folder if the name is null. */
  | { readonly at: 'share'; readonly name: string | null; readonly panel: SharePanel }
  | ({ readonly at: 'specs' } & SpecRequest);

/** A way to share a tool or a folder. */
export type SharePanel =
  'link' | 'embed' | 'badge' | 'zip' | 'mcp' | 'definition' | 'call' | 'test';

/** A new file for which the open folder has no place. */
export interface AddedFile {
  readonly path: string;
  readonly text: string;
  readonly place: Place;
  /** The place for it: a copy of the open folder, or a new one if none is open. */
  readonly saves: 'copy' | 'new-folder';
}

/** Specs to propose for files of the open folder. */
export interface SpecRequest {
  readonly paths: readonly string[];
  /** Name of the only function to choose; absent: those that the proposal chooses. */
  readonly only?: string;
  /** Whether the files have just been created, so that the new tool is shown at once. */
  readonly isNew?: true;
}

export class FolderDialogs {
  current: FolderDialog | null = $state.raw(null);

  show(dialog: FolderDialog | null): void {
    this.current = dialog;
  }
}
