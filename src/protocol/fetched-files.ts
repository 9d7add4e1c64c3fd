/** What the page asks of the worker that fetches and checks files for it, and what that answers. */

export interface WantedFile {
  readonly name: string;
  /** Absolute. */
  readonly url: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type of the blob that it becomes. */
  readonly type: string;
}

/** One answer for each file, as they arrive; in between, how far they are. */
export type FetchedFile =
  | { readonly name: string; readonly received: number }
  | { readonly name: string; readonly blob: Blob }
  | {
      readonly name: string;
      /**
       * `missing`: no answer, or none with the file; `stalled`: nothing came for long; `unchecked`: the browser offers no
       * cryptography here.
       */
      readonly fault: 'missing' | 'stalled' | 'differs' | 'unchecked';
      /** HTTP status, where there was an answer. */
      readonly status: number | null;
    };
