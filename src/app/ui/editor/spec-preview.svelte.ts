/** The specs that would be written into a file: what is proposed, which functions are chosen, and writing them. */

import type { FolderControl } from '../../../runtime/open-folder/folder-loader.ts';
import { errorWithHint } from '../../../runtime/spec/error.ts';
import type { ProposedTool, SpecProposal } from '../../../runtime/spec/tool.ts';
import type { EditedFile } from './edited-file.svelte.ts';
import { bytesOf } from './text-bytes.ts';

/**
 * `saved`, or `copied`: saved in a copy of the folder. `draft`: the text is in the editor, since the file had unsaved
 * changes or could not be saved. `changed`: nothing was written, because the file's text is not that of the preview.
 */
export type Written = 'saved' | 'copied' | 'draft' | 'changed';

export class SpecPreview {
  readonly #propose: FolderControl['propose'];
  readonly #file: EditedFile;
  readonly #life = new AbortController();
  /** The text that the proposal changes. */
  before: string = $state.raw('');
  /** The functions that can become tools, and the others with the reason why they cannot. */
  tools: readonly ProposedTool[] = $state.raw([]);
  #proposal: SpecProposal | null = $state.raw(null);
  /** Names of the tools to write. */
  chosen: ReadonlySet<string> = $state.raw(new Set());
  /** Why there is no proposal; empty if there is one. */
  fault: string = $state('');
  /** Whether a proposal is being made. */
  isBusy: boolean = $state(false);
  #isOutdated = false;

  constructor(folder: Pick<FolderControl, 'propose'>, file: EditedFile) {
    this.#propose = (...asked) => folder.propose(...asked);
    this.#file = file;
  }

  get path(): string {
    return this.#file.path;
  }

  get savesTo(): 'folder' | 'copy' {
    return this.#file.savesTo;
  }

  /** Parts that the whole file cannot keep, or the reason why nothing can be written. */
  get notes(): SpecProposal['notes'] {
    return this.#proposal?.notes ?? [];
  }

  /** The text to write; null while there is none. */
  get after(): string | null {
    return this.isBusy || this.chosen.size === 0 ? null : (this.#proposal?.text ?? null);
  }

  /**
   * Makes the first proposal. Never rejects.
   * @param only name of the function to choose; null chooses as the proposal does
   */
  async begin(only: string | null): Promise<void> {
    await this.#refresh(null);
    const named = this.tools.filter(({ name }) => name.endsWith(`:${only ?? ''}`));
    if (only !== null && named.length > 0) await this.choose(named.map(({ name }) => name));
  }

  /** Chooses the tools to write, and proposes again. Never rejects. */
  async choose(names: readonly string[]): Promise<void> {
    this.chosen = new Set(names);
    this.#isOutdated = true;
    if (this.isBusy || names.length === 0) return;
    do await this.#refresh([...this.chosen]);
    while (this.#mustRepeat());
  }

  /** Writes the chosen specs. Call it while a key or a click is handled, since the browser may ask for permission. */
  async write(): Promise<Written> {
    const file = this.#file;
    const text = this.after;
    if (text === null || file.text !== this.before) {
      await this.#refresh(null);
      return 'changed';
    }
    const hadChanges = file.isUnsaved;
    file.replace(text);
    if (hadChanges) return 'draft';
    if (file.savesTo === 'copy') return (await file.saveToCopy()) ? 'copied' : 'draft';
    await file.save();
    return isSaved(file) ? 'saved' : 'draft';
  }

  /** Restores the text from before {@link write}. @returns whether it is saved */
  async undo(): Promise<boolean> {
    this.#file.replace(this.before);
    await this.#file.save();
    return isSaved(this.#file);
  }

  dispose(): void {
    this.#life.abort();
  }

  /** Whether the user has chosen other functions while a proposal was being made. */
  #mustRepeat(): boolean {
    return this.#isOutdated && this.fault === '';
  }

  /** @param names null: those that the proposal chooses */
  async #refresh(names: readonly string[] | null): Promise<void> {
    this.isBusy = true;
    this.#isOutdated = false;
    this.fault = '';
    this.before = this.#file.text;
    try {
      const bytes = bytesOf(this.before);
      const proposal = await this.#propose(this.#life.signal, this.path, bytes, names);
      const asked = names === null ? null : new Set(names);
      const before = new Map(this.tools.map((tool) => [tool.name, tool]));
      // Only a function that was asked for says why it cannot become a tool.
      this.tools = proposal.tools.map((tool) =>
        asked === null || asked.has(tool.name) ? tool : (before.get(tool.name) ?? tool),
      );
      this.#proposal = proposal;
      if (!this.#mustRepeat())
        this.chosen = new Set(
          proposal.tools.filter((tool) => tool.included).map(({ name }) => name),
        );
    } catch (thrown) {
      this.fault = errorWithHint(thrown);
    } finally {
      this.isBusy = false;
    }
  }
}

function isSaved({ isUnsaved }: EditedFile): boolean {
  return !isUnsaved;
}
