/** The open dialog about folders and files. */

export type FolderDialog =
  | { readonly at: 'new-folder' }
  | { readonly at: 'new-file' }
  | { readonly at: 'rename'; readonly path: string }
  | { readonly at: 'delete'; readonly path: string }
  | { readonly at: 'open-url' };

export class FolderDialogs {
  #current: FolderDialog | null = $state.raw(null);

  get current(): FolderDialog | null {
    return this.#current;
  }

  show(dialog: FolderDialog | null): void {
    this.#current = dialog;
  }
}
