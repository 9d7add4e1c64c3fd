/** Places the tasks of a plan for a drawing: one column for each level, in which no lines cross needlessly. */

export interface GraphNode {
  readonly id: string;
  readonly title: string;
  /** Ids of the tasks before it. */
  readonly before: readonly string[];
  /** Its state, in words; may be empty. */
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

/** Unknown dependencies are left out, and those that would close a circle end in their own column. */
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
    const middle = ({ before }: GraphNode): number => {
      const rows = before.flatMap((id) => placed.get(id)?.row ?? []);
      return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
    };
    const ordered = members.map((node) => ({ node, at: middle(node) }));
    ordered.sort((one, other) => one.at - other.at);
    for (const [row, { node }] of ordered.entries()) placed.set(node.id, { node, column, row });
  }
  const all = [...placed.values()];
  const lines = all.flatMap((to) =>
    to.node.before.flatMap((id) => {
      const from = placed.get(id);
      return from === undefined || from === to ? [] : [{ from, to }];
    }),
  );
  const rows = Math.max(0, ...all.map(({ row }) => row + 1));
  return { nodes: all, lines, columns: columns.length, rows };
}

/** How many tasks must be done one after the other before each task. */
export function levelsOf(
  nodes: readonly Pick<GraphNode, 'id' | 'before'>[],
): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  // A plan without circles needs at most as many passes as it has tasks.
  for (let passes = 0, changed = true; changed && passes <= nodes.length; passes += 1) {
    changed = false;
    for (const { id, before } of nodes) {
      const level = Math.max(0, ...before.map((other) => (levels.get(other) ?? -1) + 1));
      if (levels.get(id) === level || level >= Math.max(1, nodes.length)) continue;
      levels.set(id, level);
      changed = true;
    }
  }
  return levels;
}
