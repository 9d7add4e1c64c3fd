/** Splits Python source into spans for syntax colouring; loaded only when source is shown. */

import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { parser } from '@lezer/python';
import { createPacer } from '../../../runtime/async/pace.ts';

/** Names of colours: `--code-…` in tokens.css. */
export type CodeKind = 'keyword' | 'string' | 'number' | 'comment' | 'name';

export interface CodeSpan {
  readonly text: string;
  /** Null for text in the default colour. */
  readonly kind: CodeKind | null;
}

/** The spans of the text from `start` to `end`, which join to that text. */
export type CodeColors = (start: number, end: number) => readonly CodeSpan[];

const kinds = tagHighlighter([
  {
    tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword],
    class: 'keyword',
  },
  { tag: [tags.operatorKeyword, tags.self, tags.bool, tags.null], class: 'keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.docString, tags.escape], class: 'string' },
  { tag: tags.number, class: 'number' },
  { tag: tags.comment, class: 'comment' },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    class: 'name',
  },
]);

/** Parses a source in slices, so that the page stays responsive at any length. @returns null if aborted */
export async function pythonColors(
  signal: AbortSignal,
  source: string,
): Promise<CodeColors | null> {
  const parse = parser.startParse(source);
  const pacer = createPacer();
  let parsed = parse.advance();
  while (parsed === null) {
    if (pacer.mustRest()) await pacer.rest();
    if (signal.aborted) return null;
    parsed = parse.advance();
  }
  const tree = parsed;
  return (start, end) => {
    const spans: CodeSpan[] = [];
    let at = start;
    const add = (until: number, kind: CodeKind | null): void => {
      if (until > at) spans.push({ text: source.slice(at, until), kind });
      at = Math.max(at, until);
    };
    highlightTree(
      tree,
      kinds,
      (from, to, kind) => {
        add(Math.min(from, end), null);
        add(Math.min(to, end), kind as CodeKind);
      },
      start,
      end,
    );
    add(end, null);
    return spans;
  };
}
