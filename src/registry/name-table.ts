/** A one-to-one mapping between ids and their names on the wire. */

import { ToolError } from '../spec/error.ts';

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
