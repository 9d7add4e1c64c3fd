/** Lets a model change a plan that is stuck, within what the plan allows. */

import planSchema from '../../runtime/spec/schemas/plan.schema.json' with { type: 'json' };
import type { JsonObject, JsonText } from '../../runtime/spec/json.ts';
import type { Plan, PlanBudget, PlanTask } from '../../runtime/spec/plan.ts';
import { filesOf } from './plan-needs.ts';
import { toolsOf, type PlanReferences } from './plan-problems.ts';
import { checkPlan } from './read-plan.ts';
import type { RunState } from './run-record.ts';
import { ignoresEarlierFailures, retriesOf } from './run-tasks.ts';
import { workWithProgress, type SubAgent } from './sub-agent.ts';

/** Number of times that a model may correct a change that was refused. */
const maxCorrections = 3;
const maxChars = 100_000;

export interface RevisedPlan {
  readonly plan: Plan;
  readonly reason: string;
}

/** JSON Schema of a whole plan, as a model gets it. */
export const planOutput: JsonObject = withoutNames(planSchema);

const revisionOutput: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'tasks'],
  properties: {
    reason: { type: 'string', description: 'What is changed, and why, in one or two sentences' },
    tasks: {
      description: 'All tasks that are still to be done, in full',
      ...planSchema.properties.tasks,
    },
  },
  $defs: planSchema.$defs,
};

function withoutNames({ $schema: _, $id: __, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** The task of the sub-agent that changes the plan. It has no tools but finish. */
export function revisionTask(run: RunState): PlanTask {
  const { plan } = run;
  return {
    id: 'revision',
    title: 'Revision of the plan',
    tools: [],
    output: revisionOutput,
    ...(plan.model === undefined ? {} : { model: plan.model }),
    instructions: revisionMessage(run),
  };
}

function revisionMessage({ plan, tasks }: RunState): string {
  const states = plan.tasks.map(({ id }) => {
    const { phase, reason = '', output = null } = tasks.get(id) ?? {};
    const result = phase === 'done' && output !== null ? ` Result: ${output.slice(0, 2_000)}` : '';
    return `- ${id}: ${phase ?? 'waiting'}.${reason === '' ? '' : ` ${reason.slice(0, 2_000)}`}${result}`;
  });
  return `The plan below cannot go on, because tasks of it have failed. Change the tasks that are not done so that the goal is still reached: other instructions, smaller tasks, another order. Do not weaken a check only so that it passes. If the goal cannot be reached, hand over the tasks as they are.

What is done stays done, and is not part of what you hand over; new tasks may depend on it. Tools, models, files and budgets of the plan stay as they are: a task may use only what the plan already allows. A task keeps every limit of its budget, and its retries; it may lower them. A new task may have at most the smallest limits and retries of the tasks in the plan. All tasks together keep the sum of their limits: smaller tasks need smaller limits.

The plan:
${JSON.stringify(plan, null, 1).slice(0, maxChars)}

The states of its tasks:
${states.join('\n').slice(0, maxChars)}`;
}

/**
 * @param first the first message to the sub-agent; its output is text of {@link revisionOutput}
 * @returns why there is no change, if there is none
 */
export async function revisePlan(
  signal: AbortSignal,
  agent: SubAgent,
  first: string,
  run: RunState,
  references: () => Promise<PlanReferences>,
): Promise<RevisedPlan | string> {
  let message = first;
  for (let n = 0; ; n += 1) {
    const worked = await workWithProgress(signal, agent, message);
    signal.throwIfAborted();
    if (worked.end !== 'finished')
      return worked.end === 'idle' ? 'The model did not return a plan.' : worked.reason;
    const read = await readRevision(worked.output, run, await references());
    if ('plan' in read) return isSamePlan(read.plan, run.plan) ? 'Nothing was changed.' : read;
    if (n >= maxCorrections) return `The changed plan was refused: ${read.problems.join('; ')}`;
    message = `The changed plan is refused:\n${read.problems.map((text) => `- ${text}`).join('\n')}\n\nCorrect it, and call finish again.`;
  }
}

function isSamePlan(one: Plan, other: Plan): boolean {
  const byId = (plan: Plan) =>
    JSON.stringify([...plan.tasks].sort((a, b) => (a.id < b.id ? -1 : 1)));
  return byId(one) === byId(other);
}

async function readRevision(
  output: JsonText,
  { plan, tasks: states }: Pick<RunState, 'plan' | 'tasks'>,
  references: PlanReferences,
): Promise<RevisedPlan | { readonly problems: readonly string[] }> {
  const { reason, tasks } = JSON.parse(output) as {
    readonly reason: string;
    readonly tasks: readonly PlanTask[];
  };
  const isDone = ({ id }: PlanTask): boolean => states.get(id)?.phase === 'done';
  const value = {
    ...plan,
    tasks: [
      ...plan.tasks.filter(isDone),
      ...tasks.filter((task) => !isDone(task)).map((task) => withBudget(plan, task)),
    ],
  };
  const checked = await checkPlan(value, references);
  const problems = checked.problems.map(({ message, hint }) => `${message}. ${hint}`);
  if (checked.plan === null) return { problems };
  const exceeded = excess(plan, checked.plan, references);
  const minutes = minutesLeft(plan.tasks.filter((task) => !isDone(task)));
  const wanted = minutesLeft(checked.plan.tasks.filter((task) => !isDone(task)));
  const all = [...problems, ...exceeded];
  if (wanted > minutes && wanted < Infinity)
    all.push(`the tasks may have at most ${minutes} minutes together`);
  return all.length > 0 ? { problems: all.slice(0, 20) } : { plan: checked.plan, reason };
}

/** The minutes of all tasks together; infinite if one of them has no limit. */
function minutesLeft(tasks: readonly PlanTask[]): number {
  return tasks.reduce((sum, { budget }) => sum + (budget?.minutes ?? Infinity), 0);
}

const limits = ['calls', 'tokens', 'cost', 'minutes'] as const;

/** Gives a task without a budget the one that it had before, or that a new task gets, unless the plan has a budget. */
function withBudget(plan: Plan, task: PlanTask): PlanTask {
  if (plan.budget !== undefined) return task;
  const budget = task.budget ?? maxAllowed(plan, task.id).budget;
  return Object.keys(budget).length === 0 ? task : { ...task, budget };
}

/**
 * The limits that a change may give a task at most: those that it has in the plan. A new task gets
 * the smallest limits of all tasks, but not those that the plan limits for all tasks together.
 */
function maxAllowed(
  { budget: shared = {}, tasks }: Plan,
  id: string,
): { readonly budget: PlanBudget; readonly retries: number } {
  const old = tasks.find((task) => task.id === id);
  if (old !== undefined) return { budget: old.budget ?? {}, retries: retriesOf(old) };
  const smallest = limits.flatMap((limit) => {
    const all = tasks.flatMap(({ budget }) => budget?.[limit] ?? []);
    return all.length === 0 || shared[limit] !== undefined ? [] : [[limit, Math.min(...all)]];
  });
  return {
    budget: Object.fromEntries(smallest) as PlanBudget,
    retries: Math.min(...tasks.map(retriesOf)),
  };
}

function hadCheck({ tasks }: Plan, { id, check }: PlanTask): boolean {
  const old = tasks.find((task) => task.id === id);
  return JSON.stringify(old?.check) === JSON.stringify(check);
}

/** Lists what a change would allow beyond the plan. */
function excess(before: Plan, after: Plan, references: PlanReferences): readonly string[] {
  const tools = new Set(before.tasks.flatMap((task) => toolsOf(before, task, references)));
  const models = new Set([before.model, ...before.tasks.map(({ model }) => model)]);
  const read = new Set(filesOf(before));
  return after.tasks.flatMap((task) => {
    const unread = filesOf({ tasks: [task] }).filter((path) => !read.has(path));
    const others = toolsOf(after, task, references).filter((name) => !tools.has(name));
    const { budget, retries } = maxAllowed(before, task.id);
    return [
      // @mutant plans: a model that changes a plan adds no tool => == -> >
      ...(others.length === 0
        ? []
        : [`the task “${task.id}” may not use ${others.slice(0, 5).join(', ')}`]),
      // @mutant plans: a model that changes a plan adds no file => == -> >
      ...(unread.length === 0
        ? []
        : [`the task “${task.id}” may not read ${unread.slice(0, 5).join(', ')}`]),
      // @mutant plans: a model that changes a plan adds no model => models.has(task.model) -> models.size > 0
      ...(models.has(task.model)
        ? []
        : [`the task “${task.id}” may not use the model ${task.model ?? ''}`]),
      ...limits.flatMap((limit) => {
        const max = budget[limit] ?? Infinity;
        // @mutant plans: a model that changes a plan raises no budget => (task.budget?.[limit] ?? Infinity) <= max ->
        //   max >= 0
        return (task.budget?.[limit] ?? Infinity) <= max
          ? []
          : [`the budget of the task “${task.id}” must limit ${limit} to at most ${max}`];
      }),
      ...(ignoresEarlierFailures(task.check) && !hadCheck(before, task)
        ? [`the check of the task “${task.id}” may not ignore earlier failures`]
        : []),
      // @mutant plans: a model that changes a plan adds no retries => retriesOf(task) <= retries -> retries >= 0
      ...(retriesOf(task) <= retries
        ? []
        : [`the task “${task.id}” must have “retries” of at most ${retries}`]),
    ];
  });
}
