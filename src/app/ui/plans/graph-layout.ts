/** Places the tasks of a plan for a drawing: one column for each level, in which no lines cross needlessly. */

import { taskOrder } from '../../../agent/runner/task-order.ts';

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  /** Ids of the tasks that must be done before this one. */
  readonly before: readonly string[];
  /** The state of the task in words; may be empty. */
  readonly words: string;
  readonly tone: '' | 'running' | 'done' | 'failed' | 'held';
}

export interface PlacedNode {
  readonly node: GraphNode;
  readonly column: number;
  readonly row: number;
}

export interface PlacedLine {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
}

export interface GraphLayout {
  readonly nodes: readonly PlacedNode[];
  readonly lines: readonly PlacedLine[];
  readonly columns: number;
  readonly rows: number;
}

/** Limit of lines that are drawn; a drawing with more would be unreadable. */
const maxLines = 1_000;

/**
 * Places the tasks. Unknown dependencies are left out. If tasks depend on each other in a circle, the dependency that
 * closes it counts for no column: its line leads back to an earlier one.
 */
export function layoutOf(nodes: readonly GraphNode[]): GraphLayout {
  const levels = levelsOf(nodes);
  const columns: GraphNode[][] = [];
  for (const node of nodes) {
    const level = levels.get(node.id) ?? 0;
    while (columns.length <= level) columns.push([]);
    columns[level]?.push(node);
  }
  const placed = new Map<string, PlacedNode>();
  for (const [column, members] of columns.entries()) {
    const middleRow = ({ before }: GraphNode): number => {
      const rows = before.flatMap((id) => placed.get(id)?.row ?? []);
      return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
    };
    const ordered = members.map((node) => ({ node, at: middleRow(node) }));
    ordered.sort((one, other) => one.at - other.at);
    for (const [row, { node }] of ordered.entries()) placed.set(node.id, { node, column, row });
  }
  const all = [...placed.values()];
  const lines: PlacedLine[] = [];
  for (const to of all)
    for (const id of new Set(to.node.before)) {
      const from = placed.get(id);
      if (from !== undefined && from !== to && lines.length < maxLines) lines.push({ from, to });
    }
  const rows = Math.max(0, ...all.map(({ row }) => row + 1));
  return { nodes: all, lines, columns: columns.length, rows };
}

/** Number of tasks that must be done one after the other before each task. Of a circle, one dependency is ignored. */
export function levelsOf(
  nodes: readonly Pick<GraphNode, 'id' | 'before'>[],
): ReadonlyMap<string, number> {
  const before = new Map(nodes.map(({ id, before: all }) => [id, all]));
  const levels = new Map<string, number>();
  const { ids } = taskOrder(nodes.map(({ id, before: all }) => ({ id, depends_on: all })));
  for (const id of ids) {
    let level = 0;
    for (const other of before.get(id) ?? [])
      level = Math.max(level, (levels.get(other) ?? -1) + 1);
    levels.set(id, level);
  }
  return levels;
}

const arrows = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const;

export function isArrow(key: string): key is keyof typeof arrows {
  return Object.hasOwn(arrows, key);
}

/** The task to which an arrow key leads; null if there is none. @param isList whether tasks are one below the other */
export function nextNode(
  { nodes }: Pick<GraphLayout, 'nodes'>,
  from: PlacedNode,
  key: keyof typeof arrows,
  isList: boolean,
): PlacedNode | null {
  const [dx, dy] = arrows[key];
  if (isList) return nodes[nodes.indexOf(from) + dx + dy] ?? null;
  const there = nodes.filter(({ column }) => column === from.column + dx);
  const row = from.row + dy;
  if (dy !== 0) return there.find((one) => one.row === row) ?? null;
  return there.toSorted((a, b) => Math.abs(a.row - row) - Math.abs(b.row - row))[0] ?? null;
}
