/** Finds a table in a call's updates: equal objects, one a row; or the list of equal objects in the latest update. */

import { jsonTable } from '../../json/json-table.ts';
import type { Update } from '../../../../runtime/spec/result.ts';

/** Longer updates stay a log, since a live table is read again with each batch; characters. */
const maxChars = 100_000;
const maxRows = 100;

export interface UpdateTable {
  readonly columns: readonly string[];
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
}

/**
 * Null if the updates are no table.
 * @param newestFirst whether the latest update is the first row, where each update is one
 */
export function updateTable(updates: readonly Update[], newestFirst = false): UpdateTable | null {
  const latest = updates.at(-1)?.json ?? '';
  if (latest.startsWith('[')) {
    const table = latest.length > maxChars ? null : evenTable(latest);
    return (
      table && { ...table, rows: table.rows.map((cells, index) => ({ number: index + 1, cells })) }
    );
  }
  if (updates.length < 2 || !latest.startsWith('{')) return null;
  const shown = updates.slice(-maxRows);
  if (shown.reduce((sum, { json }) => sum + json.length, 0) > maxChars) return null;
  const table = evenTable(`[${shown.map(({ json }) => json).join(',')}]`);
  if (table === null) return null;
  const rows = table.rows.map((cells, index) => ({ number: (shown[index]?.n ?? 0) + 1, cells }));
  return { columns: table.columns, rows: newestFirst ? rows.reverse() : rows };
}

/** Reads only objects with the same keys: anything else is easier to read as a log. */
function evenTable(text: string): { columns: readonly string[]; rows: string[][] } | null {
  const table = /^\[\s*\{/.test(text) ? jsonTable(text, maxRows) : null;
  if (table === null) return null;
  const rows = table.rows.map((row) => row.filter((cell) => cell !== undefined));
  const isEven = rows.every((row) => row.length === table.columns.length);
  return isEven ? { columns: table.columns, rows } : null;
}
