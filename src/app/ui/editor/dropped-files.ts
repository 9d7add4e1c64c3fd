/** Decides what becomes of files that were dropped on the page, besides being opened as a folder. */

import type { Ui } from '../shell/ui.svelte.ts';
import { filesWithoutSpecs } from './offered-files.ts';

/** Imports a document of another system. @returns whether the files are one */
export function importsDropped(ui: Ui, [file, ...others]: readonly File[]): boolean {
  if (file === undefined || others.length > 0 || ui.framed) return false;
  if (!/\.(json|ya?ml)$/i.test(file.name)) return false;
  ui.dialogs.show({ at: 'import', file });
  return true;
}

/** Offers to make tools of the functions of dropped Python files, once they are open. */
export function previewDropped(ui: Ui, files: readonly File[]): void {
  const isPython = files.length > 0 && files.every(({ name }) => name.endsWith('.py'));
  const paths = isPython && ui.opener.status.phase === 'ready' ? filesWithoutSpecs(ui) : [];
  if (paths.length > 0) ui.dialogs.show({ at: 'specs', paths, isNew: true });
}
