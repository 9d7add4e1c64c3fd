/** The order in which tasks depend on each other. */

import type { PlanTask } from '../../runtime/spec/plan.ts';

export interface TaskOrder {
  /** Ids; each comes after those that it depends on, unless they depend on each other in a circle. */
  readonly ids: readonly string[];
  /** Ids of the first circle that was found, in order; empty if there is none. */
  readonly circle: readonly string[];
}

/** Orders tasks. Looks at each dependency once. */
export function taskOrder(tasks: readonly Pick<PlanTask, 'id' | 'depends_on'>[]): TaskOrder {
  const before = new Map(tasks.map(({ id, depends_on = [] }) => [id, depends_on]));
  const done = new Set<string>();
  const onPath = new Set<string>();
  let circle: readonly string[] = [];
  for (const start of before.keys()) {
    // Depth first, with the path that leads to the current task.
    const path: { readonly id: string; next: number }[] = [];
    const enter = (id: string): void => {
      onPath.add(id);
      path.push({ id, next: 0 });
    };
    if (!done.has(start)) enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const other = before.get(last.id)?.[last.next];
      last.next += 1;
      if (other === undefined) {
        done.add(last.id);
        onPath.delete(last.id);
        path.pop();
      } else if (onPath.has(other)) {
        const from = path.findIndex(({ id }) => id === other);
        if (circle.length === 0) circle = path.slice(from).map(({ id }) => id);
      } else if (before.has(other) && !done.has(other)) enter(other);
    }
  }
  return { ids: [...done], circle };
}

const known = new WeakMap<readonly PlanTask[], ReadonlyMap<string, readonly string[]>>();

/** The tasks that depend on each task directly, by id. */
export function dependentsIn(tasks: readonly PlanTask[]): ReadonlyMap<string, readonly string[]> {
  const before = known.get(tasks);
  if (before !== undefined) return before;
  const found = new Map<string, string[]>();
  for (const { id, depends_on = [] } of tasks)
    for (const other of depends_on) {
      const all = found.get(other);
      if (all === undefined) found.set(other, [id]);
      else all.push(id);
    }
  known.set(tasks, found);
  return found;
}
