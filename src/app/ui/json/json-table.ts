/** Finds a table in a JSON result: a list of objects or lists, at the top or one level below. */

import { nodesIn, rootNode, type JsonNode } from '../../../runtime/spec/json-nodes.ts';

export interface JsonTable {
  /** Name of the member that holds the list; null if the whole value is the list. */
  readonly key: string | null;
  readonly columns: readonly string[];
  /** Exact texts of the cells; undefined for missing ones. */
  readonly rows: readonly (readonly (string | undefined)[])[];
  /** Whether there are more rows or columns. */
  readonly more: boolean;
}

const maxColumns = 40;
/** Limit of members of an object that are searched for a list. */
const maxMembers = 50;

/** Reads at most `max` rows; null if the text contains no table. */
export function jsonTable(text: string, max: number): JsonTable | null {
  const root = rootNode(text);
  if (root.kind === 'array') return tableOf(text, root, max);
  if (root.kind !== 'object') return null;
  for (const member of nodesIn(text, root, maxMembers).nodes) {
    const table = member.kind === 'array' ? tableOf(text, member, max) : null;
    if (table !== null) return table;
  }
  return null;
}

function tableOf(text: string, list: JsonNode, max: number): JsonTable | null {
  const { nodes, more } = nodesIn(text, list, max);
  const [first] = nodes;
  const kind = first?.kind;
  if (kind !== 'object' && kind !== 'array') return null;
  if (nodes.some((node) => node.kind !== kind)) return null;
  const read = nodes.map((node) => nodesIn(text, node, maxColumns));
  const columns = [...new Set(read.flatMap((row) => row.nodes.map(({ key }) => String(key))))];
  if (columns.length === 0) return null;
  const shown = columns.slice(0, maxColumns);
  const rows = read.map((row) => {
    const cells = new Map(
      row.nodes.map(({ key, start, end }) => [String(key), text.slice(start, end)]),
    );
    return shown.map((column) => cells.get(column));
  });
  const wide = columns.length > shown.length || read.some((row) => row.more);
  return {
    key: typeof list.key === 'string' ? list.key : null,
    columns: shown,
    rows,
    more: more || wide,
  };
}
