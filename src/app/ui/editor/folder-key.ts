/** Tells whether the folder that a change began in is still open, since the user may open another one meanwhile. */

import type { Ui } from '../shell/ui.svelte.ts';

/** Key of the folder that is open or opening. The key of a copy is its id. */
export function openFolderKey({ app }: Pick<Ui, 'app'>): string {
  return app.status.get().folderKey;
}

/** @param key undefined for a copy that is not stored, which has no id to compare */
export function isStillOpen(ui: Pick<Ui, 'app'>, key: string | undefined): boolean {
  return key === undefined || openFolderKey(ui) === key;
}
