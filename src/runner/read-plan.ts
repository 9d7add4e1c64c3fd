/** Reads a plan from JSON or YAML text, and says in which lines it is wrong. */

import { plan as isPlan } from 'virtual:cloche/page-validators';
import type { ValidatorError } from 'virtual:cloche/validators';
import { errorText } from '../spec/error.ts';
import type { Plan } from '../spec/plan.ts';
import { planProblems, type PlanProblem, type PlanSurroundings } from './plan-problems.ts';

export interface PlanLineProblem extends PlanProblem {
  /** From 1. */
  readonly line: number;
}

export interface ReadPlan {
  /** Null if the text is no plan. */
  readonly plan: Plan | null;
  readonly problems: readonly PlanLineProblem[];
  /** What the text says, whether it is a plan or not; undefined if it is neither JSON nor YAML. */
  readonly value: unknown;
}

/** Longest text of a plan; characters. */
const mostChars = 500_000;
const mostProblems = 50;
const docs = 'Compare it with the plans in the help.';

/** The problems of a value that should be a plan, with the plan itself if there are none of its form. */
export function checkPlan(
  value: unknown,
  around: PlanSurroundings,
): { readonly plan: Plan | null; readonly problems: readonly PlanProblem[] } {
  if (!isPlan(value))
    return { plan: null, problems: (isPlan.errors ?? []).slice(0, mostProblems).map(formProblem) };
  const plan = value as Plan;
  return { plan, problems: planProblems(plan, around).slice(0, mostProblems) };
}

export async function readPlan(text: string, around: PlanSurroundings): Promise<ReadPlan> {
  const bad = (line: number, message: string, hint: string): ReadPlan => ({
    plan: null,
    problems: [{ path: [], line, message, hint }],
    value: undefined,
  });
  if (text.length > mostChars)
    return bad(1, `the plan has ${text.length} characters`, `At most ${mostChars} are allowed.`);
  if (text.trim() === '')
    return { ...bad(1, 'the plan is empty', 'Write a goal and tasks.'), value: {} };
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  // YAML contains JSON.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
  });
  const [mistake] = document.errors;
  if (mistake !== undefined)
    return bad(lines.linePos(mistake.pos[0]).line, mistake.message, 'Write JSON or YAML.');
  let value: unknown;
  try {
    // Few aliases: they can multiply a short text.
    value = document.toJS({ maxAliasCount: 20 });
  } catch (thrown) {
    return bad(1, errorText(thrown), 'Write the plan without aliases.');
  }
  const { plan, problems } = checkPlan(value, around);
  const lineOf = (path: PlanProblem['path']): number => {
    for (let length = path.length; length > 0; length -= 1) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
        return lines.linePos(Number(node.range[0])).line;
    }
    return 1;
  };
  return {
    plan,
    value,
    problems: problems
      .map((problem) => ({ ...problem, line: lineOf(problem.path) }))
      .sort((a, b) => a.line - b.line),
  };
}

function formProblem({ keyword, instancePath, params, message }: ValidatorError): PlanProblem {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const at = path.length === 0 ? 'the plan' : path.join('.');
  if (keyword === 'required')
    return { path, message: `${at} has no “${String(params.missingProperty)}”`, hint: 'Add it.' };
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty).slice(0, 100);
    return {
      path: [...path, name],
      message: `${at} has the unknown key “${name}”`,
      hint: 'Correct or remove it.',
    };
  }
  return { path, message: `${at} ${message ?? 'is not valid'}`, hint: docs };
}
