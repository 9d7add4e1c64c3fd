/** The specs that would be written into a file as TOOL_SPECS: what is proposed, which functions are chosen, and writing. */

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
  readonly #folder: Pick<FolderControl, 'propose'>;
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
    this.#folder = folder;
    this.#file = file;
  }

  get path(): string {
    return this.#file.path;
  }

  get savesTo(): 'folder' | 'copy' {
    return this.#file.savesTo;
  }

  /**
   * Notes on the whole file, such as code that is left out because it needs the framework; or the reason why nothing can be
   * written.
   */
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
    await this.#propose(null);
    const named = this.tools.filter(({ name }) => name.endsWith(`:${only ?? ''}`));
    if (only !== null && named.length > 0) await this.choose(named.map(({ name }) => name));
  }

  /** Chooses the tools to write, and proposes again. Never rejects. */
  async choose(names: readonly string[]): Promise<void> {
    this.chosen = new Set(names);
    this.#isOutdated = true;
    if (this.isBusy || names.length === 0) return;
    await this.#propose(names);
  }

  /** Writes the chosen specs. Call it while a key or a click is handled, since the browser may ask for permission. */
  async write(): Promise<Written> {
    const file = this.#file;
    const text = this.after;
    if (text === null || file.text !== this.before) {
      await this.#propose(null);
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

  /**
   * Proposes, and again for each choice that the user has made meanwhile.
   * @param names null: those that the proposal chooses
   */
  async #propose(names: readonly string[] | null): Promise<void> {
    await this.#proposeOnce(names);
    while (this.#mustRepeat()) await this.#proposeOnce([...this.chosen]);
  }

  /** Whether the user has chosen other functions while a proposal was being made. */
  #mustRepeat(): boolean {
    return this.#isOutdated && this.fault === '';
  }

  async #proposeOnce(names: readonly string[] | null): Promise<void> {
    this.isBusy = true;
    this.#isOutdated = false;
    this.fault = '';
    this.before = this.#file.text;
    try {
      const bytes = bytesOf(this.before);
      const proposal = await this.#folder.propose(this.#life.signal, this.path, bytes, names);
      const asked = names === null ? null : new Set(names);
      const before = new Map(this.tools.map((tool) => [tool.name, tool]));
      // Only the entry of a function that was asked for says why it cannot become a tool, so the others keep their entries
      // from before.
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
