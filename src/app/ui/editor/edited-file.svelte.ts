/** A file in the editor, with its unsaved text, which is stored as a draft and survives a reload. */

import type { EditingControl } from '../../../runtime/open-folder/folder-editing.ts';
import { coalesce } from '../../../runtime/async/coalesce.ts';
import type { EditDraft } from '../../../runtime/folder/edit-draft.ts';
import { errorText, ToolError, hintOf } from '../../../runtime/spec/error.ts';
import type { FolderFile } from '../../../runtime/spec/folder.ts';
import { sameBytes } from '../../../runtime/spec/bytes.ts';
import { bytesOf, decodeFile, editableText } from './text-bytes.ts';

/** Why a file is not saved yet. */
export type SaveTrouble =
  | { readonly at: 'differs'; readonly theirs: FolderFile | null }
  | { readonly at: 'refused' }
  | { readonly at: 'failed'; readonly message: string; readonly hint: string };

/** Interval at which a draft is stored while the user types; milliseconds. */
const draftMs = 300;

export interface EditedFileDeps {
  readonly path: string;
  readonly control: EditingControl;
  readonly now: () => number;
  readonly base: Uint8Array;
  readonly text: string;
  /** When the text was stored as a draft; null if it is the file's text. */
  readonly draftAt: number | null;
}

export class EditedFile {
  readonly path: string;
  readonly #control: EditingControl;
  /** The folder that the file belongs to; null once it belongs to a copy, which is identified only by its id. */
  #source: EditingControl['source'] | null;
  #folderId: string | undefined;
  readonly #now: () => number;
  /** The version of the file that the text is based on. */
  #base: Uint8Array;
  #savedText: string = $state.raw('');
  text: string = $state.raw('');
  isSaving: boolean = $state(false);
  /** Resolves when the save that runs has ended. */
  #ending: Promise<unknown> = Promise.resolve();
  /** Whether the unsaved text would survive a reload. */
  isStored: boolean = $state(true);
  trouble: SaveTrouble | null = $state.raw(null);
  /** When the shown draft was stored, if it is from an earlier visit. */
  draftAt: number | null = $state(null);
  /** Increases with each change that was not made in the editor. */
  version: number = $state(0);
  readonly #store = coalesce(() => void this.#storeDraft(), draftMs);

  constructor({ path, control, now, base, text, draftAt }: EditedFileDeps) {
    this.path = path;
    this.#control = control;
    this.#source = control.source;
    this.#folderId = control.folderId;
    this.#now = now;
    this.#base = base;
    this.#savedText = decodeFile(base);
    this.text = text;
    this.draftAt = text === this.#savedText ? null : draftAt;
  }

  get isUnsaved(): boolean {
    return this.text !== this.#savedText;
  }

  /** The unsaved text with the version that it is based on; undefined if there is none. */
  get draft(): EditDraft | undefined {
    if (!this.isUnsaved) return undefined;
    return { path: this.path, text: this.text, base: this.#base, at: this.#now() };
  }

  /** Id of the file’s folder, which {@link saveToCopy} changes; undefined if the folder is not stored. */
  get folderId(): string | undefined {
    return this.#folderId;
  }

  get savesTo(): 'folder' | 'copy' {
    return this.#control.savesTo;
  }

  /** Takes over the text that the user has typed. */
  change(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.isStored = false;
    this.#store();
  }

  /** Replaces the text from outside the editor, for example by a fix. */
  replace(text: string): void {
    this.change(text);
    this.version += 1;
  }

  /** Takes over the folder's version after it was read again, unless there are unsaved changes. */
  follow(bytes: Uint8Array): void {
    if (this.isUnsaved || this.isSaving || sameBytes(bytes, this.#base)) return;
    const editable = editableText(bytes);
    if ('why' in editable) return;
    this.#base = bytes;
    this.#savedText = editable.text;
    this.text = editable.text;
    this.version += 1;
  }

  /** Whether the folder's version differs from the one that the unsaved text is based on. */
  isOutdatedBy(bytes: Uint8Array | undefined): boolean {
    return this.isUnsaved && bytes !== undefined && !sameBytes(bytes, this.#base);
  }

  /**
   * Saves the text. If a save runs, saves what was typed meanwhile when it has ended. Call it while handling a key or a
   * click, so that the browser can ask for permission.
   */
  async save(): Promise<void> {
    const hasWaited = this.isSaving;
    while (this.isSaving) await this.#ending;
    if (!hasWaited || this.isUnsaved) await this.#saveOver({ replaces: this.#base });
  }

  /** Overwrites the version that another program has written. */
  async overwrite(): Promise<void> {
    if (this.trouble?.at !== 'differs') return;
    await this.#saveOver({ replaces: this.trouble.theirs?.bytes ?? null });
  }

  /** Continues with the version that another program has written. */
  async takeTheirs(): Promise<void> {
    if (this.trouble?.at !== 'differs' || this.trouble.theirs === null) return;
    const { bytes } = this.trouble.theirs;
    const editable = editableText(bytes);
    if ('why' in editable) {
      const hint = 'Choose “Try again”, then keep yours as a copy.';
      this.trouble = { at: 'failed', message: editable.why, hint };
      return;
    }
    this.#base = bytes;
    await this.revert();
  }

  /** @returns whether the copy was made; it then is the open folder */
  async saveToCopy(): Promise<boolean> {
    return this.#attempt(async () => {
      const text = this.text;
      const bytes = bytesOf(text);
      const id = this.#folderId;
      this.#expectFolder();
      // Text that is typed meanwhile is a draft of the copy, or of this folder if copying fails.
      this.#folderId = undefined;
      try {
        this.#folderId = await this.#control.saveToCopy(this.path, bytes);
        this.#source = null;
      } catch (thrown) {
        this.#folderId = id;
        await this.#storeDraft();
        throw thrown;
      }
      this.#base = bytes;
      this.#savedText = text;
      if (this.isUnsaved) await this.#storeDraft();
      return null;
    });
  }

  /** Saves the text as another file. @returns whether it was saved */
  async saveAs(path: string): Promise<boolean> {
    return this.#attempt(async () => {
      this.#expectFolder();
      const outcome = await this.#control.save(path, bytesOf(this.text), { replaces: null });
      if (outcome.at !== 'differs') return outcome.at === 'saved' ? null : outcome;
      throw new ToolError('bad-input', `“${path}” already exists`, 'Choose another name.');
    });
  }

  /** Discards unsaved changes. */
  async revert(): Promise<void> {
    this.#savedText = decodeFile(this.#base);
    this.text = this.#savedText;
    this.version += 1;
    this.trouble = null;
    await this.discard();
  }

  async discard(): Promise<void> {
    this.#store.cancel();
    this.draftAt = null;
    this.isStored = true;
    if (this.#folderId !== undefined)
      await this.#control.drafts.remove(this.#folderId, this.path).catch(() => undefined);
  }

  /** Stores the draft now. Never rejects. @param options.again whether to store it even if it is already stored */
  async flush({ again = false } = {}): Promise<void> {
    if (this.isUnsaved && (again || !this.isStored)) await this.#storeDraft();
  }

  dispose(): void {
    this.#store.cancel();
  }

  async #saveOver(content: { readonly replaces: Uint8Array | null }): Promise<void> {
    const text = this.text;
    const bytes = bytesOf(text);
    await this.#attempt(async () => {
      this.#expectFolder();
      const outcome = await this.#control.save(this.path, bytes, content);
      if (outcome.at !== 'saved') return outcome;
      this.#base = bytes;
      this.#savedText = text;
      // The user may have typed meanwhile.
      if (this.isUnsaved) await this.#storeDraft();
      else await this.discard();
      return null;
    });
  }

  /** The control changes whichever folder is open, which may no longer be this file’s. */
  #expectFolder(): void {
    const { source, folderId } = this.#control;
    // @mutant editing: a file is saved only in its own folder => never
    //   [src/app/ui/editor/other-folder.test.ts]
    if (source !== this.#source && (folderId === undefined || folderId !== this.#folderId))
      throw new ToolError(
        'no-folder',
        `“${this.path}” was not saved, because another folder was opened in the meantime`,
        'Reopen its folder, then save again.',
      );
  }

  #attempt(work: () => Promise<SaveTrouble | null>): Promise<boolean> {
    if (this.isSaving) return Promise.resolve(false);
    this.isSaving = true;
    const attempt = this.#finish(work);
    this.#ending = attempt;
    return attempt;
  }

  /** Carries out a save, and keeps why it failed. Never rejects. */
  async #finish(work: () => Promise<SaveTrouble | null>): Promise<boolean> {
    try {
      this.trouble = await work();
    } catch (thrown) {
      this.trouble = { at: 'failed', message: errorText(thrown), hint: hintOf(thrown) ?? '' };
    } finally {
      this.isSaving = false;
    }
    return this.trouble === null;
  }

  async #storeDraft(): Promise<void> {
    const { draft } = this;
    if (draft === undefined) {
      await this.discard();
      return;
    }
    if (this.#folderId === undefined) return;
    try {
      await this.#control.drafts.put(this.#folderId, draft);
      if (draft.text === this.text) this.isStored = true;
    } catch {
      // The file stays “not stored”, so that the browser asks before the page is left. The status
      // line reports failing storage.
    }
  }
}
