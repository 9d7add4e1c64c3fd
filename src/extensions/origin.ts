/** Where something on the page comes from. */

/** As the page says beside it. */
export interface Origin {
  readonly extension: string;
  readonly file: string;
}
