/** Runs of plans that a page or an extension asks for, which the user must allow. */

import type { FolderPolicy } from '../../grants/folder-policy.ts';
import type { PlanRuns } from '../../runner/plan-runs.ts';
import type { RunState } from '../../runner/run-record.ts';
import { ToolError } from '../../spec/error.ts';
import type { Plan } from '../../spec/plan.ts';
import type { PlansControl, PolicyControl } from '../app.ts';

interface RequestedRunsDeps extends Pick<PolicyControl, 'policies' | 'questions'> {
  readonly runs: Pick<PlanRuns, 'observe' | 'resume' | 'stop'>;
  /** Stores a run, and begins it unless it waits. */
  readonly start: (plan: Plan, session: string, waits?: boolean) => Promise<RunState>;
  readonly openFolder: () => { readonly folderId: string };
  readonly report: (thrown: unknown) => void;
}

/** The name of the user's rule for plans that pages send, which no tool can have. */
const requestRule = 'POST api/runs';
/** Tasks that are shown when the user is asked about a plan. */
const mostAsked = 10;

export function requestedRuns(deps: RequestedRunsDeps): PlansControl['request'] {
  const { policies, questions, runs, start, openFolder, report } = deps;
  /** Ids of folders for which the user lets pages run plans, until the page is closed. */
  const approvedFor = new Set<string>();
  /** The policies of these folders, some of which have no id, or none yet. Each opened folder has its own. */
  const approvedPolicies = new WeakSet<FolderPolicy>();

  /** Asks the user, and begins or ends the run. */
  async function ask(
    { id, plan }: RunState,
    policy: FolderPolicy,
    extension: string,
  ): Promise<void> {
    const { folderId } = openFolder();
    const asking = new AbortController();
    // The user may decide on the page of the run instead.
    const unobserve = runs.observe((run) => {
      if (run.id === id && !run.isWaiting) asking.abort();
    });
    const { reply } = await questions.ask(asking.signal, {
      ...{ kind: 'plan', tool: extension, file: '', callId: id },
      caller: extension === '' ? 'http' : 'extension',
      goal: startOf(plan.goal, 1_000),
      // A title alone need not say what the task does.
      tasks: plan.tasks
        .slice(0, mostAsked)
        .map(({ title = '', instructions }) =>
          startOf(
            title.trim() === '' ? instructions : `${startOf(title, 100)}: ${instructions}`,
            300,
          ),
        ),
      count: plan.tasks.length,
    });
    unobserve();
    if (asking.signal.aborted) return;
    if (reply === 'always' || reply === 'never') policy.rule(requestRule, reply);
    if (reply === 'visit') {
      approvedPolicies.add(policy);
      if (folderId !== '') approvedFor.add(folderId);
    }
    if (reply === 'once' || reply === 'visit' || reply === 'always') await runs.resume(id);
    else if (reply !== null) await runs.stop(id, 'The user did not allow the run.');
  }

  return async (plan, session, extension = '') => {
    const policy = policies.current;
    const rule = policy.ruleOf(requestRule);
    if (rule === 'never')
      throw new ToolError(
        'not-supported',
        'The user does not let pages run plans.',
        'Run the plan under “Plans”, or change the rule on the Policy page.',
      );
    const { folderId } = openFolder();
    const isApproved = approvedPolicies.has(policy) || approvedFor.has(folderId);
    if (rule === 'always' || isApproved) return start(plan, session);
    const run = await start(plan, session, true);
    void ask(run, policy, extension).catch(report);
    return run;
  };
}

function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half a surrogate pair would be spelt out.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
