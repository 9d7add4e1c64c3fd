/** A table of names on the wire and what they stand for, one for one. */

import { ToolError } from '../spec/error.ts';

export interface NameTable {
  /** The wire name of an id; undefined where it has none. */
  toWire(id: string): string | undefined;
  /** What a wire name stands for; undefined where it stands for nothing. */
  toId(wire: string): string | undefined;
  /** Pairs of id and wire name, to be saved: a saved table counts more than the rule that made it. */
  readonly entries: readonly (readonly [id: string, wire: string])[];
  /** Ids that have no wire name, since another has the same by the rule. */
  readonly refused: readonly string[];
}

/** Gives each id its wire name by a rule. Ids that would share one get none: nobody could tell them apart. */
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

/** A table as it was saved. Throws where it is not one for one. */
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
