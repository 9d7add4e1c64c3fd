/** Finds what is wrong with a plan beyond its form: unknown tasks and tools, cycles, checks that cannot run. */

import { pathFault } from '../../runtime/folder/path-rules.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { isRecord } from '../../runtime/spec/guards.ts';
import { nearestNames } from '../../runtime/spec/nearest-names.ts';
import type { Plan, PlanTask, PlanTools } from '../../runtime/spec/plan.ts';
import { maxProblems, type FormProblem } from './read-json-or-yaml.ts';
import { taskOrder } from './task-order.ts';

/** Longest workspace file that is an input of a task; bytes. */
const maxFileBytes = 200_000;

/** Everything that a plan may refer to. */
export interface PlanReferences {
  readonly tools: readonly string[];
  /** Names of the tools of the session in which the plan was made; null if there is none. */
  readonly inherited: readonly string[] | null;
  readonly hasModel: (model: string) => boolean;
  readonly hasTest: (test: string) => boolean;
  /**
   * Why Python cannot evaluate an expression in which no result of a call occurs; null if it can. Only
   * plan-schema-problems.ts uses it, to find expressions that Python cannot compile. Rejects if Python does not answer.
   */
  readonly faultIn: (signal: AbortSignal, expression: string) => Promise<string | null>;
}

/** @param plan valid by plan.schema.json @returns not more than are shown */
export function planProblems(plan: Plan, references: PlanReferences): readonly FormProblem[] {
  const { ids, circle } = taskOrder(plan.tasks);
  const allIds = new Set(plan.tasks.map(({ id }) => id));
  const known: Known = {
    ids: allIds,
    tools: new Set(references.tools),
    taskHint: taskHints([...allIds]),
    toolHint: toolHints(references.tools),
    isBefore: orderIn(plan.tasks, ids),
  };
  const problems = [
    ...toolProblems(['tools'], plan.tools, known),
    ...modelProblems(['model'], plan.model, references),
  ];
  for (const [index, task] of plan.tasks.entries()) {
    if (problems.length >= maxProblems) break;
    problems.push(...taskProblems(plan, task, index, known, references));
  }
  // Leaves room for the problem of a circle.
  problems.splice(maxProblems - 1);
  if (circle.length > 0)
    problems.push({
      path: ['tasks', plan.tasks.findIndex(({ id }) => id === circle[0]), 'depends_on'],
      message: `the tasks depend on each other in a circle: ${circleText(circle)}`,
      hint: 'Remove one of these dependencies.',
    });
  return problems;
}

/** Lookup tables of a plan's parts, since a plan by a stranger may refer to them very often. */
interface Known {
  readonly ids: ReadonlySet<string>;
  readonly tools: ReadonlySet<string>;
  /** What to write instead of the id of an unknown task. */
  readonly taskHint: (id: string) => string;
  /** What to do about the name of a tool that does not exist. */
  readonly toolHint: (name: string) => string;
  /** Whether a task is done before another one begins. */
  readonly isBefore: (first: string, then: string) => boolean;
}

function taskProblems(
  plan: Plan,
  task: PlanTask,
  index: number,
  known: Known,
  references: PlanReferences,
): readonly FormProblem[] {
  const at = ['tasks', index];
  const problems: FormProblem[] = [];
  const add = (path: FormProblem['path'], message: string, hint: string): void => {
    problems.push({ path: [...at, ...path], message, hint });
  };
  if (plan.tasks.findIndex(({ id }) => id === task.id) < index)
    add(['id'], `another task has the id “${task.id}” too`, 'Give each task its own id.');
  for (const [place, id] of (task.depends_on ?? []).entries())
    if (!known.ids.has(id))
      add(['depends_on', place], `there is no task “${id}”`, known.taskHint(id));
  for (const [name, input] of Object.entries(task.inputs ?? {})) {
    const from = taskInput(input);
    if (from !== null && !known.ids.has(from))
      add(['inputs', name], `there is no task “${from}”`, known.taskHint(from));
    else if (from === task.id)
      add(
        ['inputs', name],
        `the input “${name}” is the output of this task itself`,
        'Name a task that runs before it, or remove the input.',
      );
    else if (from !== null && !known.isBefore(from, task.id))
      add(
        ['inputs', name],
        `the input “${name}” is the output of “${from}”, which does not run before this task`,
        `Add ${JSON.stringify(from)} to depends_on.`,
      );
    const path = fileInput(input);
    const fault = path === null ? undefined : pathFault(path);
    if (fault !== undefined)
      add(
        ['inputs', name],
        `the input “${name}” is not a file in the workspace: ${fault}`,
        'Write a path inside the workspace, such as data/a.csv.',
      );
  }
  const allowed = toolsOf(plan, task, references);
  const { check } = task;
  const callCheck = check !== undefined && 'call' in check ? check : undefined;
  if (callCheck !== undefined) {
    const why = !known.tools.has(callCheck.call)
      ? `there is no tool “${callCheck.call}”`
      : allowed.includes(callCheck.call)
        ? null
        : `the check calls “${callCheck.call}”, which this task may not use`;
    if (why !== null)
      add(
        ['check', 'call'],
        why,
        known.tools.has(callCheck.call)
          ? 'Add it to the tools of the task, or check with another tool.'
          : known.toolHint(callCheck.call),
      );
  }
  if (check !== undefined && 'test' in check && !references.hasTest(check.test))
    add(
      ['check', 'test'],
      `there is no saved test “${check.test}”`,
      'Save a test with this name, or name another one.',
    );
  return [
    ...problems,
    ...toolProblems([...at, 'tools'], task.tools, known),
    ...modelProblems([...at, 'model'], task.model, references),
  ];
}

/** Hints for unknown tasks: each names the task whose id differs only in case and separators, or else the known tasks. */
function taskHints(ids: readonly string[]): Known['taskHint'] {
  const others = `Name one of ${joinFirstNames(ids)}.`;
  // Of the ids that are alike, the first one is added last, and replaces the others.
  const byPlainId = new Map(ids.toReversed().map((id) => [plainId(id), id]));
  return (id) => {
    const same = byPlainId.get(plainId(id));
    return same === undefined ? others : `Write ${JSON.stringify(same)}.`;
  };
}

function plainId(id: string): string {
  return id.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

function toolProblems(
  path: FormProblem['path'],
  tools: PlanTools | undefined,
  known: Known,
): readonly FormProblem[] {
  if (tools === undefined || typeof tools === 'string') return [];
  return tools.flatMap((name, index) =>
    known.tools.has(name)
      ? []
      : [
          {
            path: [...path, index],
            message: `there is no tool “${name}”`,
            hint: known.toolHint(name),
          },
        ],
  );
}

/** Limit of comparisons of names for all unknown tools of a plan: each keeps the page busy for about 8 µs. */
const maxComparedNames = 2_000;

/** Returns a function that gives the hint for an unknown tool. Past the limit of comparisons, hints suggest no tool. */
function toolHints(tools: readonly string[]): Known['toolHint'] {
  let compared = 0;
  return (name) => {
    compared += tools.length;
    const [nearest] = compared > maxComparedNames ? [] : nearestNames(name, tools, 0.5);
    return nearest === undefined
      ? 'Open the folder that has it, or correct the name: module:function.'
      : `Correct the name to ${JSON.stringify(nearest)}, or open the folder that has this tool.`;
  };
}

function modelProblems(
  path: FormProblem['path'],
  model: string | undefined,
  references: PlanReferences,
): readonly FormProblem[] {
  if (model === undefined || references.hasModel(model)) return [];
  const hint = 'Add its provider under “Models”, or correct the name: provider/model.';
  return [{ path, message: `there is no model “${model}”`, hint }];
}

/** Names of the tools that a task's sub-agent may use. */
export function toolsOf(
  plan: Plan,
  task: PlanTask,
  { tools, inherited }: Pick<PlanReferences, 'tools' | 'inherited'>,
): readonly string[] {
  const chosen = task.tools ?? plan.tools ?? 'inherit';
  if (chosen === 'all') return tools;
  return chosen === 'inherit' ? (inherited ?? tools) : chosen;
}

/** The task whose output an input is; null for any other input. */
export function taskInput(input: unknown): string | null {
  return valueIfAlone(input, 'task');
}

/** The workspace file that an input is; null for any other input. */
export function fileInput(input: unknown): string | null {
  return valueIfAlone(input, 'file');
}

/**
 * The text of a workspace file that is an input of a task.
 * @throws {ToolError} `not-found`, `limit`
 */
export function textOfInput(
  path: string,
  file: { readonly bytes?: Uint8Array } | undefined,
): string {
  if (file?.bytes === undefined)
    throw new ToolError(
      'not-found',
      `The workspace has no file “${path}”.`,
      'Choose a workspace with this file, or change the inputs of the task.',
    );
  if (file.bytes.byteLength > maxFileBytes)
    throw new ToolError('limit', `“${path}” is larger than ${maxFileBytes} bytes.`);
  return new TextDecoder().decode(file.bytes);
}

function valueIfAlone(input: unknown, key: string): string | null {
  if (!isRecord(input) || Object.keys(input).length !== 1) return null;
  const value = input[key];
  return typeof value === 'string' ? value : null;
}

/** @param ids of the tasks, each after those that it depends on */
function orderIn(tasks: readonly PlanTask[], ids: readonly string[]): Known['isBefore'] {
  const dependencies = new Map(tasks.map(({ id, depends_on = [] }) => [id, depends_on]));
  const bits = new Map(ids.map((id, place) => [id, 1n << BigInt(place)]));
  /** The tasks before each, a bit for each of them. */
  const before = new Map<string, bigint>();
  for (const id of ids) {
    let all = 0n;
    for (const other of dependencies.get(id) ?? [])
      all |= (bits.get(other) ?? 0n) | (before.get(other) ?? 0n);
    before.set(id, all);
  }
  return (first, then) => ((before.get(then) ?? 0n) & (bits.get(first) ?? 0n)) !== 0n;
}

function circleText(circle: readonly string[]): string {
  const shown = circle.length > 20 ? [...circle.slice(0, 20), '…'] : circle;
  return [...shown, circle[0]].join(' → ');
}

function joinFirstNames(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown}, …` : shown;
}
