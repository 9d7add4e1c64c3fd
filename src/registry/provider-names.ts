/** Names as providers of models accept them, and the way back. */

import { fields } from '../spec/guards.ts';
import type { JsonObject } from '../spec/json.ts';
import { nameTable, type NameTable } from './name-table.ts';

/** OpenAI takes at most 64 characters of `[A-Za-z0-9_-]`; what it takes, the others take. */
const longest = 64;
const slugLength = 52;
const hashDigits = 10;

/**
 * The wire name of a tool, a pure function of its id. `module__function` where that can be read
 * back without doubt, else a slug and the beginning of the id's hash. The first has `__` in it
 * once, the second never, so that the two kinds never meet.
 */
export async function wireName(id: string): Promise<string> {
  const [module = '', name = '', ...rest] = id.split(':');
  const readable =
    rest.length === 0 &&
    [module, name].every((part) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) && !part.includes('__')) &&
    !module.endsWith('_') &&
    !name.startsWith('_');
  const plain = `${module}__${name}`;
  return readable && plain.length <= longest ? plain : hashed(id);
}

/** The wire name of a parameter, by the same rule, for providers that limit those. */
export async function propertyWireName(key: string): Promise<string> {
  return /^[A-Za-z0-9_.-]{1,64}$/.test(key) ? key : hashed(key);
}

/**
 * A name that a model made up, as all providers take it back: itself where it is legal, else by the same rule, and never
 * that of a tool.
 */
export async function inventedName(said: string): Promise<string> {
  const legal = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(said);
  // What every object has, SDKs find in their tables of names.
  return legal && !(said in {}) ? said : hashed(said, `invented ${said}`);
}

/** The wire names of tools. */
export function toolNames(ids: Iterable<string>): Promise<NameTable> {
  return nameTable(ids, wireName);
}

/** The wire names of the parameters of a tool. */
export function propertyNames(parameters: JsonObject): Promise<NameTable> {
  return nameTable(Object.keys(fields(parameters.properties)), propertyWireName);
}

/** @param source of the hash */
async function hashed(id: string, source = id): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(source));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return `${slug(id)}_h${hex.join('').slice(0, hashDigits)}`;
}

function slug(id: string): string {
  const words = id.replace(/[^A-Za-z0-9-]+/g, '_').replace(/^_+|_+$/g, '');
  // Gemini wants a letter first.
  const named = /^[A-Za-z]/.test(words) ? words : `t_${words}`;
  return named.slice(0, slugLength).replace(/_+$/, '');
}
