/** Reads YAML, and finds the lines of its values. Runs in a worker, since a short text can take very long. */

import { Lexer, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { ParsedText, ValuePath } from '../../../runtime/protocol/yaml.ts';
import { errorText } from '../../../runtime/spec/error.ts';

/** Longer or deeper texts would take very long, or overflow the stack, which can end the whole worker. */
const maxTokens = 60_000;
const maxLevels = 100;
/** Uses of an alias: they can multiply a short text. */
const maxAliasCount = 20;
const maxInexact = 50;

interface Read {
  readonly text: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/** The last text, whose lines are asked for after it was parsed. */
let last: Read | null = null;

export function parseYaml(text: string): ParsedText {
  try {
    const excess = tooMuch(new Lexer().lex(text));
    if (excess !== null) return { excess };
    const { document, lines } = read(text);
    const [mistake] = document.errors;
    if (mistake !== undefined)
      return bad(mistake.message, 'Write JSON or YAML.', lines.linePos(mistake.pos[0]).line);
    const inexact: { readonly line: number; readonly number: string }[] = [];
    visit(document, {
      Scalar(_, { value, source = '', range }) {
        if (typeof value !== 'number' || !/^-?\d+$/.test(source) || Number.isSafeInteger(value))
          return;
        if (inexact.length < maxInexact)
          inexact.push({ line: lines.linePos(range?.[0] ?? 0).line, number: source.slice(0, 50) });
      },
    });
    return { value: document.toJS({ maxAliasCount }) as unknown, inexact };
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

/** Returns what the text has too much of; null if it may be parsed. @param tokens of YAML */
function tooMuch(tokens: Iterable<string>): string | null {
  let count = 0;
  let flow = 0;
  /** Lists that begin one in another on the same line. */
  let inLine = 0;
  for (const token of tokens) {
    count += 1;
    if (token === '[' || token === '{') flow += 1;
    if (token === ']' || token === '}') flow -= 1;
    if (token === '\n' || token === '\r\n') inLine = 0;
    if (token === '-' || token === '?') inLine += 1;
    if (count > maxTokens) return 'has too many values';
    if (flow > maxLevels || inLine > maxLevels) return 'is nested too deeply';
  }
  return null;
}

function read(text: string): Read {
  if (last?.text === text) return last;
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
  });
  last = { text, document, lines };
  return last;
}

function bad(mistake: string, hint: string, line = 1): ParsedText {
  return { line, mistake, hint };
}
