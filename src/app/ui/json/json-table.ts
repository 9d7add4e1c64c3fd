/** Finds a table in JSON: in a result, a list of objects or lists; in the updates of a call, objects with the same keys. */

import { type JsonNode, nodesIn, rootNode } from '../../../runtime/spec/json-tokens.ts';
import type { Update } from '../../../runtime/spec/result.ts';

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

/** Finds a list of objects or lists, at the top or one level below. Reads at most `max` rows; null if there is no table. */
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

/** Longer updates stay a log, since a live table is read again with each batch; characters. */
const maxUpdateChars = 100_000;
const maxUpdateRows = 100;

export interface UpdateTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
}

/**
 * Returns the table in a call's updates; null if there is none. Either each update is a row, and all have the same keys, or
 * the latest update is a list of objects with the same keys.
 * @param newestFirst whether the latest update is the first row, if each update is a row
 */
export function updateTable(updates: readonly Update[], newestFirst = false): UpdateTable | null {
  const latest = updates.at(-1)?.json ?? '';
  if (latest.startsWith('[')) {
    const table = latest.length > maxUpdateChars ? null : evenTable(latest);
    return (
      table && { ...table, rows: table.rows.map((cells, index) => ({ number: index + 1, cells })) }
    );
  }
  if (updates.length < 2 || !latest.startsWith('{')) return null;
  const shown = updates.slice(-maxUpdateRows);
  if (shown.reduce((sum, { json }) => sum + json.length, 0) > maxUpdateChars) return null;
  const table = evenTable(`[${shown.map(({ json }) => json).join(',')}]`);
  if (table === null) return null;
  const rows = table.rows.map((cells, index) => ({ number: (shown[index]?.n ?? 0) + 1, cells }));
  return { columns: table.columns, rows: newestFirst ? rows.reverse() : rows };
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

/** Reads only objects with the same keys: anything else is easier to read as a log. */
function evenTable(text: string): { columns: readonly string[]; rows: string[][] } | null {
  const table = /^\[\s*\{/.test(text) ? jsonTable(text, maxUpdateRows) : null;
  if (table === null) return null;
  const rows = table.rows.map((row) => row.filter((cell) => cell !== undefined));
  const isEven = rows.every((row) => row.length === table.columns.length);
  return isEven ? { columns: table.columns, rows } : null;
}
