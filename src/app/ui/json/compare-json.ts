/**
 * Compares JSON values structurally: which members differ, with equal ones folded. The comparison
 * runs in small steps, within limits.
 */

import {
  type JsonNode,
  nodesIn,
  rootNode,
  stringValue,
} from '../../../runtime/spec/json-tokens.ts';
import { pointerTo } from './json-marks.ts';

export type CompareRow =
  /** Values that differ; undefined where there is none. */
  | {
      readonly is: 'different';
      readonly pointer: string;
      readonly depth: number;
      readonly key: string;
      readonly values: readonly (string | undefined)[];
      /** Both texts, if two texts with several lines differ; else null. */
      readonly lines: readonly [string, string] | null;
    }
  /** An object or list with differences inside, which follow. */
  | {
      readonly is: 'around';
      readonly pointer: string;
      readonly depth: number;
      readonly key: string;
    }
  /** Neighbours that are equal in all values. */
  | {
      readonly is: 'equal';
      readonly pointer: string;
      readonly depth: number;
      readonly members: readonly { readonly key: string; readonly value: string }[];
    };

export interface Comparison {
  readonly rows: readonly CompareRow[];
  /** Whether something was not compared in detail because of a limit. */
  readonly cut: boolean;
}

/** Longer values are not compared in detail; characters of all together. */
export const maxChars = 2_000_000;
const maxNodes = 20_000;
const maxRows = 2_000;
const maxMembers = 5_000;
const deepest = 40;
/** Characters of a value that a row holds. */
const shownChars = 1_000;
/** Characters of all texts whose lines are compared. */
const maxLineChars = 500_000;

interface Place {
  readonly key: string;
  readonly pointer: string;
  readonly depth: number;
  /** The nodes of the place, one for each text. */
  readonly nodes: readonly (JsonNode | undefined)[];
}

/** Compares valid JSON texts. */
export function* compareJson(texts: readonly string[]): Generator<void, Comparison> {
  const rows: CompareRow[] = [];
  let nodesLeft = maxNodes;
  let lineCharsLeft = maxLineChars;
  let cut = texts.reduce((sum, text) => sum + text.length, 0) > maxChars;
  const isTooLong = cut;
  const root = { key: '', pointer: '', depth: 0, nodes: texts.map((text) => rootNode(text)) };
  yield* visit(root);
  return { rows, cut };

  /** Adds the rows of a place. @returns whether it is equal in all texts */
  function* visit(place: Place): Generator<void, boolean> {
    yield;
    const { key, pointer, depth, nodes } = place;
    const values = nodes.map((node, index) => node && textOf(index, node));
    nodesLeft -= 1;
    if (values.every((value) => value === values[0])) {
      addEqual(place, values[0] ?? '');
      return true;
    }
    const kinds = new Set(nodes.map((node) => node?.kind ?? 'none'));
    const [kind = 'none'] = kinds;
    const isNested = kinds.size === 1 && (kind === 'object' || kind === 'array');
    if (isNested && (nodesLeft <= 0 || depth === deepest || isTooLong)) cut = true;
    else if (isNested) {
      const before = rows.length;
      rows.push({ is: 'around', pointer, depth, key });
      const members = kind === 'object' ? byKey(place) : byPosition(place);
      let isSame = true;
      for (const member of members) isSame = (yield* visit(member)) && isSame;
      if (!isSame) return false;
      // Only spaces or the order of members differ.
      rows.length = before;
      addEqual(place, values[0] ?? '');
      return true;
    }
    if (rows.length >= maxRows) cut = true;
    else
      rows.push({
        is: 'different',
        pointer,
        depth,
        key,
        values: values.map((value) => shortenValue(value)),
        lines: kinds.size === 1 && kind === 'string' ? linesOf(values) : null,
      });
    return false;
  }

  /** @param values JSON strings */
  function linesOf(values: readonly (string | undefined)[]): readonly [string, string] | null {
    const [before, after] = values;
    if (before === undefined || after === undefined || values.length > 2) return null;
    const length = before.length + after.length;
    if (length > lineCharsLeft || !(before + after).includes('\\n')) return null;
    lineCharsLeft -= length;
    return [stringValue(before), stringValue(after)];
  }

  function textOf(index: number, { start, end }: JsonNode): string {
    return (texts[index] ?? '').slice(start, end);
  }

  function addEqual({ key, pointer, depth }: Place, value: string): void {
    const member = { key, value: shortenValue(value) ?? '' };
    const last = rows.at(-1);
    if (
      last?.is === 'equal' &&
      last.depth === depth &&
      parentOf(last.pointer) === parentOf(pointer)
    )
      rows[rows.length - 1] = { ...last, members: [...last.members, member] };
    else rows.push({ is: 'equal', pointer, depth, members: [member] });
  }

  function children(index: number, node: JsonNode | undefined): readonly JsonNode[] {
    if (node === undefined) return [];
    const level = nodesIn(texts[index] ?? '', node, maxMembers);
    if (level.more) cut = true;
    return level.nodes;
  }

  function byKey({ pointer, depth, nodes }: Place): Place[] {
    const maps = nodes.map(
      (node, index) => new Map(children(index, node).map((child) => [String(child.key), child])),
    );
    const keys = new Set(maps.flatMap((map) => [...map.keys()]));
    return Array.from(keys, (key) => ({
      key,
      pointer: pointerTo(pointer, key),
      depth: depth + 1,
      nodes: maps.map((map) => map.get(key)),
    }));
  }

  /** Items at the start and at the end that are equal in all lists belong together, the others by their position. */
  function byPosition({ pointer, depth, nodes }: Place): Place[] {
    const lists = nodes.map((node, index) => children(index, node));
    const shortest = Math.min(...lists.map((list) => list.length));
    const longest = Math.max(...lists.map((list) => list.length));
    const isSame = (at: (list: readonly JsonNode[]) => JsonNode | undefined): boolean => {
      const items = lists.map((list, index) => {
        const item = at(list);
        return item && textOf(index, item);
      });
      return items.every((item) => item === items[0]);
    };
    let start = 0;
    while (start < shortest && isSame((list) => list[start])) start += 1;
    let end = 0;
    while (end < shortest - start && isSame((list) => list[list.length - 1 - end])) end += 1;
    const place = (index: number, items: Place['nodes']): Place => ({
      key: String(index),
      pointer: pointerTo(pointer, index),
      depth: depth + 1,
      nodes: items,
    });
    return Array.from({ length: longest }, (_, index) =>
      index >= longest - end
        ? place(
            index,
            lists.map((list) => list[list.length - (longest - index)]),
          )
        : place(
            index,
            lists.map((list) => (index < list.length - end ? list[index] : undefined)),
          ),
    );
  }
}

function shortenValue(value: string | undefined): string | undefined {
  return value !== undefined && value.length > shownChars
    ? `${value.slice(0, shownChars)}…`
    : value;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}
