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
  const dependenciesOf = new Map(tasks.map(({ id, depends_on = [] }) => [id, depends_on]));
  const done = new Set<string>();
  const onPath = new Set<string>();
  let circle: readonly string[] = [];
  for (const start of dependenciesOf.keys()) {
    // Depth first: each task on the path depends on the one after it.
    const path: { readonly id: string; readonly dependencies: Iterator<string> }[] = [];
    const enter = (id: string): void => {
      onPath.add(id);
      path.push({ id, dependencies: (dependenciesOf.get(id) ?? []).values() });
    };
    if (!done.has(start)) enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.dependencies.next();
      if (next.done === true) {
        done.add(last.id);
        onPath.delete(last.id);
        path.pop();
        continue;
      }
      const dependency = next.value;
      if (onPath.has(dependency)) {
        const from = path.findIndex(({ id }) => id === dependency);
        if (circle.length === 0) circle = path.slice(from).map(({ id }) => id);
      } else if (dependenciesOf.has(dependency) && !done.has(dependency)) enter(dependency);
    }
  }
  return { ids: [...done], circle };
}

/** The dependents that were found before, by list of tasks. */
const knownDependents = new WeakMap<readonly PlanTask[], ReadonlyMap<string, readonly string[]>>();

/** The tasks that depend on each task directly, by id. */
export function dependentsIn(tasks: readonly PlanTask[]): ReadonlyMap<string, readonly string[]> {
  const known = knownDependents.get(tasks);
  if (known !== undefined) return known;
  const dependents = new Map<string, string[]>();
  for (const { id, depends_on = [] } of tasks)
    for (const dependency of depends_on) {
      const ids = dependents.get(dependency);
      if (ids === undefined) dependents.set(dependency, [id]);
      else ids.push(id);
    }
  knownDependents.set(tasks, dependents);
  return dependents;
}
