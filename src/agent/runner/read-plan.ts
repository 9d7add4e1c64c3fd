/** Reads a plan from JSON or YAML text, and says in which lines it is wrong. */

import { plan as isPlan } from 'virtual:cloche/page-validators';
import type { YamlReader } from '../../runtime/protocol/yaml.ts';
import type { Plan } from '../../runtime/spec/plan.ts';
import { foreignText } from './foreign-texts.ts';
import { languageProblems } from './plan-schema-problems.ts';
import { planProblems, type PlanReferences } from './plan-problems.ts';
import {
  formProblems,
  lengthProblem,
  maxProblems,
  readText,
  type AllowedForms,
  type LineProblem,
  type FormProblem,
} from './read-json-or-yaml.ts';

/** The limit in plan.schema.json. */
const maxTasks = 500;

const forms: AllowedForms = {
  tools: '“inherit”, “all”, or a list such as ["module:function"]',
  check: 'an object with exactly one of the keys “call”, “expression”, “judge” and “test”',
};

export interface ReadPlan {
  /** Null if the text is no plan. */
  readonly plan: Plan | null;
  readonly problems: readonly LineProblem[];
  /** The parsed text, whether it is a plan or not; undefined if it cannot be parsed, or is too long. */
  readonly value: unknown;
}

/**
 * The problems of a plan that is being written or requested, with the plan itself if there are none of its form. Stored
 * and recorded runs may have fractions of a token in their budgets, which earlier versions allowed.
 */
export async function checkNewPlan(
  value: unknown,
  references: PlanReferences,
): ReturnType<typeof checkPlan> {
  const { plan, problems } = await checkPlan(value, references);
  if (plan === null) return { plan, problems };
  return { plan, problems: [...problems, ...tokenProblems(plan)].slice(0, maxProblems) };
}

function tokenProblems({ budget, tasks }: Plan): readonly FormProblem[] {
  const budgets = [
    { path: ['budget', 'tokens'], tokens: budget?.tokens },
    ...tasks.map((task, index) => ({
      path: ['tasks', index, 'budget', 'tokens'],
      tokens: task.budget?.tokens,
    })),
  ];
  return budgets.flatMap(({ path, tokens = 0 }) =>
    Number.isInteger(tokens)
      ? []
      : [
          {
            path,
            message: `${path.join('.')} must be a whole number`,
            hint: `Write ${Math.ceil(tokens)}.`,
          },
        ],
  );
}

/** The problems of a value that should be a plan, with the plan itself if there are none of its form. */
export async function checkPlan(
  value: unknown,
  references: PlanReferences,
): Promise<{ readonly plan: Plan | null; readonly problems: readonly FormProblem[] }> {
  const tooLong = lengthProblem(value, 'tasks', maxTasks);
  if (tooLong !== null) return { plan: null, problems: [tooLong] };
  if (!isPlan(value))
    return { plan: null, problems: formProblems(isPlan.errors ?? [], 'plan', forms) };
  const plan = value as Plan;
  const problems = [
    ...planProblems(plan, references),
    ...(await languageProblems(plan, references)),
  ];
  return { plan, problems: problems.slice(0, maxProblems) };
}

export async function readPlan(
  text: string,
  references: PlanReferences,
  yaml: YamlReader,
): Promise<ReadPlan> {
  const read = await readText(text, 'plan', 'Write a goal and tasks.', yaml, async (value) => {
    const foreign = foreignText(value);
    if (foreign !== null) return { checked: null, problems: [foreign] };
    const { plan, problems } = await checkNewPlan(value, references);
    return { checked: plan, problems };
  });
  return { plan: read.checked, problems: read.problems, value: read.value };
}
