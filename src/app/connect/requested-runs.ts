/** Runs of plans that a page or an extension asks for, which the user must allow. */

import type { FolderPolicy } from '../../runtime/grants/folder-policy.ts';
import { filesOf } from '../../agent/runner/plan-needs.ts';
import type { PlanRuns } from '../../agent/runner/plan-runs.ts';
import type { RunState } from '../../agent/runner/run-record.ts';
import { isFolderOf, type SessionFolder } from '../../agent/session/session-head.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Asker, Plan, PlanNeeds } from '../../runtime/spec/plan.ts';
import type { PlansControl, PolicyControl } from '../app.ts';

interface RequestedRunsDeps extends Pick<PolicyControl, 'policies' | 'questions'> {
  readonly runs: Pick<PlanRuns, 'loaded' | 'list' | 'get' | 'observe' | 'resume' | 'stop'>;
  /** Stores a run for the folder that is open now, and begins it unless somebody else asks for it. */
  readonly start: (plan: Plan, session: string, askedBy: Asker | null) => Promise<RunState>;
  /** What a stored run would use, whatever its session has become since. Never rejects. */
  readonly needs: PlansControl['needs'];
  readonly openFolder: () => SessionFolder;
  /** Resolves when the tools of the open folder are known. */
  readonly settled: () => Promise<unknown>;
  readonly report: (thrown: unknown) => void;
}

/** The name of the user's rule for plans that pages send, which no tool can have. The file of each extension has its own. */
const pageRule = 'POST api/runs';

export function requestedRuns(deps: RequestedRunsDeps): PlansControl['request'] {
  const { policies, questions, runs, start, needs: needsOf, openFolder, report } = deps;
  /** Ids of folders for which the user lets pages run plans, until the page is closed. */
  const approvedFor = new Set<string>();
  /** The policies of these folders, some of which have no id, or none yet. Each opened folder has its own. */
  const approvedPolicies = new WeakSet<FolderPolicy>();
  /** Withdraws the questions about runs, by their ids. */
  const asking = new Map<string, AbortController>();

  /** Asks the user, and begins or ends the run. */
  async function ask({ id, plan, askedBy }: RunState, needs: PlanNeeds): Promise<void> {
    if (askedBy === null || asking.has(id)) return;
    const policy = policies.current;
    const { folderId } = openFolder();
    const stop = new AbortController();
    asking.set(id, stop);
    // The user may decide on the page of the run instead.
    const unobserve = runs.observe((run) => {
      if (run.id === id && !run.isWaiting) stop.abort();
    });
    const { reply } = await questions.ask(stop.signal, {
      kind: 'plan',
      callId: id,
      ...(askedBy === 'page'
        ? { tool: '', file: '', caller: 'http' }
        : { tool: askedBy.extension, file: askedBy.file, caller: 'extension' }),
      plan,
      needs,
    });
    unobserve();
    if (asking.get(id) === stop) asking.delete(id);
    if (stop.signal.aborted || reply === null) return;
    if (reply === 'always' || reply === 'never') policy.rule(ruleOf(askedBy), reply);
    if (reply === 'visit') {
      approvedPolicies.add(policy);
      if (folderId !== '') approvedFor.add(folderId);
    }
    if (reply === 'once' || reply === 'visit' || reply === 'always') await runs.resume(id);
    else await runs.stop(id, 'The user did not allow the run.');
  }

  /** Asks about the runs of the open folder that still wait for an answer. */
  async function askAgain(): Promise<void> {
    for (const stop of asking.values()) stop.abort();
    asking.clear();
    await Promise.all([runs.loaded, deps.settled()]);
    for (const run of runs.list().toReversed()) if (run.isWaiting) await askAbout(run);
  }

  /** Asks about a run if its folder is open. Otherwise the question is asked when the folder is opened. */
  async function askAbout(run: RunState): Promise<void> {
    const needs = await needsOf(run.plan, run.session, run.inherited);
    const now = runs.get(run.id);
    if (now?.isWaiting === true && isFolderOf(now, openFolder()))
      void ask(now, needs).catch(report);
  }

  policies.observe(() => void askAgain().catch(report));
  void askAgain().catch(report);

  return async (plan, session, asker = 'page') => {
    await policies.loaded();
    // The folder that is open here decides, and gets the run: nothing is awaited between the two.
    const policy = policies.current;
    const rule = policy.ruleOf(ruleOf(asker));
    if (rule === 'never')
      throw new ToolError(
        'not-supported',
        asker === 'page'
          ? 'The user does not let pages run plans.'
          : 'The user does not let this extension run plans.',
        'Run the plan under “Plans”, or change the rule on the Policy page.',
      );
    const { folderId } = openFolder();
    const isApproved =
      asker === 'page' && (approvedPolicies.has(policy) || approvedFor.has(folderId));
    // A file is read only if the user has seen its name.
    if ((rule === 'always' || isApproved) && filesOf(plan).length === 0)
      return start(plan, session, null);
    const run = await start(plan, session, asker);
    await askAbout(run);
    return run;
  };
}

/** An extension may change its name, but not its file. */
function ruleOf(asker: Asker): string {
  return asker === 'page' ? pageRule : `Plans of the extension ${asker.file}`;
}
