/** Mechanical remedies for problems of tool files: each edits the text of the file. */

import type { Problem } from '../../spec/folder.ts';
import { pythonString } from '../../spec/python-literal.ts';
import { parameterDescription, propertySchema, summaryOf } from './schema-of.ts';
import { findMissingPackage, type Fix, packageFix, type TextEdit } from './fix.ts';
import {
  specKeys,
  type SpecSource,
  type WrittenDict,
  type WrittenFunction,
} from './spec-source.ts';

/** Returns whether there may be a fix for such problems, without reading the file. */
export function mayHaveFix(problem: Problem): boolean {
  const { code, line } = problem;
  return line !== null && (code in fixers || findMissingPackage(problem) !== null);
}

/**
 * Returns the remedy for a problem of this text, if it is certain what to write.
 * @param at where the problem is in the text, if that has changed since it was found
 */
export function fixFor(source: SpecSource, problem: Problem, at?: number): Fix | null {
  const missing = findMissingPackage(problem);
  if (missing !== null) return packageFix(source.text, missing);
  const fixer = fixers[problem.code];
  if (fixer === undefined || problem.line === null) return null;
  const offset = at ?? offsetOf(source.text, problem.line, problem.column ?? 1);
  const spec = offset === null ? null : source.specAt(offset);
  if (spec === null) return null;
  return fixer({ source, spec, problem, handler: handlerOf(source, spec) });
}

/**
 * Returns the edit that adds an example to the spec of a tool; null if the spec or its examples are not written out, or
 * have this one.
 * @param example the arguments as a Python dict
 */
export function exampleFix(source: SpecSource, tool: string, example: string): Fix | null {
  const spec = source.specNamed(tool);
  if (spec === null) return null;
  const label = 'Add to the examples';
  const list = source.entry(spec, 'examples')?.value;
  if (list === undefined) return addEntry(source, spec, `"examples": [${example}]`, label);
  if (list.name !== 'ArrayExpression') return null;
  const items = list.getChildren('DictionaryExpression');
  if (items.some((item) => source.of(item) === example)) return null;
  const at = items.at(-1)?.to ?? list.from + 1;
  const insert = `${items.length === 0 ? '' : ', '}${example}`;
  return { label, edits: [{ from: at, to: at, insert }] };
}

interface Asked {
  readonly source: SpecSource;
  readonly spec: WrittenDict;
  readonly problem: Problem;
  /** The function that the spec names; null if the file does not define it. */
  readonly handler: WrittenFunction | null;
}

type Fixer = (asked: Asked) => Fix | null;

const fixers: Readonly<Record<string, Fixer>> = {
  'unknown-key': ({ source, spec, problem }) => {
    const near = /^Did you mean ["'](\w+)["']\?/.exec(problem.hint)?.[1];
    const key = quotedNames(problem.message)[0];
    if (near === undefined || key === undefined || !(near in specKeys)) return null;
    return renameKeyFix(source, spec, key, near);
  },
  'missing-key': (asked) => {
    const [, key, wrong] =
      /^Did you mean '(\w+)' instead of '([^']+)'\?/.exec(asked.problem.hint) ?? [];
    if (key !== undefined && wrong !== undefined)
      return renameKeyFix(asked.source, asked.spec, wrong, key);
    const missing = /has no '(\w+)'/.exec(asked.problem.message)?.[1] ?? '';
    const value = missingValue(asked, missing);
    return value === null
      ? null
      : addEntry(asked.source, asked.spec, `"${missing}": ${value}`, `Add "${missing}"`);
  },
  'bad-name': ({ source, spec, problem, handler }) => {
    const [, advised] = /Write (?:"name": )?"([^"]+)"/.exec(problem.hint) ?? [];
    const entry = source.entry(spec, 'name');
    const name = advised?.replace('<function>', handler?.name ?? '<function>');
    if (entry === undefined || name === undefined || /[<>]/.test(name)) return null;
    return {
      label: `Change to "${name}"`,
      edits: [{ ...place(entry.value), insert: `"${name}"` }],
    };
  },
  'bad-description': ({ source, spec, handler }) => {
    const summary = handler === null ? '' : summaryOf(handler);
    const entry = source.entry(spec, 'description');
    if (entry === undefined || summary === '') return null;
    const edit = { ...place(entry.value), insert: pythonString(summary) };
    return { label: 'Use the docstring', edits: [edit] };
  },
  'bad-handler': ({ source, spec }) => {
    const value = source.entry(spec, 'handler')?.value;
    if (value === undefined) return null;
    const written = source.of(value);
    const name = source.string(value) ?? /^(\w+)\(\)$/.exec(written)?.[1];
    if (name === undefined || !source.functions().some((one) => one.name === name)) return null;
    return { label: `Change to ${name}`, edits: [{ ...place(value), insert: name }] };
  },
  'bad-parameters': (asked) => {
    const { source, spec, problem } = asked;
    const entry = source.entry(spec, 'parameters');
    const dict = source.dictOf(spec, 'parameters');
    const type = source.entry(dict, 'type');
    if (entry === undefined) return null;
    if (problem.message.startsWith('the type of parameters is') && type !== undefined)
      return {
        label: 'Change the type to "object"',
        edits: [{ ...place(type.value), insert: '"object"' }],
      };
    const wantsType = problem.message === 'parameters has no type';
    if (problem.message === 'parameters is empty' || source.of(entry.value) === 'None') {
      const schema = missingValue(asked, 'parameters') ?? '{"type": "object", "properties": {}}';
      return {
        label: 'Generate the schema from the signature',
        edits: [{ ...place(entry.value), insert: schema }],
      };
    }
    if (!wantsType || dict === null || type !== undefined) return null;
    if (source.entry(dict, 'properties') !== undefined || dict.entries.length === 0)
      return addEntry(source, dict, '"type": "object"', 'Add "type": "object"', 'first');
    // A dict whose values are all dicts is taken for the parameters themselves.
    if (!dict.entries.every(({ value }) => value.name === 'DictionaryExpression')) return null;
    return {
      label: 'Move the parameters into "properties"',
      edits: [
        { from: dict.node.from, to: dict.node.from, insert: '{"type": "object", "properties": ' },
        { from: dict.node.to, to: dict.node.to, insert: '}' },
      ],
    };
  },
  'parameter-not-in-schema': ({ source, spec, problem, handler }) => {
    const parameter = handler?.parameters.find((one) =>
      quotedNames(problem.message).includes(one.name),
    );
    const schema = source.dictOf(spec, 'parameters');
    if (handler === null || parameter === undefined || schema === null) return null;
    const property = `"${parameter.name}": ${propertySchema(parameter, handler)}`;
    const properties = source.dictOf(schema, 'properties');
    const label = `Add "${parameter.name}" to the schema`;
    // Properties that are not written as a dict cannot be added to.
    if (properties === null && source.entry(schema, 'properties') !== undefined) return null;
    const fix =
      properties === null
        ? addEntry(source, schema, `"properties": {${property}}`, label)
        : addEntry(source, properties, property, label);
    if (fix === null || parameter.fallback !== null) return fix;
    const need = requireParameterEdits(source, schema, parameter.name);
    if (need === null) return null;
    const edits = [...fix.edits, ...need].sort((a, b) => a.from - b.from);
    // Two edits at the end of the same dict become one.
    if (edits[0]?.from === edits[1]?.from) {
      const insert = `${fix.edits[0]?.insert ?? ''}${need[0]?.insert ?? ''}`;
      return { label, edits: [{ ...place(edits[0] ?? need[0] ?? spec.node), insert }] };
    }
    return { label, edits };
  },
  'parameter-not-taken': ({ source, spec, problem }) => {
    const near = /^Did you mean ["'](\w+)["']\?/.exec(problem.hint)?.[1];
    const name = quotedNames(problem.message)[0];
    const schema = source.dictOf(spec, 'parameters');
    const properties = source.dictOf(schema, 'properties');
    if (near === undefined || name === undefined || properties === null) return null;
    const fix = renameKeyFix(source, properties, name, near);
    const listed = requiredItem(source, schema, name);
    if (fix === null || listed === null) return fix;
    const edits = [...fix.edits, { ...place(listed), insert: `"${near}"` }];
    return { ...fix, edits: edits.sort((a, b) => a.from - b.from) };
  },
  'required-has-default': ({ source, spec, problem }) => {
    const name = quotedNames(problem.message)[0] ?? '';
    const item = requiredItem(source, source.dictOf(spec, 'parameters'), name);
    if (item === null) return null;
    // The comma behind the item is removed too, or the one before it if it is the last item.
    const after = /^\s*,\s*/.exec(source.text.slice(item.to))?.[0].length ?? 0;
    const before = /,\s*$/.exec(source.text.slice(0, item.from))?.[0].length ?? 0;
    const edit = { from: item.from - (after === 0 ? before : 0), to: item.to + after, insert: '' };
    return { label: `Remove "${name}" from required`, edits: [edit] };
  },
  'not-required': ({ source, spec, problem }) => {
    const name = quotedNames(problem.message)[0];
    const schema = source.dictOf(spec, 'parameters');
    const edits =
      name === undefined || schema === null ? null : requireParameterEdits(source, schema, name);
    return edits === null ? null : { label: `Add "${String(name)}" to required`, edits };
  },
  'required-unknown': ({ source, spec, problem }) => {
    const near = /^Did you mean ["'](\w+)["']\?/.exec(problem.hint)?.[1];
    const name = quotedNames(problem.message)[0] ?? '';
    const item = requiredItem(source, source.dictOf(spec, 'parameters'), name);
    if (near === undefined || item === null) return null;
    return { label: `Change to "${near}"`, edits: [{ ...place(item), insert: `"${near}"` }] };
  },
  'no-description': ({ source, spec, problem, handler }) => {
    const properties = source.dictOf(source.dictOf(spec, 'parameters'), 'properties');
    if (handler === null || properties === null) return null;
    const edits = quotedNames(problem.message).flatMap((name) => {
      const property = source.dictOf(properties, name);
      const description = parameterDescription(handler, name);
      if (property === null || description === '') return [];
      return (
        addEntry(source, property, `"description": ${pythonString(description)}`, '')?.edits ?? []
      );
    });
    return edits.length === 0 ? null : { label: 'Use the docstring', edits };
  },
};

function missingValue({ source, problem, handler, spec }: Asked, key: string): string | null {
  const stem = problem.file.replace(/\.py$/, '');
  if (key === 'handler') {
    const name = source.entry(spec, 'name');
    const named = name === undefined ? null : source.string(name.value);
    const [, inName] = named?.split(':') ?? [];
    return source.functions().find((one) => one.name === inName)?.name ?? null;
  }
  if (handler === null) return null;
  if (key === 'name') return /^[\w-]+$/.test(stem) ? `"${stem}:${handler.name}"` : null;
  if (key === 'description') {
    const summary = summaryOf(handler);
    return summary === '' ? null : pythonString(summary);
  }
  if (key !== 'parameters') return null;
  const taken = handler.parameters.filter(
    ({ name }) => name !== 'context' && !name.startsWith('_'),
  );
  const properties = taken.map((one) => `"${one.name}": ${propertySchema(one, handler)}`);
  const needs = taken.filter(({ fallback }) => fallback === null).map(({ name }) => `"${name}"`);
  const required = needs.length === 0 ? '' : `, "required": [${needs.join(', ')}]`;
  return `{"type": "object", "properties": {${properties.join(', ')}}${required}}`;
}

/** The function that the spec's handler names, or its name if it has no handler. */
function handlerOf(source: SpecSource, spec: WrittenDict): WrittenFunction | null {
  const handler = source.entry(spec, 'handler')?.value;
  const name = source.entry(spec, 'name')?.value;
  const wanted =
    handler === undefined
      ? name === undefined
        ? undefined
        : source.string(name)?.split(':').at(-1)
      : source.of(handler);
  return source.functions().find((one) => one.name === wanted) ?? null;
}

function renameKeyFix(source: SpecSource, dict: WrittenDict, from: string, to: string): Fix | null {
  const entry = source.entry(dict, from);
  if (entry === undefined || source.entry(dict, to) !== undefined) return null;
  return { label: `Change to "${to}"`, edits: [{ ...place(entry.keyNode), insert: `"${to}"` }] };
}

/** Adds an entry to a dict, in the layout of its other entries. */
export function addEntry(
  source: SpecSource,
  { node, entries }: WrittenDict,
  entry: string,
  label: string,
  where: 'first' | 'last' = 'last',
): Fix | null {
  const last = entries.at(-1);
  const [first] = entries;
  if (last === undefined || first === undefined || where === 'first') {
    const space = first === undefined ? '' : source.text.slice(node.from + 1, first.keyNode.from);
    const insert = first === undefined ? entry : `${space}${entry},${space === '' ? ' ' : ''}`;
    return { label, edits: [{ from: node.from + 1, to: node.from + 1, insert }] };
  }
  const line = source.text.lastIndexOf('\n', last.keyNode.from) + 1;
  const indent = source.text.slice(line, last.keyNode.from);
  const separator = indent.trim() === '' && line > node.from ? `,\n${indent}` : ', ';
  return { label, edits: [{ from: last.value.to, to: last.value.to, insert: separator + entry }] };
}

function requiredItem(
  source: SpecSource,
  schema: WrittenDict | null,
  name: string,
): { from: number; to: number } | null {
  const list = source.entry(schema, 'required')?.value;
  return list?.getChildren('String').find((one) => source.string(one) === name) ?? null;
}

/** Lists a parameter in `required`. */
function requireParameterEdits(
  source: SpecSource,
  schema: WrittenDict,
  name: string,
): readonly TextEdit[] | null {
  const list = source.entry(schema, 'required')?.value;
  if (list === undefined)
    return addEntry(source, schema, `"required": ["${name}"]`, '')?.edits ?? null;
  if (list.name !== 'ArrayExpression') return null;
  const last = list.getChildren('String').at(-1);
  const at = last === undefined ? list.from + 1 : last.to;
  return [{ from: at, to: at, insert: `${last === undefined ? '' : ', '}"${name}"` }];
}

function place({ from, to }: { from: number; to: number }): { from: number; to: number } {
  return { from, to };
}

/** Names that a message quotes, as Python writes them. */
function quotedNames(message: string): string[] {
  return Array.from(message.matchAll(/(["'])([^"'\\]+)\1/g), ([, , name = '']) => name);
}

/** The offset of a line and column, both from 1; columns count characters. Null past the end. */
export function offsetOf(text: string, line: number, column: number): number | null {
  let at = 0;
  for (let number = 1; number < line; number += 1) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return null;
  }
  const end = text.indexOf('\n', at);
  const whole = text.slice(at, end === -1 ? text.length : end);
  // Characters beyond the basic plane have two units in JavaScript.
  return (
    at +
    Array.from(whole.slice(0, column * 2))
      .slice(0, column - 1)
      .join('').length
  );
}
