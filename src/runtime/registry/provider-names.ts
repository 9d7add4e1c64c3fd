/** Creates names that model providers accept. */

import { ToolError } from '../spec/error.ts';
import { asFields } from '../spec/guards.ts';
import type { JsonObject } from '../spec/json.ts';
import { sha256Of } from '../spec/bytes.ts';

/** OpenAI accepts at most 64 characters of `[A-Za-z0-9_-]`. The other providers accept at least that. */
const maxChars = 64;
const slugLength = 52;
const hashDigits = 10;

/**
 * Returns the wire name of a tool, which depends only on its id: `module__function` if that is unambiguous, otherwise a
 * slug with the start of the id's hash. The former contains `__` once and the latter never, so they cannot collide.
 */
export async function wireName(id: string): Promise<string> {
  const [module = '', name = '', ...rest] = id.split(':');
  const readable =
    rest.length === 0 &&
    [module, name].every((part) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) && !part.includes('__')) &&
    !module.endsWith('_') &&
    !name.startsWith('_');
  const plain = `${module}__${name}`;
  return readable && plain.length <= maxChars ? plain : hashedName(id);
}

/** Returns the wire name of a parameter, by the same rule, for providers that restrict parameter names. */
export async function propertyWireName(key: string): Promise<string> {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(key) ? key : hashedName(key);
}

/**
 * Returns a wire name for a tool name that a model made up: the name itself if all providers accept it,
 * otherwise by the same rule. It is never the name of a tool.
 */
export async function inventName(name: string): Promise<string> {
  return isLegalName(name) ? name : hashedName(name, `invented ${name}`);
}

/** Returns whether all providers accept a name in an earlier call. */
export function isLegalName(name: string): boolean {
  // Names such as `constructor` exist in every object, so SDKs would find them in their tables.
  // @mutant prototype names are not valid tool names => without && !(name in {})
  //   [src/agent/providers/wire/names.test.ts]
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) && !(name in {});
}

export function toolNames(ids: Iterable<string>): Promise<NameTable> {
  return nameTable(ids, wireName);
}

/** Returns the wire names of a tool's parameters. */
export function propertyNames(parameters: JsonObject): Promise<NameTable> {
  return nameTable(Object.keys(asFields(parameters.properties)), propertyWireName);
}

/** @param source what the hash is computed from */
async function hashedName(id: string, source = id): Promise<string> {
  const hex = await sha256Of(new TextEncoder().encode(source));
  // @mutant names on the wire have a hash => `${slug(id)}_h${hex.slice(0, hashDigits)}` -> slug(id) + hex.slice(0, 0)
  return `${slug(id)}_h${hex.slice(0, hashDigits)}`;
}

function slug(id: string): string {
  const words = id.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+|_+$/g, '');
  // Gemini requires a letter first.
  const named = /^[A-Za-z]/.test(words) ? words : `t_${words}`;
  return named.slice(0, slugLength).replace(/_+$/, '');
}

/** A one-to-one mapping between ids and their names on the wire. */
export interface NameTable {
  /** Returns the wire name of an id; undefined if it has none. */
  toWire(id: string): string | undefined;
  /** Returns the id for a wire name; undefined if it is unknown. */
  toId(wire: string): string | undefined;
  /** Pairs of id and wire name, for storage. A stored table takes precedence over the rule that created it. */
  readonly entries: readonly (readonly [id: string, wire: string])[];
  /** Ids without a wire name, because another id would get the same. */
  readonly refused: readonly string[];
}

/**
 * Gives each id its wire name by a rule. Ids that would share a name get none, because they could not be told apart.
 */
export async function nameTable(
  ids: Iterable<string>,
  rule: (id: string) => Promise<string>,
): Promise<NameTable> {
  const holders = new Map<string, string[]>();
  const all = [...new Set(ids)];
  const wires = await Promise.all(all.map(rule));
  for (const [index, wire] of wires.entries()) {
    holders.set(wire, [...(holders.get(wire) ?? []), all[index] ?? '']);
  }
  const entries: [string, string][] = [];
  const refused: string[] = [];
  for (const [wire, [id = '', ...others]] of holders) {
    // @mutant two tools of one name on the wire have none => others.length === 0 -> id
    if (others.length === 0) entries.push([id, wire]);
    else refused.push(id, ...others);
  }
  return tableOf(entries, refused);
}

/** Restores a stored table. @throws {ToolError} if it is not one-to-one */
export function savedNameTable(entries: Iterable<readonly [id: string, wire: string]>): NameTable {
  return tableOf([...entries], []);
}

function tableOf(
  entries: readonly (readonly [id: string, wire: string])[],
  refused: readonly string[],
): NameTable {
  const wires = new Map(entries);
  const ids = new Map(entries.map(([id, wire]) => [wire, id]));
  if (wires.size !== entries.length || ids.size !== entries.length) {
    throw new ToolError(
      'bad-input',
      'A saved table of tool names has a duplicate name.',
      'Start a new session to create a new table.',
    );
  }
  return {
    toWire: (id) => wires.get(id),
    toId: (wire) => ids.get(wire),
    entries,
    refused,
  };
}
