/** What the tasks of a plan may use together after a model has divided them: no more than their limits allowed before. */

import type { PlanBudget } from '../spec/plan.ts';
import { noUsage, plusUsage, type RunEvent, type RunState, type RunUsage } from './run-record.ts';

const shared = ['calls', 'tokens', 'cost'] as const;

/**
 * The sums of the limits that all tasks had when the user decided about the plan for the last time. Empty if no model has
 * changed it since then; a limit that one of the tasks did not have is not in it.
 */
export function sharedLimits({ revisions }: Pick<RunState, 'revisions'>): PlanBudget {
  const lastOfUser = revisions.findLastIndex(({ by }) => by === 'user');
  const first = revisions[lastOfUser + 1];
  if (first === undefined) return {};
  const budgets = first.before.tasks.map(({ budget }) => budget ?? {});
  const sums = shared.flatMap((limit) => {
    const all = budgets.flatMap((budget) => budget[limit] ?? []);
    return all.length < budgets.length ? [] : [[limit, all.reduce((sum, one) => sum + one, 0)]];
  });
  return Object.fromEntries(sums) as PlanBudget;
}

/** What models have used to change the plan, which belongs to no task. */
export function revisionUsage(events: readonly RunEvent[]): RunUsage {
  return events.reduce(
    (sum, event) =>
      event.type === 'revised' || event.type === 'revision-failed'
        ? plusUsage(sum, event.usage)
        : sum,
    noUsage,
  );
}
