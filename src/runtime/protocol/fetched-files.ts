/** The wire between the page and the file worker, which downloads files and checks their hashes. */

export interface WantedFile {
  readonly name: string;
  /** Absolute. */
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** Media type of the resulting blob. */
  readonly type: string;
  /** Downloaded after all other files, one late file at a time; the first is requested shortly before the others have arrived. */
  readonly late: boolean;
}

/** Answers the download of a file once, with its blob or a fault; before that, reports progress any number of times. */
export type FetchedFile =
  /** Progress; bytes. */
  | { readonly name: string; readonly received: number }
  | { readonly name: string; readonly blob: Blob }
  | {
      readonly name: string;
      /**
       * `missing`: no response, or an HTTP error; `stalled`: no data for too long; `differs`: the hash or size is wrong;
       * `unchecked`: the browser offers no cryptography here.
       */
      readonly fault: 'missing' | 'stalled' | 'differs' | 'unchecked';
      /** HTTP status; null if there was no response. */
      readonly status: number | null;
    };
