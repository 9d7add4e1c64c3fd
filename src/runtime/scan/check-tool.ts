/** Checks a tool's schemas as far as Python does not. */

import type { Pacer } from '../async/pace.ts';
import { deeperThan, type Json, type JsonObject } from '../spec/json.ts';
import { isObject } from '../spec/guards.ts';
import type { Problem } from '../spec/folder.ts';
import { isPattern, schemaNodes } from '../spec/schema-walk.ts';
import type { Tool } from '../spec/tool.ts';
import { metaFaults, referenceFaults } from './schema-faults.ts';

/** The highest number of problems reported per schema. Further ones are seldom separate mistakes. */
const maxFaults = 5;

/** The highest nesting depth. Deeper schemas would overflow the stack of code that uses them. */
const deepest = 100;

/** Returns the problems of a tool's `parameters` and `returns`. If one is an error, the tool cannot be used. */
export async function checkTool(tool: Tool, pacer: Pacer): Promise<Problem[]> {
  const problems = await checkSchema(tool, 'parameters', tool.parameters, pacer);
  if (tool.returns === null) return problems;
  return [...problems, ...(await checkSchema(tool, 'returns', tool.returns, pacer))];
}

async function checkSchema(
  tool: Tool,
  key: 'parameters' | 'returns',
  schema: JsonObject,
  pacer: Pacer,
): Promise<Problem[]> {
  const problem = (severity: Problem['severity'], code: string, words: Words): Problem => ({
    severity,
    code,
    ...tool.source,
    ...words,
    message: `${tool.name}: ${words.message}`,
    tool: tool.name,
  });
  if (deeperThan(schema, deepest)) {
    return [
      problem('error', 'schema-too-deep', {
        message: `${key} is nested more than ${deepest} levels deep.`,
        expected: `a schema of at most ${deepest} levels`,
        hint: 'Put repeated parts in "$defs" and refer to them with "$ref".',
      }),
    ];
  }
  if (isPlainSchema(schema)) return [];
  const faults = await metaFaults(schema, maxFaults, pacer);
  const references = await referenceFaults(schema, maxFaults, pacer);
  const patterns = await patternFaults(schema, maxFaults, pacer);
  return [
    ...faults.map(({ path, message, hint }) =>
      problem('error', 'bad-schema', {
        message: `${place(key, path)}: ${message}.`,
        expected: 'a valid JSON Schema',
        hint,
      }),
    ),
    ...references.map(({ kind, path, reference }) => {
      const at = place(key, path);
      const name = `“${shorten(reference)}”`;
      if (kind === 'remote')
        return problem('warning', 'remote-reference', {
          message: `${at} points outside the schema, to ${name}: not checked.`,
          expected: 'references inside the schema',
          hint: 'Copy the target into "$defs" and refer to it there. Cloche does not load other schemas.',
        });
      if (kind === 'dynamic')
        return problem('warning', 'dynamic-reference', {
          message: `${at}: ${name} leads to a different schema on each path to it, so it is not checked.`,
          expected: 'a dynamic reference with one target, or one in the outermost schema',
          hint: 'Write the schemas out, each with a plain "$ref".',
        });
      return problem('error', 'bad-reference', {
        message: `${at}: ${name} leads ${kind === 'circular' ? 'back to itself' : 'nowhere'}.`,
        expected: 'a reference to a part of this schema, such as "#/$defs/name"',
        hint: 'Correct the reference, or define its target.',
      });
    }),
    ...patterns.map(({ path, pattern }) =>
      problem('warning', 'pattern', {
        message: `${place(key, path)}: “${shorten(pattern)}” is not a JavaScript regular expression: not checked.`,
        expected: 'a regular expression in JavaScript syntax, as JSON Schema requires',
        hint: 'Remove syntax that only Python supports, such as (?P<name>…), \\A, \\Z and (?i).',
      }),
    ),
  ];
}

type Words = Pick<Problem, 'message' | 'expected' | 'hint'>;

/** Formats a path in the way to access it, such as `parameters.properties["a b"].type`. */
function place(key: string, path: readonly string[]): string {
  const steps = path.map((step) => {
    if (/^[A-Za-z_$][\w$]*$/.test(step)) return `.${step}`;
    return /^\d+$/.test(step) ? `[${step}]` : `[${JSON.stringify(shorten(step))}]`;
  });
  return key + steps.join('');
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

interface PatternFault {
  /** Keys from the root schema to the pattern. */
  readonly path: readonly string[];
  readonly pattern: string;
}

/** Checks every `pattern` and every key of `patternProperties`. Returns at most `max` faults. */
export async function patternFaults(
  root: JsonObject,
  max: number,
  pacer: Pacer,
): Promise<PatternFault[]> {
  const faults: PatternFault[] = [];
  for (const { schema, path } of schemaNodes(root)) {
    if (pacer.mustRest()) await pacer.rest();
    const { pattern, patternProperties } = schema;
    const found = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    if (typeof pattern === 'string') found.unshift(pattern);
    for (const one of found) {
      if (isPattern(one)) continue;
      const keys = one === pattern ? ['pattern'] : ['patternProperties', one];
      faults.push({ path: [...path, ...keys], pattern: one });
      if (faults.length >= max) return faults;
    }
  }
  return faults;
}

/** Larger schemas get the full check, which pauses in between. */
const maxSchemas = 500;
const longestList = 200;

const types: ReadonlySet<unknown> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

type Check = (value: Json, room: Room) => boolean;

/** Number of schemas that may still be visited. */
interface Room {
  schemas: number;
}

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number';
const isSize: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isAnything: Check = () => true;
const isList: Check = (value) => Array.isArray(value);
const isNames: Check = (value) =>
  Array.isArray(value) &&
  value.length <= longestList &&
  value.every((name) => typeof name === 'string') &&
  new Set(value).size === value.length;
const isSchema: Check = (value, room) => isObject(value) && isPlain(value, room);
const isSchemaOrFlag: Check = (value, room) => isFlag(value, room) || isSchema(value, room);
const areSchemas: Check = (value, room) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isSchema(one, room));
const areNamedSchemas: Check = (value, room) =>
  isObject(value) && Object.values(value).every((one) => isSchema(one, room));

/** Keywords that mean the same in all drafts, and hold neither references nor patterns. */
const checks: ReadonlyMap<string, Check> = new Map([
  ['type', (value) => types.has(value)],
  ['title', isText],
  ['description', isText],
  ['default', isAnything],
  ['const', isAnything],
  ['enum', isList],
  ['examples', isList],
  ['properties', areNamedSchemas],
  ['required', isNames],
  ['additionalProperties', isSchemaOrFlag],
  ['items', isSchema],
  ['anyOf', areSchemas],
  ['oneOf', areSchemas],
  ['allOf', areSchemas],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['minLength', isSize],
  ['maxLength', isSize],
  ['minItems', isSize],
  ['maxItems', isSize],
  ['uniqueItems', isFlag],
]);

/**
 * Returns whether the schema is certainly valid, without references and patterns. False if only the full check can tell. Must not
 * be nested deeper than the stack allows.
 */
export function isPlainSchema(schema: JsonObject): boolean {
  return isPlain(schema, { schemas: maxSchemas });
}

function isPlain(schema: JsonObject, room: Room): boolean {
  room.schemas -= 1;
  if (room.schemas < 0) return false;
  for (const keyword of Object.keys(schema)) {
    const check = checks.get(keyword);
    if (check?.(schema[keyword] as Json, room) !== true) return false;
  }
  return true;
}
