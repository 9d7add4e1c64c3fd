/** Offers to import dropped documents, and to make tools of dropped Python files. */

import type { Ui } from '../shell/ui.svelte.ts';
import { filesWithoutSpecs } from './offered-files.ts';

/** Shows the import dialog for a single JSON or YAML file. @returns whether it was shown */
export function offerImport(ui: Ui, [file, ...others]: readonly File[]): boolean {
  if (file === undefined || others.length > 0 || ui.framed) return false;
  if (!/\.(json|ya?ml)$/i.test(file.name)) return false;
  ui.dialogs.show({ at: 'import', file });
  return true;
}

/** Offers to make tools of the functions of dropped Python files, once they are open. */
export function offerSpecs(ui: Ui, files: readonly File[]): void {
  const isPython = files.length > 0 && files.every(({ name }) => name.endsWith('.py'));
  const paths = isPython && ui.opener.status.phase === 'ready' ? filesWithoutSpecs(ui) : [];
  if (paths.length > 0) ui.dialogs.show({ at: 'specs', paths, isNew: true });
}
