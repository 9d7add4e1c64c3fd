/** Sets keys of a tool's spec in the text of its file, if they are written out there. */

import type { Json } from '../../spec/json.ts';
import { pythonString } from '../../spec/python-literal.ts';
import { addEntry } from './fix-for.ts';
import type { Fix, TextEdit } from './fix.ts';
import type { SpecSource } from './spec-source.ts';

/** The keys of a spec that models receive. */
export type ToldKey = 'description' | 'parameters' | 'returns';
export type SpecChange = Readonly<Partial<Record<ToldKey, Json>>>;

const longestLine = 80;

/** Returns null if the spec is not written out, or a value is computed and would be lost. */
export function specChange(source: SpecSource, tool: string, change: SpecChange): Fix | null {
  const spec = source.specNamed(tool);
  if (spec === null) return null;
  const edits: TextEdit[] = [];
  let appended = '';
  const label = `Change ${Object.keys(change).join(' and ')}`;
  const line = source.text.lastIndexOf('\n', spec.entries.at(-1)?.keyNode.from) + 1;
  const indent = /^[ \t]*/.exec(source.text.slice(line))?.[0] ?? '';
  for (const [key, value] of Object.entries(change)) {
    const text = pythonText(value, indent);
    const entry = source.entry(spec, key);
    if (entry === undefined) {
      const fix = addEntry(source, spec, `"${key}": ${text}`, label);
      appended += fix?.edits[0]?.insert ?? '';
      continue;
    }
    const { from, to, name } = entry.value;
    if (!literals.has(name) && source.of(entry.value) !== 'None') return null;
    edits.push({ from, to, insert: text });
  }
  const end = spec.entries.at(-1)?.value.to ?? spec.node.from + 1;
  if (appended !== '') {
    const last = edits.find(({ to }) => to === end);
    if (last === undefined) edits.push({ from: end, to: end, insert: appended });
    else edits.splice(edits.indexOf(last), 1, { ...last, insert: last.insert + appended });
  }
  return { label, edits: edits.sort((a, b) => a.from - b.from) };
}

/** Values that may be replaced as a whole; anything else may be used elsewhere. */
const literals = new Set([
  'String',
  'ContinuedString',
  'DictionaryExpression',
  'ParenthesizedExpression',
]);

/** A value in Python, over several lines if it is long. */
function pythonText(value: Json, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return pythonString(value);
  if (typeof value === 'number') return String(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => pythonText(one, inner))
    : Object.entries(value).map(([key, one]) => `${pythonString(key)}: ${pythonText(one, inner)}`);
  const open = isList ? '[' : '{';
  const close = isList ? ']' : '}';
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length + indent.length <= longestLine && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}
