/** Writes JSON as Python. */

import { nodesIn, rootNode, type JsonNode } from './json-tokens.ts';

const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** A JSON text as a Python expression on one line. */
export function pythonLiteral(text: string, node: JsonNode = rootNode(text)): string {
  const token = text.slice(node.start, node.end);
  const childNodes = (): readonly JsonNode[] => nodesIn(text, node, Number.POSITIVE_INFINITY).nodes;
  switch (node.kind) {
    case 'word':
      return words[token] ?? token;
    case 'number':
      return token;
    case 'string':
      return pythonString(String(JSON.parse(token)));
    case 'array':
      return `[${childNodes()
        .map((each) => pythonLiteral(text, each))
        .join(', ')}]`;
    case 'object':
      return `{${childNodes()
        .map((each) => `${pythonString(String(each.key))}: ${pythonLiteral(text, each)}`)
        .join(', ')}}`;
  }
}

/** JSON's escapes are valid in Python, except for surrogate pairs, which need no escape. */
export function pythonString(value: string): string {
  return JSON.stringify(value);
}
