/** Saves a file in the editor, into its folder or a copy of it, and runs a tool that the file defines. */

import { until } from '../../../../runtime/hooks/until.ts';
import { isToolFile } from '../../../../runtime/folder/tool-files.ts';
import { draftOf } from '../forms/argument-template.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import type { EditedFile } from '../../editor/edited-file.svelte.ts';
import { openFolderKey } from '../../editor/folder-key.ts';

export class SaveAndRun {
  readonly #ui: Ui;
  readonly #file: EditedFile;
  readonly #functionHere: () => string | null;

  /** @param functionHere name of the function at the cursor; null if there is none */
  constructor(ui: Ui, file: EditedFile, functionHere: () => string | null) {
    this.#ui = ui;
    this.#file = file;
    this.#functionHere = functionHere;
  }

  /** Whether the editor handles the key. Beside a tool whose file is saved, the page handles it, and runs that tool. */
  get takesKey(): boolean {
    return this.#file.isUnsaved || this.#ui.toolHere === undefined;
  }

  /** Whether the file has a tool that {@link run} could run. */
  get hasTool(): boolean {
    return this.#ui.tools.all.some(({ source }) => source.file === this.#file.path);
  }

  async save(): Promise<void> {
    const { announcer } = this.#ui;
    if (this.#file.savesTo === 'copy') await this.copy();
    else {
      await this.#file.save();
      if (this.#file.trouble === null) announcer.say(`${this.#file.path} was saved`);
    }
  }

  /**
   * Saves to a copy of the folder, and begins to open the copy at the same place, unless the user has opened another folder
   * meanwhile.
   *
   * @returns whether the copy was made
   */
  async copy(): Promise<boolean> {
    const { route, announcer } = this.#ui;
    const { place } = route;
    const { path } = this.#file;
    if (!(await this.#file.saveToCopy())) return false;
    if (this.#openFolder !== this.#file.folderId) return true;
    // Opening a folder leads to its start page, so the address is set again.
    route.go(place.at === 'tool' ? route.to(place) : route.toFile(path));
    announcer.say('A copy of the folder with your changes is open');
    return true;
  }

  /**
   * Saves, then runs a tool: on the page of a tool, that tool, even if it was not loaded before; on the page of a file, the
   * tool at the cursor, or else the first one. Says why if there is none to run.
   */
  async run(): Promise<void> {
    const ui = this.#ui;
    const shown = ui.toolHere;
    // The user may go to another page while the file is saved.
    const { place } = ui.route;
    const at = this.#functionHere();
    const args = shown === undefined ? null : draftOf(ui.late.drafts, shown).text;
    const saved = this.#file.isUnsaved ? 'was saved. It ' : '';
    if (this.#file.isUnsaved) {
      let folder: string | undefined = this.#openFolder;
      if (this.#file.savesTo === 'folder') await this.save();
      else if (await this.copy()) {
        folder = this.#file.folderId;
        await this.#waitWhileOpens(folder);
      }
      // The editor shows why it was not saved.
      if (!this.#isSaved()) return;
      if (this.#openFolder !== folder) {
        ui.late.notices.show(
          `${this.#file.path} was saved, but another folder was opened in the meantime, so nothing was run.`,
        );
        return;
      }
    }
    const tools = ui.app.registry.list().filter(({ source }) => source.file === this.#file.path);
    const tool =
      place.at === 'tool'
        ? tools.find(({ name }) => name === place.name)
        : (tools.find(({ handler }) => handler.name === at) ?? tools[0]);
    // A `last-good` tool runs as it was before the file had an error, which is not the text that was just saved.
    if (tool === undefined || tool.state === 'last-good') {
      const wanted = tools.length > 0 && place.at === 'tool' ? place.name : null;
      ui.late.notices.show(`${this.#file.path} ${saved}${this.#whyNothing(wanted)}`);
      return;
    }
    // A copy of the folder begins without the arguments.
    if (args !== null && ui.late.drafts.isEmpty) draftOf(ui.late.drafts, tool).write(args);
    // The tool's page (RunButtons.svelte) runs it once the arguments are shown; so that page must be the one in view.
    ui.late.drafts.awaitRun(tool.name);
    if (ui.toolHere?.name !== tool.name) {
      // The editor keeps the focus there.
      ui.late.files.awaitEditor(this.#file.path);
      ui.route.go(ui.route.to({ at: 'tool', name: tool.name, line: null }));
    }
  }

  #isSaved(): boolean {
    return !this.#file.isUnsaved && this.#file.trouble === null;
  }

  /** @param wanted the tool of the page, if the file has other tools; otherwise null */
  #whyNothing(wanted: string | null): string {
    const { path } = this.#file;
    if (!isToolFile(path)) return 'is not a tool file, so nothing was run.';
    const isBroken = this.#ui.app.registry.problems.some(
      ({ file, severity }) => file === path && severity === 'error',
    );
    if (isBroken) return 'has an error, so nothing was run.';
    return wanted === null ? 'has no tool to run.' : `has no tool “${wanted}”, so nothing was run.`;
  }

  get #openFolder(): string {
    return openFolderKey(this.#ui);
  }

  /** Waits until this folder is open or could not be opened, or until another folder is opened instead. */
  #waitWhileOpens(folder: string | undefined): Promise<void> {
    const { status } = this.#ui.app;
    return until(status, () => {
      const { phase, folderKey } = status.get();
      return folderKey !== folder || phase === 'ready' || phase === 'failed';
    });
  }
}
