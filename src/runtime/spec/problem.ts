/** A problem of a tools folder: where it is, what is wrong, what was expected, and how to fix it. */

export interface Problem {
  /** A note says what Cloche left out on purpose, and requires no action. */
  readonly severity: 'error' | 'warning' | 'note';
  /** Short, stable, kebab-case name of the kind of problem. */
  readonly code: string;
  /** Path relative to the tools folder, with `/`; empty if the problem is the folder's. */
  readonly file: string;
  /** 1-based; null if no line applies. */
  readonly line: number | null;
  /** 1-based; null if unknown. */
  readonly column: number | null;
  readonly message: string;
  readonly expected: string;
  readonly hint: string;
  /** The tool with the problem; absent if it is the file's. For a rejected name, that name, which may be a tool of another file. */
  readonly tool?: string;
  /** Subfolders that can be opened instead, because tool files are there. */
  readonly subfolders?: readonly string[];
}
