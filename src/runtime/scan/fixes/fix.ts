/** A mechanical remedy for a problem of a tool file: changes of its text. */

export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Fix {
  /** Label of a button, such as `Add "type": "object"`. */
  readonly label: string;
  /** Edits in order, without overlaps. */
  readonly edits: readonly TextEdit[];
}

/** Returns the text after the fix. */
export function applyFix(text: string, { edits }: Fix): string {
  let fixed = '';
  let at = 0;
  for (const { from, to, insert } of edits) {
    fixed += text.slice(at, from) + insert;
    at = to;
  }
  return fixed + text.slice(at);
}
