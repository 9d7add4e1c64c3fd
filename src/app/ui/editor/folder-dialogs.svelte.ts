/** The open dialog about folders and files. */

export type FolderDialog =
  | { readonly at: 'new-folder' }
  | { readonly at: 'new-file' }
  /** Pasted Python text, for a file in a new folder. */
  | { readonly at: 'paste'; readonly text: string }
  | { readonly at: 'rename'; readonly path: string }
  | { readonly at: 'delete'; readonly path: string }
  | { readonly at: 'open-url' }
  | ({ readonly at: 'specs' } & SpecRequest);

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
