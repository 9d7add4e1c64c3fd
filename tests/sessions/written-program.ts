/** A program as a model writes it. */

/** @param shows the text, or the value of the JSON text, that the model sees */
export interface WrittenProgram {
  readonly title: string;
  readonly code: string;
  readonly shows: unknown;
}

export const written = (title: string, shows: unknown, code: string): WrittenProgram => ({
  title,
  shows,
  code: code.replace(/^\n/, ''),
});
