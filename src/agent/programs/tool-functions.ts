/** The tools of a session as Python functions: the names under which a program calls them, and their documentation. */

import { asObject, asFields } from '../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../runtime/spec/json.ts';
import { pythonLiteral } from '../../runtime/spec/python-literal.ts';
import type { SelectedTool } from '../../runtime/spec/session.ts';

/** A tool that a program can call. */
export interface ProgramTool extends Pick<SelectedTool, 'name' | 'description' | 'parameters'> {
  /** Schema of its results; absent or null if unknown. */
  readonly returns?: JsonObject | null;
  /** The name by which the model knows the tool; absent in programs of the user. */
  readonly wire?: string | undefined;
}

/** A tool as the loader offers it to a program (workers/python/py/cloche/program_tools.py). */
export interface ToolFunction {
  /** The tool's id. */
  readonly name: string;
  readonly module: string;
  readonly function: string;
  /** The name by which the model knows the tool, as a name of Python; absent in programs of the user. */
  readonly wire?: string;
  /** Names of the parameters, in order: required ones first. */
  readonly parameters: readonly string[];
  /** The signature, and on further lines the description. */
  readonly doc: string;
}

/** Limit for the characters of one description. */
const maxDocChars = 4_000;
const maxTypeDepth = 3;

/** Names that a program cannot use: keywords, and globals that it has already. */
const reserved = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
import in is lambda nonlocal not or pass raise return try while with yield tools asyncio json ToolError`.split(
    /\s/,
  ),
);

/** The functions of the tools, each with names of its own. The same tools always get the same names. */
export function toolFunctions(tools: readonly ProgramTool[]): readonly ToolFunction[] {
  const taken = new Map<string, Set<string>>();
  const modules = new Map<string, string>();
  return tools.map((tool) => {
    const at = tool.name.indexOf(':');
    const [folder, own] =
      at < 0 ? ['tool', tool.name] : [tool.name.slice(0, at), tool.name.slice(at + 1)];
    const module =
      modules.get(folder) ??
      unusedName(toIdentifier(folder), new Set([...modules.values(), ...reserved]));
    modules.set(folder, module);
    const names = taken.get(module) ?? new Set(reserved);
    taken.set(module, names);
    const name = unusedName(toIdentifier(own), names);
    names.add(name);
    const parameters = parametersOf(tool.parameters);
    const doc = `${signature(name, tool)}\n\n${tool.description.slice(0, maxDocChars)}`;
    return {
      name: tool.name,
      module,
      function: name,
      ...(tool.wire === undefined ? {} : { wire: toIdentifier(tool.wire) }),
      parameters: parameters.map(([key]) => key),
      doc: `${doc}${parameterNotes(parameters)}`,
    };
  });
}

/** The signature as Python writes it, such as `async def f(city: str, days: int = 3) -> dict`. */
function signature(name: string, { parameters, returns = null }: ProgramTool): string {
  const required = requiredOf(parameters);
  const listed = parametersOf(parameters).map(([key, schema]) => {
    // A name that is no identifier can only be given as **{"the name": value}.
    const shown = isIdentifier(key) ? key : `**{${JSON.stringify(key)}}`;
    const typed = `${shown}: ${typeWords(schema)}`;
    if (required.has(key)) return typed;
    return `${typed} = ${schema.default === undefined ? '…' : toLiteral(schema.default)}`;
  });
  const result = returns === null ? '' : ` -> ${typeWords(returns)}`;
  return `async def ${name}(${listed.join(', ')})${result}`;
}

type Parameter = readonly [key: string, schema: JsonObject];

function parametersOf(schema: JsonObject): readonly Parameter[] {
  const required = requiredOf(schema);
  const all = Object.entries(asFields(schema.properties)).map(([key, value]): Parameter => [
    key,
    asObject(value ?? null),
  ]);
  return [
    ...all.filter(([key]) => required.has(key)),
    ...all.filter(([key]) => !required.has(key)),
  ];
}

function requiredOf({ required }: JsonObject): ReadonlySet<Json> {
  return new Set(Array.isArray(required) ? required : []);
}

function parameterNotes(parameters: readonly Parameter[]): string {
  const notes = parameters.flatMap(([key, { description }]) =>
    typeof description === 'string' && description !== ''
      ? [`- ${key}: ${description.slice(0, maxDocChars)}`]
      : [],
  );
  return notes.length === 0 ? '' : `\n\n${notes.join('\n')}`;
}

const types: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  array: 'list',
  object: 'dict',
};

function typeWord(type: Json | undefined): string {
  return (typeof type === 'string' ? types[type] : undefined) ?? 'Any';
}

/** A schema as a Python type, as far as Python can say it. */
function typeWords(schema: JsonObject, depth = 0): string {
  const { type, enum: values, anyOf, oneOf, items } = schema;
  if (Array.isArray(values) && values.length > 0 && values.length <= 10)
    return `Literal[${values.map(toLiteral).join(', ')}]`;
  const either = [anyOf, oneOf].find((one) => Array.isArray(one));
  if (Array.isArray(either) && depth < maxTypeDepth)
    return joinTypes(either.map((one) => typeWords(asObject(one), depth + 1)));
  if (Array.isArray(type)) return joinTypes(type.map(typeWord));
  const word = typeWord(type);
  if (word !== 'list' || depth >= maxTypeDepth) return word;
  const itemWords = typeWords(asObject(items ?? null), depth + 1);
  return itemWords === 'Any' ? word : `list[${itemWords}]`;
}

function toLiteral(value: Json): string {
  return pythonLiteral(JSON.stringify(value));
}

function joinTypes(words: readonly string[]): string {
  return words.length === 0 || words.includes('Any') ? 'Any' : [...new Set(words)].join(' | ');
}

/** ASCII only, since providers and fonts show other letters that look the same. */
function isIdentifier(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name);
}

function toIdentifier(name: string): string {
  if (isIdentifier(name) && !name.startsWith('__')) return name;
  const words = name.replace(/\W+/g, '_').replace(/^_+|_+$/g, '');
  const usable = /^[A-Za-z]/.test(words) ? words : `t_${words}`;
  return usable.slice(0, 100);
}

function unusedName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const one = n === 1 ? name : `${name}_${n}`;
    if (!taken.has(one)) return one;
  }
}
