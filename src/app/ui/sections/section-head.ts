/** What is known of a section of a page before it is opened. */

export interface SectionHead {
  /** The last part of its address. */
  readonly id: string;
  readonly title: string;
  /** One line about its content. */
  readonly about: string;
}
