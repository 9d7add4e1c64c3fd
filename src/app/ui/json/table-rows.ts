/**
 * Finds, filters, sorts and exports the rows of a table in a JSON text. Everything is done in small
 * steps, since a result may have 100,000 rows.
 */

import {
  type JsonNode,
  nodesIn,
  quote,
  skipSpace,
  stringEnd,
  stringValue,
  tokenEnd,
} from '../../../runtime/spec/json-tokens.ts';
import { slowLength } from '../parts/cut-text.ts';

/** The rows that were found so far; grows while {@link readRows} runs. */
export interface FoundRows {
  /** Name of the member that holds the list; null if the whole value is the list. */
  key: string | null;
  kind: 'object' | 'array';
  /** Range of each row in the text. */
  readonly starts: number[];
  readonly ends: number[];
  readonly columns: Set<string>;
  /** Whether rows or columns were left out. */
  cut: boolean;
}

const maxRows = 1_000_000;
const maxColumns = 1_000;
/** Limit of members of an object that are searched for a list. */
const maxMembers = 50;
/** The names of longer rows are not read, so that no step is long; characters. */
const maxNamedChars = 100_000;

/** Reads rows into `found`. Returns null if the text contains no table. */
export function* readRows(text: string, found: FoundRows): Generator<void, FoundRows | null> {
  const start = skipSpace(text, 0);
  if (text.charAt(start) === '[') return yield* readList(text, start, found);
  if (text.charAt(start) !== '{') return null;
  let at = skipSpace(text, start + 1);
  for (let members = 0; members < maxMembers && text.charCodeAt(at) === quote; members += 1) {
    const keyEnd = stringEnd(text, at);
    found.key = stringValue(text.slice(at, keyEnd));
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    if (text.charAt(value) === '[' && (yield* readList(text, value, found)) !== null) return found;
    at = skipSpace(text, skipSpace(text, yield* valueEnd(text, value)) + 1);
    yield;
  }
  return null;
}

export function noRows(): FoundRows {
  return { key: null, kind: 'object', starts: [], ends: [], columns: new Set(), cut: false };
}

function* readList(
  text: string,
  list: number,
  found: FoundRows,
): Generator<void, FoundRows | null> {
  const first = skipSpace(text, list + 1);
  const opening = text.charAt(first);
  if (opening !== '{' && opening !== '[') return null;
  found.kind = opening === '{' ? 'object' : 'array';
  let at = first;
  while (text.charAt(at) === opening) {
    if (found.starts.length === maxRows) {
      found.cut = true;
      return found;
    }
    const end = yield* valueEnd(text, at);
    if (end - at <= maxNamedChars) addColumns(text, at, end, found);
    else found.cut = true;
    found.starts.push(at);
    found.ends.push(end);
    at = skipSpace(text, skipSpace(text, end) + 1);
    yield;
  }
  // A value of another kind follows: the list is no table.
  if (text.charAt(at) !== '' && text.charAt(lastBefore(text, at)) === ',') {
    found.starts.length = 0;
    found.ends.length = 0;
    found.columns.clear();
    return null;
  }
  return found.columns.size === 0 ? null : found;
}

/** Offset of the last character before `at` that is no space. */
function lastBefore(text: string, at: number): number {
  let before = at - 1;
  while (before > 0 && text.charCodeAt(before) <= 0x20) before -= 1;
  return before;
}

function addColumns(text: string, start: number, end: number, found: FoundRows): void {
  if (found.columns.size >= maxColumns) {
    found.cut = true;
    return;
  }
  const level = nodesIn(text, { kind: found.kind, key: null, start, end }, maxColumns);
  if (level.more) found.cut = true;
  for (const { key } of level.nodes) {
    if (found.columns.size === maxColumns) break;
    found.columns.add(String(key));
  }
}

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Number of signs and strings that are read in one step. */
const stepTokens = 20_000;

/** The end of a value, in steps. */
function* valueEnd(text: string, start: number): Generator<void, number> {
  let depth = 0;
  let at = start;
  for (let tokens = 1; at < text.length; tokens += 1) {
    const code = text.charCodeAt(at);
    at = tokenEnd(text, at);
    if (code === openBrace || code === openBracket) depth += 1;
    else if (code === closeBrace || code === closeBracket) depth -= 1;
    if (depth <= 0) return at;
    if (tokens % stepTokens === 0) yield;
  }
  return text.length;
}

/** The exact texts of a row's cells, by column. */
export function cellsOf(text: string, found: FoundRows, row: number): Map<string, string> {
  const node: JsonNode = {
    kind: found.kind,
    key: null,
    start: found.starts[row] ?? 0,
    end: found.ends[row] ?? 0,
  };
  const { nodes } = nodesIn(text, node, maxColumns);
  return new Map(nodes.map(({ key, start, end }) => [String(key), text.slice(start, end)]));
}

/** A cell as it is shown: strings without quotes, other values with their exact spelling. */
export function cellText(cell: string): string {
  return cell.startsWith('"') ? stringValue(cell) : cell;
}

/** Limit of the characters of a cell that are shown. */
const cellChars = 300;
/** The least that this limit becomes, if all cells of a table together would take long to lay out. */
const leastCellChars = 4;
/** Limit of the characters of slow scripts in all cells of a table, since these are laid out together. */
const maxSlowChars = 16_000;

/** Returns how many characters of each cell are shown. @param cells as exact JSON */
export function charsPerCell(cells: Iterable<string>): number {
  let slow = 0;
  for (const cell of cells) slow += slowLength(cellText(cell).slice(0, cellChars));
  if (slow <= maxSlowChars) return cellChars;
  return Math.max(leastCellChars, Math.floor((cellChars * maxSlowChars) / slow));
}

const maxRowsPerPage = 100;
/** Limit of the cells that are laid out together: each change makes the browser lay out all cells of a table again. */
const maxCellsPerPage = 800;

/** Returns how many rows of a table are shown at a time. */
export function rowsPerPage(columns: number): number {
  const rows = Math.floor(maxCellsPerPage / Math.max(1, columns));
  return Math.max(1, Math.min(maxRowsPerPage, rows));
}

/** The rows of which a cell contains the words, in either case. */
export function* rowsWith(
  text: string,
  found: FoundRows,
  words: string,
): Generator<void, number[]> {
  const wanted = words.toLowerCase();
  const rows: number[] = [];
  for (let row = 0; row < found.starts.length; row += 1) {
    for (const cell of cellsOf(text, found, row).values()) {
      if (!cellText(cell).toLowerCase().includes(wanted)) continue;
      rows.push(row);
      break;
    }
    yield;
  }
  return rows;
}

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}

interface Sortable {
  readonly row: number;
  /** Numbers (0) come before texts (1), texts before other values (2); missing ones are last in both directions. */
  readonly rank: number;
  readonly value: number | string;
}

const missingRank = 3;
/** Characters of a text by which it is sorted. */
const sortedChars = 200;

/** The rows in the order of one column; equal ones stay in the order of the result. */
export function* sortRows(
  text: string,
  found: FoundRows,
  rows: readonly number[],
  { column, descending }: Sorting,
): Generator<void, number[]> {
  const keys: Sortable[] = [];
  for (const row of rows) {
    keys.push(toSortable(row, cellsOf(text, found, row).get(column)));
    yield;
  }
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const compareValues = (a: Sortable, b: Sortable): number => {
    if (a.rank !== b.rank) return a.rank - b.rank;
    return typeof a.value === 'number' && typeof b.value === 'number'
      ? a.value - b.value
      : collator.compare(String(a.value), String(b.value));
  };
  const sorted = yield* mergeSorted(keys, (a, b) => {
    const order = compareValues(a, b);
    const hasMissing = a.rank === missingRank || b.rank === missingRank;
    return descending && !hasMissing ? -order : order;
  });
  return sorted.map(({ row }) => row);
}

function toSortable(row: number, cell: string | undefined): Sortable {
  if (cell === undefined || cell === 'null') return { row, rank: missingRank, value: '' };
  if (/^[-\d]/.test(cell)) return { row, rank: 0, value: Number(cell) };
  return {
    row,
    rank: cell.startsWith('"') ? 1 : 2,
    value: cellText(cell.slice(0, sortedChars)).replace(/^"/, ''),
  };
}

/** A stable sort in small steps: the browser's own would take a long one. */
function* mergeSorted<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, T[]> {
  let from = [...items];
  for (let width = 1; width < from.length; width *= 2) {
    const into: T[] = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      const middle = Math.min(start + width, from.length);
      const end = Math.min(start + 2 * width, from.length);
      let left = start;
      let right = middle;
      while (left < middle || right < end) {
        const a = from[left] as T;
        const b = from[right] as T;
        const takesLeft = right >= end || (left < middle && compare(a, b) <= 0);
        into.push(takesLeft ? a : b);
        if (takesLeft) left += 1;
        else right += 1;
        yield;
      }
    }
    from = into;
  }
  return from;
}

/** Characters of a CSV file that are held as text before they become a part. */
const partChars = 1_000_000;

/** The rows as CSV (RFC 4180), in parts of about a million characters. */
export function* csvParts(
  text: string,
  found: FoundRows,
  rows: readonly number[],
): Generator<void, string[]> {
  const columns = [...found.columns];
  const parts: string[] = [];
  let part = `${columns.map((column) => csvText(column)).join(',')}\r\n`;
  for (const row of rows) {
    const cells = cellsOf(text, found, row);
    part += csvRow(columns.map((column) => cells.get(column)));
    if (part.length > partChars) {
      parts.push(part);
      part = '';
    }
    yield;
  }
  return [...parts, part];
}

function csvRow(cells: readonly (string | undefined)[]): string {
  // A spreadsheet with another comma reads the whole row as one cell, which a minus sign makes a formula. A text between
  // quotes cannot complete it.
  // @mutant CSV: no text completes a formula that a number of its row begins => cells[0]?.startsWith('-') === true ->
  //   false
  const quotes = cells[0]?.startsWith('-') === true;
  return `${cells.map((cell) => csvCell(cell, quotes)).join(',')}\r\n`;
}

function csvCell(cell: string | undefined, quotes: boolean): string {
  if (cell === undefined || cell === 'null') return '';
  if (/^[-\dtf]/.test(cell)) return cell;
  // Between the tokens of JSON, line breaks and tabs are only spaces.
  const text = cell.startsWith('"') ? stringValue(cell) : cell.replace(/[\t\r\n]+/g, ' ');
  return csvText(text, quotes);
}

/**
 * Finds the places where a spreadsheet could begin a formula. Spreadsheets in many countries split at semicolons or
 * tabs, even inside quotes, and then each line of a text is a row.
 */
const formulaStart =
  /[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B](?<=(?:^|[;|\t\r\n\v\f\x85\u2028\u2029])[\s"\p{Cc}\p{Cf}]*.)/gu;

function csvText(text: string, quotes = false): string {
  // @mutant CSV: text is not exported as a formula => without formulaStart, "'$&").replace(
  const safe = text.replace(formulaStart, "'$&").replace(/^[\t\r\n]/, "'$&");
  const quoted = quotes || /[",;|\p{Cc}\u2028\u2029]|^\s|\s$/u.test(safe);
  return quoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}
