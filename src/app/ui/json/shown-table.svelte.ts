/** The table that is shown of a JSON text: read, filtered and sorted in slices, one page at a time. */

import { coalesce } from '../../../runtime/async/coalesce.ts';
import { createPacer } from '../../../runtime/async/pace.ts';
import {
  cellsOf,
  csvParts,
  noRows,
  readRows,
  rowsWith,
  sortRows,
  type FoundRows,
  type Sorting,
} from './table-rows.ts';

/** Columns that are drawn; the CSV file has more. */
const maxShown = 40;
/** Rows whose cells are remembered: more than a page has. */
const maxRemembered = 500;

/** The work in progress; `none` if the items of the list turned out to differ. */
type TableState = 'reading' | 'arranging' | 'ready' | 'none';

export class ShownTable {
  readonly #text: string;
  readonly #found: FoundRows = noRows();
  #whole: FoundRows | null = null;
  readonly #cells = new Map<number, Map<string, string>>();
  readonly #lifetime = new AbortController();
  /** Aborts the filtering or sorting that runs now. */
  #stop = new AbortController();
  /** Rows that were found, whether or not a filter hides them. */
  count: number = $state(0);
  key: string | null = $state(null);
  #columns: readonly string[] = $state.raw([]);
  state: TableState = $state('reading');
  /** Rows in the order in which they are shown. */
  #order: readonly number[] | null = $state.raw(null);
  query: string = $state('');
  sorting: Sorting | null = $state.raw(null);
  #from: number = $state(0);
  /** Another object when the page or the order changes, but not when more rows are found. */
  shown: object = $state.raw({});
  readonly #arrangeSoon = coalesce(() => void this.#arrange(), 150);

  constructor(text: string) {
    this.#text = text;
    void this.#read();
  }

  /** Rows that the filter leaves. */
  get shownCount(): number {
    return this.#order?.length ?? this.count;
  }

  get columns(): readonly string[] {
    return this.#columns.slice(0, maxShown);
  }

  /** Number of columns that are not drawn. */
  get hiddenColumns(): number {
    return Math.max(0, this.#columns.length - maxShown);
  }

  /** Whether the text has more rows or columns than are read. */
  get cut(): boolean {
    return this.state !== 'reading' && this.#found.cut;
  }

  /** Offset of the page that is shown. */
  get from(): number {
    return this.#from;
  }

  set from(from: number) {
    const next = Math.max(0, from);
    if (next === this.#from) return;
    this.#from = next;
    this.shown = {};
  }

  /** Some rows with their numbers in the result, from 0. The cells of a row are read on first use. */
  page(size: number): readonly { readonly row: number; readonly cells: Map<string, string> }[] {
    const rows: number[] = [];
    const end = Math.min(this.#from + size, this.shownCount);
    for (let at = this.#from; at < end; at += 1) rows.push(this.#order?.[at] ?? at);
    const cellsOf = (row: number): Map<string, string> => this.#cellsOf(row);
    return rows.map((row) => ({
      row,
      get cells() {
        return cellsOf(row);
      },
    }));
  }

  /** Reads a row once: it may have thousands of cells, and the page is drawn again while other rows are read. */
  #cellsOf(row: number): Map<string, string> {
    const known = this.#cells.get(row);
    if (known !== undefined) return known;
    const cells = cellsOf(this.#text, this.#found, row);
    if (this.#cells.size >= maxRemembered) this.#cells.clear();
    this.#cells.set(row, cells);
    return cells;
  }

  search(query: string): void {
    this.query = query;
    this.from = 0;
    this.#arrangeSoon();
  }

  /** Sorts by a column: ascending, then descending, then as in the result. */
  sortBy(column: string): void {
    const now = this.sorting?.column === column ? this.sorting : null;
    if (now?.descending === true) this.sorting = null;
    else this.sorting = { column, descending: now !== null };
    this.from = 0;
    void this.#arrange();
  }

  /** The rows that the filter leaves as CSV, in the order in which they are shown. */
  async csv(): Promise<Blob> {
    const { signal } = this.#lifetime;
    const rows = this.#order ?? Array.from({ length: this.count }, (_, row) => row);
    const parts = await this.#paced(signal, csvParts(this.#text, this.#found, rows));
    return new Blob(parts, { type: 'text/csv' });
  }

  dispose(): void {
    this.#arrangeSoon.cancel();
    this.#stop.abort();
    this.#lifetime.abort();
  }

  async #read(): Promise<void> {
    const { signal } = this.#lifetime;
    try {
      this.#whole = await this.#paced(signal, readRows(this.#text, this.#found), () => {
        this.#note();
      });
      this.#note();
      this.state = this.#whole === null ? 'none' : 'ready';
      if (this.query !== '' || this.sorting !== null) await this.#arrange();
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }

  #note(): void {
    const { starts, columns, key } = this.#found;
    this.count = starts.length;
    this.key = key;
    if (columns.size !== this.#columns.length) this.#columns = [...columns];
  }

  async #arrange(): Promise<void> {
    const found = this.#whole;
    // The rows are arranged once all of them are read.
    if (found === null) return;
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.state = 'arranging';
    try {
      const words = this.query.trim();
      const sorting = this.sorting;
      let order: number[] | null =
        words === '' ? null : await this.#paced(signal, rowsWith(this.#text, found, words));
      if (sorting !== null) {
        const rows = order ?? found.starts.map((_, row) => row);
        order = await this.#paced(signal, sortRows(this.#text, found, rows, sorting));
      }
      this.#order = order;
      this.shown = {};
      this.state = 'ready';
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    }
  }

  /** Runs steps in slices. Rejects with the signal's reason if it aborts. */
  async #paced<T>(
    signal: AbortSignal,
    steps: Generator<void, T>,
    onRest: () => void = () => undefined,
  ): Promise<T> {
    const pacer = createPacer();
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (!pacer.mustRest()) continue;
      onRest();
      await pacer.rest();
      signal.throwIfAborted();
    }
  }
}
