/** The commands of a file in the editor. */

import { isToolFile } from '../../../runtime/folder/tool-files.ts';
import type { Command } from '../shell/commands.svelte.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { EditedFile } from './edited-file.svelte.ts';
import { hasFunctions } from './spec-offer.ts';

interface EditorActions {
  readonly save: () => void;
  /** Null if there is nothing to run. */
  readonly saveAndRun: (() => void) | null;
  /** Name of the function at the cursor; null if there is none. */
  readonly functionHere: () => string | null;
}

export function editorCommands(
  ui: Ui,
  file: EditedFile,
  { save, saveAndRun, functionHere }: EditorActions,
): readonly Command[] {
  return [
    {
      words: file.savesTo === 'folder' ? 'Save' : 'Save to a copy',
      detail: file.path,
      shortcut: { key: 's', held: true, whileWriting: true },
      available: true,
      choose: save,
    },
    {
      words: 'Save and run',
      available: saveAndRun !== null,
      choose: () => saveAndRun?.(),
      // On the page of a loaded tool, this shortcut belongs to the Run button.
      ...(ui.toolHere === undefined && {
        shortcut: { key: 'Enter', held: true, whileWriting: true },
      }),
    },
    {
      words: 'Make the function at the cursor a tool',
      detail: file.path,
      available:
        ui.opener.status.phase === 'ready' && isToolFile(file.path) && hasFunctions(file.text),
      choose: () => {
        const only = functionHere();
        const paths = [file.path];
        ui.dialogs.show({ at: 'specs', paths, ...(only !== null && { only }) });
      },
    },
  ];
}
