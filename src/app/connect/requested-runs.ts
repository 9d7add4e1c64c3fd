/** Runs of plans that a page or an extension asks for, which the user must allow. */

import type { FolderPolicy } from '../../grants/folder-policy.ts';
import type { PlanRuns } from '../../runner/plan-runs.ts';
import type { RunState } from '../../runner/run-record.ts';
import { isFolderOf, type SessionFolder } from '../../session/session-head.ts';
import { ToolError } from '../../spec/error.ts';
import type { Plan, PlanNeeds } from '../../spec/plan.ts';
import type { PlansControl, PolicyControl } from '../app.ts';

interface RequestedRunsDeps extends Pick<PolicyControl, 'policies' | 'questions'> {
  readonly runs: Pick<PlanRuns, 'loaded' | 'list' | 'get' | 'observe' | 'resume' | 'stop'>;
  /** Stores a run, and begins it unless an extension or a page (empty) asks for it. */
  readonly start: (plan: Plan, session: string, askedBy?: string) => Promise<RunState>;
  /** Lists the needs of a plan. Never rejects. @param session in which the plan is made; empty for none */
  readonly needs: (plan: Plan, session: string) => Promise<PlanNeeds>;
  readonly openFolder: () => SessionFolder;
  /** Resolves when the tools of the open folder are known. */
  readonly settled: () => Promise<unknown>;
  readonly report: (thrown: unknown) => void;
}

/** The name of the user's rule for plans that pages send, which no tool can have. Each extension has its own rule. */
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
      ...{ kind: 'plan', tool: askedBy, file: '', callId: id },
      caller: askedBy === '' ? 'http' : 'extension',
      ...{ plan, needs },
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
    for (const { id, plan, session, isWaiting } of runs.list().toReversed()) {
      if (!isWaiting) continue;
      const needs = await needsOf(plan, session);
      const run = runs.get(id);
      if (run?.isWaiting === true && isFolderOf(run, openFolder()))
        void ask(run, needs).catch(report);
    }
  }

  policies.observe(() => void askAgain().catch(report));
  void askAgain().catch(report);

  return async (plan, session, extension = '') => {
    const policy = policies.current;
    const rule = policy.ruleOf(ruleOf(extension));
    if (rule === 'never')
      throw new ToolError(
        'not-supported',
        extension === ''
          ? 'The user does not let pages run plans.'
          : 'The user does not let this extension run plans.',
        'Run the plan under “Plans”, or change the rule on the Policy page.',
      );
    const needs = await needsOf(plan, session);
    const { folderId } = openFolder();
    const isApproved =
      extension === '' && (approvedPolicies.has(policy) || approvedFor.has(folderId));
    // A file is read only if the user has seen its name.
    if ((rule === 'always' || isApproved) && needs.files.length === 0) return start(plan, session);
    const run = await start(plan, session, extension);
    void ask(run, needs).catch(report);
    return run;
  };
}

function ruleOf(extension: string): string {
  return extension === '' ? pageRule : `Plans of the extension ${extension}`;
}
