/** Finds the tool that a model means if it calls a tool by another name than the one it was given. */

import type { NameTable } from '../../runtime/registry/provider-names.ts';
import { isBuiltIn } from '../../runtime/spec/tool.ts';

/** Limit for the characters of a name. */
export const maxNameChars = 1_000;
/** Namespaces that models put before the names of tools. */
const namespace = /^(?:functions?|tools?|default_api|api|mcp)(?:::|[.:/]|__)/i;
/** Text that models add to a name: the number of a call, the next token, brackets, quotes. */
const decoration = /^["'`\s]+|(?::\d+|\(\)|<\|.*|["'`\s]+)$/gs;

/** Returns the id of the one tool that the name can mean; empty if there is none, or more than one. */
export function findCalledTool(called: string, names: NameTable['entries']): string {
  if (called.length > maxNameChars) return '';
  const plain = called.replace(decoration, '');
  for (const name of [called, plain, plain.replace(namespace, '')]) {
    if (isBuiltIn(name)) return name;
    const entry = names.find(([, wire]) => wire === name) ?? names.find(([id]) => id === name);
    if (entry !== undefined) return entry[0];
    for (const keyOf of [exactKey, looseKey]) {
      const key = keyOf(name);
      if (key === '') continue;
      const meant = names.filter(([id, wire]) =>
        [id, wire, id.slice(id.lastIndexOf(':') + 1)].some((known) => keyOf(known) === key),
      );
      if (meant.length > 0) return meant.length === 1 ? (meant[0]?.[0] ?? '') : '';
    }
  }
  return '';
}

/** The name with every separator the same. */
function exactKey(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_|_$/g, '');
}

/** The name without separators, in lower case. */
function looseKey(name: string): string {
  return name.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
