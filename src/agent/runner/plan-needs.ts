/** Lists what a plan would use and do: models, tools, workspace files, and the calls that its checks make. */

import type { Plan, PlanModel, PlanNeeds } from '../../runtime/spec/plan.ts';
import { fileInput, toolsOf, type PlanReferences } from './plan-problems.ts';

/** @param modelOf describes the model with a name, or with null the model of tasks that name none */
export function planNeeds(
  plan: Plan,
  references: Pick<PlanReferences, 'tools' | 'inherited'>,
  modelOf: (name: string | null) => PlanModel,
): PlanNeeds {
  const { tasks } = plan;
  const models = unique(tasks.map(({ model = plan.model }) => model ?? null));
  // Revisions are written by the model of the plan itself.
  if (plan.revisions !== undefined && plan.revisions > 0) models.push(plan.model ?? null);
  return {
    models: unique(models).map(modelOf),
    tools: unique(tasks.flatMap((task) => toolsOf(plan, task, references))),
    ...ownNeeds(plan),
  };
}

/** The needs of a plan that do not depend on its models. */
export function ownNeeds({ tasks }: Pick<Plan, 'tasks'>): Omit<PlanNeeds, 'models' | 'tools'> {
  const checks = tasks.flatMap(({ check }) => check ?? []);
  return {
    files: filesOf({ tasks }),
    tests: unique(checks.flatMap((check) => ('test' in check ? check.test : []))),
    calls: checks.flatMap((check) =>
      'call' in check
        ? [{ tool: check.call, arguments: JSON.stringify(check.arguments ?? {}) }]
        : [],
    ),
  };
}

/** Paths of the workspace files that are inputs of tasks. */
export function filesOf({ tasks }: Pick<Plan, 'tasks'>): readonly string[] {
  return unique(
    tasks.flatMap(({ inputs = {} }) =>
      Object.values(inputs).flatMap((input) => fileInput(input) ?? []),
    ),
  );
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
