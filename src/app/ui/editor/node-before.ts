/** Finds the syntax at the cursor. */

import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** Limit for parsing, in milliseconds: nothing is drawn meanwhile. */
const maxMs = 100;

/**
 * Returns the innermost syntax that ends at a place or contains it. Parses the whole text first, since the
 * editor parses in pauses, and may not have got that far on a busy machine.
 */
export function nodeBefore(state: EditorState, pos: number): SyntaxNode {
  return (ensureSyntaxTree(state, state.doc.length, maxMs) ?? syntaxTree(state)).resolveInner(
    pos,
    -1,
  );
}
