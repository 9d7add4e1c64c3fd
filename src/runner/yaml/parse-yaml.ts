/** Reads YAML, and finds the lines of its values. Runs in a worker, since a short text can take very long. */

import { isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { ParsedText, ValuePath } from '../../protocol/yaml.ts';
import { errorText } from '../../spec/error.ts';

/** Keys, values, lists and objects in a text, which are checked one by one later. */
const mostValues = 100_000;
const mostDepth = 300;
/** Uses of an alias: they can multiply a short text. */
const maxAliasCount = 20;

interface Read {
  readonly text: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/** The last text, whose lines are asked for after it was parsed. */
let last: Read | null = null;

export function parseYaml(text: string): ParsedText {
  if (isTooDeep(text)) return bad('the text is nested too deeply', 'Nest it less.');
  try {
    const { document, lines } = read(text);
    const [mistake] = document.errors;
    if (mistake !== undefined)
      return bad(mistake.message, 'Write JSON or YAML.', lines.linePos(mistake.pos[0]).line);
    let values = 0;
    let inexact: ParsedText | null = null;
    visit(document, (_, node) => {
      if (!isPair(node)) values += 1;
      if (isScalar(node) && losesDigits(node.value, node.source))
        inexact ??= bad(
          `the number ${(node.source ?? '').slice(0, 50)} is too large to be kept exactly`,
          'Write at most 15 digits, or a text.',
          lines.linePos(node.range?.[0] ?? 0).line,
        );
      return values > mostValues ? visit.BREAK : undefined;
    });
    if (values > mostValues)
      return bad(`the text has more than ${mostValues} values`, 'Write fewer of them.');
    if (inexact !== null) return inexact;
    return { value: document.toJS({ maxAliasCount }) as unknown };
  } catch (thrown) {
    return bad(errorText(thrown), 'Write the text without aliases.');
  }
}

/** @param text without mistakes @returns from 1 */
export function yamlLines(text: string, paths: readonly ValuePath[]): readonly number[] {
  const { document, lines } = read(text);
  return paths.map((path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line;
    }
    return 1;
  });
}

/** Whether the reader could use up its stack, which can end the whole worker. Counts brackets in strings too. */
function isTooDeep(text: string): boolean {
  if (/(?:[-?][ \t]+){50}/.test(text)) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > mostDepth) return true;
  }
  return false;
}

function losesDigits(value: unknown, source = ''): boolean {
  return typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
}

function read(text: string): Read {
  if (last?.text === text) return last;
  const lines = new LineCounter();
  const document = parseDocument(text, {
    ...{ lineCounter: lines, prettyErrors: false, uniqueKeys: true },
  });
  last = { text, document, lines };
  return last;
}

function bad(mistake: string, hint: string, line = 1): ParsedText {
  return { line, mistake, hint };
}
