/** The title and description of a page's section, known before the section is opened. */

export interface SectionHead {
  /** The last part of the section's address. */
  readonly id: string;
  readonly title: string;
  /** One line about the section's content. */
  readonly about: string;
}
