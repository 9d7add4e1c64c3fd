/** Finds what is wrong with a plan beyond its form: unknown tasks and tools, cycles, checks that cannot run. */

import { isRecord } from '../spec/guards.ts';
import type { Plan, PlanTask, PlanTools } from '../spec/plan.ts';

export interface PlanProblem {
  /** Steps from the plan to the value, such as `['tasks', 0, 'id']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

/** What a plan may refer to. */
export interface PlanSurroundings {
  /** Names of all tools. */
  readonly tools: readonly string[];
  /** Names of the tools of the session in which the plan was made; null if there is none. */
  readonly inherited: readonly string[] | null;
  /** Whether a model exists. */
  readonly hasModel: (model: string) => boolean;
  /** Whether a saved test exists. */
  readonly hasTest: (test: string) => boolean;
}

/** @param plan valid by plan.schema.json */
export function planProblems(plan: Plan, around: PlanSurroundings): readonly PlanProblem[] {
  const known = new Set(plan.tasks.map(({ id }) => id));
  const problems = [
    ...toolProblems(['tools'], plan.tools, around),
    ...modelProblems(['model'], plan.model, around),
    ...plan.tasks.flatMap((task, index) => taskProblems(plan, task, index, known, around)),
  ];
  const cycle = cycleIn(plan.tasks);
  if (cycle.length > 0)
    problems.push({
      path: ['tasks', plan.tasks.findIndex(({ id }) => id === cycle[0]), 'depends_on'],
      message: `the tasks depend on each other in a circle: ${[...cycle, cycle[0]].join(' → ')}`,
      hint: 'Remove one of these dependencies.',
    });
  return problems;
}

function taskProblems(
  plan: Plan,
  task: PlanTask,
  index: number,
  known: ReadonlySet<string>,
  around: PlanSurroundings,
): readonly PlanProblem[] {
  const at = ['tasks', index];
  const problems: PlanProblem[] = [];
  if (plan.tasks.findIndex(({ id }) => id === task.id) < index)
    problems.push({
      path: [...at, 'id'],
      message: `another task has the id “${task.id}” too`,
      hint: 'Give each task an id of its own.',
    });
  for (const [place, id] of (task.depends_on ?? []).entries())
    if (!known.has(id))
      problems.push({
        path: [...at, 'depends_on', place],
        message: `there is no task “${id}”`,
        hint: `Name one of ${listed([...known])}.`,
      });
  for (const [name, input] of Object.entries(task.inputs ?? {})) {
    const from = taskInput(input);
    if (from !== null && !ancestors(plan, task).has(from))
      problems.push({
        path: [...at, 'inputs', name],
        message: `the input “${name}” is the output of “${from}”, which is not done before`,
        hint: `Add ${JSON.stringify(from)} to depends_on.`,
      });
  }
  const allowed = toolsOf(plan, task, around);
  const { check } = task;
  if (check !== undefined && 'call' in check) {
    const why = !around.tools.includes(check.call)
      ? `there is no tool “${check.call}”`
      : allowed.includes(check.call)
        ? null
        : `the check calls “${check.call}”, which this task may not use`;
    if (why !== null)
      problems.push({
        path: [...at, 'check', 'call'],
        message: why,
        hint: `Add it to the tools of the task, or check with another tool.`,
      });
  }
  if (check !== undefined && 'test' in check && !around.hasTest(check.test))
    problems.push({
      path: [...at, 'check', 'test'],
      message: `there is no saved test “${check.test}”`,
      hint: 'Save a test with this name, or name another one.',
    });
  return [
    ...problems,
    ...toolProblems([...at, 'tools'], task.tools, around),
    ...modelProblems([...at, 'model'], task.model, around),
  ];
}

function toolProblems(
  path: PlanProblem['path'],
  tools: PlanTools | undefined,
  around: PlanSurroundings,
): readonly PlanProblem[] {
  if (tools === undefined || typeof tools === 'string') return [];
  return tools.flatMap((name, index) =>
    around.tools.includes(name)
      ? []
      : [
          {
            path: [...path, index],
            message: `there is no tool “${name}”`,
            hint: 'Open the folder that has it, or correct the name: module:function.',
          },
        ],
  );
}

function modelProblems(
  path: PlanProblem['path'],
  model: string | undefined,
  around: PlanSurroundings,
): readonly PlanProblem[] {
  if (model === undefined || around.hasModel(model)) return [];
  return [
    {
      path,
      message: `there is no model “${model}”`,
      hint: 'Add its provider under “Models”, or correct the name: provider/model.',
    },
  ];
}

/** Names of the tools that a task's sub-agent may use. */
export function toolsOf(
  plan: Plan,
  task: PlanTask,
  { tools, inherited }: Pick<PlanSurroundings, 'tools' | 'inherited'>,
): readonly string[] {
  const chosen = task.tools ?? plan.tools ?? 'inherit';
  if (chosen === 'all') return tools;
  return chosen === 'inherit' ? (inherited ?? tools) : chosen;
}

/** The task whose output an input is; null for any other input. */
export function taskInput(input: unknown): string | null {
  return onlyMember(input, 'task');
}

/** The workspace file that an input is; null for any other input. */
export function fileInput(input: unknown): string | null {
  return onlyMember(input, 'file');
}

function onlyMember(input: unknown, key: string): string | null {
  if (!isRecord(input) || Object.keys(input).length !== 1) return null;
  const value = input[key];
  return typeof value === 'string' ? value : null;
}

/** Ids of all tasks that are done before a task. */
function ancestors(plan: Plan, task: PlanTask): ReadonlySet<string> {
  const byId = new Map(plan.tasks.map((one) => [one.id, one]));
  const found = new Set<string>();
  const open = [...(task.depends_on ?? [])];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    open.push(...(byId.get(id)?.depends_on ?? []));
  }
  return found;
}

/** Ids of the tasks of a cycle, in order; empty if there is none. */
function cycleIn(tasks: readonly PlanTask[]): readonly string[] {
  const byId = new Map(tasks.map((task) => [task.id, task.depends_on ?? []]));
  const done = new Set<string>();
  for (const start of byId.keys()) {
    // Depth first, with the path that leads to the current task.
    const path: { readonly id: string; next: number }[] = [{ id: start, next: 0 }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const dependency = byId.get(last.id)?.[last.next];
      last.next += 1;
      if (dependency === undefined || done.has(last.id)) {
        done.add(last.id);
        path.pop();
        continue;
      }
      const from = path.findIndex(({ id }) => id === dependency);
      if (from >= 0) return path.slice(from).map(({ id }) => id);
      if (byId.has(dependency)) path.push({ id: dependency, next: 0 });
    }
  }
  return [];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown}, …` : shown;
}
