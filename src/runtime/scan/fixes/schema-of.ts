/** Writes the schema of a parameter, in Python, from its annotation and the docstring of its function. */

import { pythonString } from '../../spec/python-literal.ts';
import type { WrittenFunction, WrittenParameter } from './spec-source.ts';

const plain: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
};

/** Characters of a docstring's line that are read. */
const longestLine = 1_000;

/** A schema in Python's spelling, such as `{"type": "string"}`. */
export function propertySchema(
  { name, annotation, fallback }: WrittenParameter,
  from: WrittenFunction,
): string {
  const parts = typeParts(annotation);
  const description = parameterDescription(from, name);
  if (description !== '') parts.push(`"description": ${pythonString(description)}`);
  if (fallback !== null && /^(-?\d+(\.\d+)?|True|False|"[^"\\]*"|'[^'\\]*')$/.test(fallback))
    parts.push(`"default": ${fallback}`);
  return `{${parts.join(', ')}}`;
}

/**
 * Returns the docstring's description of a parameter, in the styles of Google, NumPy and Sphinx;
 * empty if there is none.
 */
export function parameterDescription({ docstring }: WrittenFunction, name: string): string {
  const lines = docstring.split('\n').map((line) => line.slice(0, longestLine));
  // Names of properties may contain characters that have a meaning in a regular expression.
  const escapedName = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const start = new RegExp(
    `^\\s*(?::param\\s+(?:\\w+\\s+)?${escapedName}\\s*:|${escapedName}\\s*(?:\\([^)]*\\))?\\s*:)\\s*(.*)$`,
  );
  for (const [index, line] of lines.entries()) {
    const found = start.exec(line);
    if (found === null) continue;
    // NumPy writes `name : type`, and the text in the lines below.
    const isNumpy = new RegExp(`^\\s*${escapedName} : `).test(line);
    const description = isNumpy ? (lines[index + 1] ?? '') : (found[1] ?? '');
    if (description.trim() !== '') return description.trim();
  }
  return '';
}

/** The first paragraph of a docstring, on one line. */
export function summaryOf({ docstring }: WrittenFunction): string {
  const [first = ''] = docstring.split(/\n\s*\n/);
  return first.replace(/\s+/g, ' ').trim();
}

function typeParts(annotation: string): string[] {
  const inner = annotation
    .trim()
    .replace(/^(?:typing\.)?Optional\[(.*)\]$/s, '$1')
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== 'None' && part !== '');
  const [only = '', ...others] = inner;
  if (others.length > 0) {
    const types = inner.map((part) => plain[part]);
    return types.includes(undefined)
      ? []
      : [`"type": [${types.map((type) => `"${String(type)}"`).join(', ')}]`];
  }
  const known = plain[only];
  if (known !== undefined) return [`"type": "${known}"`];
  const items = /^(?:list|List|Sequence|Iterable)\[(\w+)\]$/.exec(only)?.[1];
  if (items !== undefined) {
    const itemType = plain[items];
    const itemSchema = itemType === undefined ? [] : [`"items": {"type": "${itemType}"}`];
    return ['"type": "array"', ...itemSchema];
  }
  if (/^(?:dict|Dict|Mapping)\[/.test(only)) return ['"type": "object"'];
  const values = /^(?:typing\.)?Literal\[(.*)\]$/s.exec(only)?.[1];
  return values === undefined ? [] : [`"enum": [${values}]`];
}
