/** An import in progress: a document, what was chosen of it, and the file that would be written. */

import type { DocumentReader, ImportControl } from '../../app.ts';
import { errorText, hintOf } from '../../../runtime/spec/error.ts';
import {
  addressOf,
  maxImportChars,
  type ImportFault,
  type ImportItem,
  type ImportOutline,
  type WrittenImport,
} from '../../../runtime/protocol/imports.ts';

/** Small documents are imported whole, unless the user chooses. */
const maxChosenAtFirst = 20;
/** Delay after the last change before the file is written again; milliseconds. */
const writeMs = 250;

export class DocumentImport {
  readonly #control: Promise<ImportControl>;
  readonly #isTaken: (path: string) => boolean;
  readonly #life = new AbortController();
  #reader: DocumentReader | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing = 0;
  outline: ImportOutline | null = $state.raw(null);
  busy: 'no' | 'fetching' | 'reading' | 'writing' = $state('no');
  /** Why the document cannot be read. */
  fault: ImportFault | null = $state.raw(null);
  /** Why the file cannot be written. */
  writeFault: ImportFault | null = $state.raw(null);
  /** The file as it would be written; null while it changes. */
  written: WrittenImport | null = $state.raw(null);
  chosen: ReadonlySet<number> = $state.raw(new Set());
  query = $state('');
  base = $state('');
  /** Name of the file, without `.py`. */
  module = $state('');

  /** @param isTaken whether the folder has a file */
  constructor(control: Promise<ImportControl>, isTaken: (path: string) => boolean) {
    this.#control = control;
    this.#isTaken = isTaken;
  }

  /** The items that match the search. */
  readonly found: readonly ImportItem[] = $derived.by(() => {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const items = this.outline?.items ?? [];
    if (words.length === 0) return items;
    return items.filter(({ name, label, summary, tags }) => {
      const text = [name, label, summary, ...tags].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    });
  });

  get moduleFault(): string {
    if (!/^[A-Za-z]\w{0,59}$/.test(this.module))
      return 'Use letters, digits and underscores, beginning with a letter.';
    return this.#isTaken(this.path) ? `${this.path} already exists.` : '';
  }

  get path(): string {
    return `${this.module}.py`;
  }

  readFile(file: File): Promise<void> {
    return this.#begin('reading', () => this.#read(file, file.name));
  }

  readText(text: string): Promise<void> {
    return this.#begin('reading', () => this.#read(text, ''));
  }

  fetch(address: string): Promise<void> {
    return this.#begin('fetching', async () => {
      const { document, url } = await (
        await this.#control
      ).fetch(this.#life.signal, address.trim());
      this.busy = 'reading';
      return this.#read(document, url);
    });
  }

  /** Returns to the choice of a document. */
  forget(): void {
    this.outline = null;
    this.fault = null;
    this.#writeSoon();
  }

  choose(ids: Iterable<number>, on: boolean): void {
    const chosen = new Set(this.chosen);
    for (const id of ids)
      if (!on) chosen.delete(id);
      else if (this.outline?.items[id]?.refusal === '') chosen.add(id);
    this.chosen = chosen;
    this.#writeSoon();
  }

  useBase(base: string): void {
    this.base = base;
    this.#writeSoon();
  }

  useModule(module: string): void {
    this.module = module;
    this.#writeSoon();
  }

  /** Writes the file for the current choice. Resolves with null if that fails, or something was changed meanwhile. */
  async write(): Promise<WrittenImport | null> {
    clearTimeout(this.#timer);
    const writing = (this.#writing += 1);
    const { base, module, chosen } = this;
    if (this.#reader === null || chosen.size === 0 || this.moduleFault !== '') return null;
    this.busy = 'writing';
    try {
      const items = [...chosen].sort((a, b) => a - b);
      const written = await this.#reader.write(this.#life.signal, {
        items,
        base: base.trim(),
        module,
      });
      if (writing !== this.#writing) return null;
      this.busy = 'no';
      this.writeFault = 'fault' in written ? written : null;
      this.written = 'fault' in written ? null : written;
      return this.written;
    } catch (thrown) {
      if (writing !== this.#writing || this.#life.signal.aborted) return null;
      this.busy = 'no';
      this.writeFault = { fault: errorText(thrown), hint: 'Read the document again.' };
      return null;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#life.abort();
    this.#reader?.end();
  }

  #writeSoon(): void {
    this.#writing += 1;
    this.written = null;
    this.writeFault = null;
    if (this.busy === 'writing') this.busy = 'no';
    clearTimeout(this.#timer);
    if (this.outline !== null) this.#timer = setTimeout(() => void this.write(), writeMs);
  }

  async #begin(
    busy: 'fetching' | 'reading',
    read: () => Promise<ImportOutline | ImportFault>,
  ): Promise<void> {
    if (this.busy !== 'no') return;
    this.busy = busy;
    this.fault = null;
    try {
      const outline = await read();
      if (this.#life.signal.aborted) return;
      if ('fault' in outline) this.fault = outline;
      else this.#show(outline);
    } catch (thrown) {
      if (this.#life.signal.aborted) return;
      this.fault = { fault: errorText(thrown), hint: hintOf(thrown) ?? '' };
    } finally {
      this.busy = 'no';
    }
  }

  async #read(document: string | Blob, name: string): Promise<ImportOutline | ImportFault> {
    const size = typeof document === 'string' ? document.length : document.size;
    if (size > maxImportChars) return tooLong;
    const control = await this.#control;
    this.#life.signal.throwIfAborted();
    this.#reader ??= control.start();
    return this.#reader.read(this.#life.signal, document, name);
  }

  #show(outline: ImportOutline): void {
    const { items, servers } = outline;
    this.outline = outline;
    this.query = '';
    const ready = items.filter(({ refusal }) => refusal === '');
    this.chosen = new Set(ready.length <= maxChosenAtFirst ? ready.map(({ id }) => id) : []);
    const [server] = servers;
    this.base = server === undefined ? '' : addressOf(server);
    this.module = outline.module;
    for (let n = 2; this.#isTaken(this.path); n += 1) this.module = `${outline.module}_${n}`;
    this.#writeSoon();
  }
}

const tooLong: ImportFault = {
  fault: `The document is larger than ${maxImportChars / 1024 / 1024} MB`,
  hint: 'Import a part of it: remove paths that you do not need.',
};
