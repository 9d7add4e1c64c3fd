/** The error that every method of the client rejects with, except for aborted ones. */

/**
 * `code` is that of the API's problem document, or one of the client's own: `no-bridge` (there is no Cloche at the
 * address), `needs-window` (this site can reach it only through a window, or no page of it is open), `blocked-window` (the
 * browser has opened none: connect while a click is handled), `closed` (the connection has ended), `needs-page` (there
 * is no page, as in Node or a worker), `bad-answer`.
 */
export class ClocheError extends Error {
  override readonly name = 'ClocheError';
  readonly code: string;
  /** The next step for the user; may be empty. */
  readonly hint: string;
  /** The status of the answer; 0 if there was none. */
  readonly status: number;

  constructor(code: string, message: string, hint = '', status = 0) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.status = status;
  }
}
