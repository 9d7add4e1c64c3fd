/** The wire to the diff worker: two versions of a file, and their diff. */

/** The bytes of each version; empty for a missing file. */
export interface DiffQuestion {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

export interface DiffLine {
  /** `gap`: unchanged lines are left out. */
  readonly what: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
}

export type FileDiff =
  | {
      readonly kind: 'lines';
      readonly lines: readonly DiffLine[];
      /** Number of further lines. */
      readonly more: number;
    }
  | { readonly kind: 'binary' }
  | { readonly kind: 'large' };

export interface DiffWorker {
  compare(question: DiffQuestion): FileDiff;
}
