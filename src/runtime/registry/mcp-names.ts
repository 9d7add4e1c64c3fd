/** Names of tools for MCP clients: the function's name where it is unique in the folder, otherwise the wire name. */

import { sha256Of } from '../spec/bytes.ts';
import { isLegalName, nameTable, wireName, type NameTable } from './provider-names.ts';

/** Clients put a server's name before a tool's, and models accept 64 characters. */
const maxChars = 48;
const hashDigits = 10;

export function mcpNames(ids: readonly string[]): Promise<NameTable> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(bareName(id), (counts.get(bareName(id)) ?? 0) + 1);
  return nameTable(ids, (id) =>
    counts.get(bareName(id)) === 1 && mayBeBare(bareName(id))
      ? Promise.resolve(bareName(id))
      : shortName(id),
  );
}

function bareName(id: string): string {
  return id.slice(id.lastIndexOf(':') + 1);
}

/** Names with `__` or a hash could be the wire names of other tools. */
function mayBeBare(name: string): boolean {
  return (
    isLegalName(name) &&
    name.length <= maxChars &&
    !name.includes('__') &&
    !/_h[0-9a-f]{10}$/.test(name)
  );
}

async function shortName(id: string): Promise<string> {
  const wire = await wireName(id);
  if (wire.length <= maxChars) return wire;
  const hash = (await sha256Of(new TextEncoder().encode(id))).slice(0, hashDigits);
  return `${wire.slice(0, maxChars - hashDigits - 2).replace(/_+$/, '')}_h${hash}`;
}
