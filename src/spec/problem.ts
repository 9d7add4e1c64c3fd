/** A problem of a tools folder: where, what is wrong, what was expected, how to mend it. */

export interface Problem {
  readonly severity: 'error' | 'warning';
  /** A short, stable, kebab-case name of the kind of problem. */
  readonly code: string;
  /** Path inside the tools folder, with `/`; empty for the folder as a whole. */
  readonly file: string;
  /** 1-based; null where no line applies. */
  readonly line: number | null;
  /** 1-based; null where unknown. */
  readonly column: number | null;
  readonly message: string;
  readonly expected: string;
  readonly hint: string;
  /** The tool that it belongs to; absent where it is the file's. Of a refused name: the one it claims, maybe another file's. */
  readonly tool?: string;
}
