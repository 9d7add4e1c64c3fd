/** Starts runs of plans: for the user at once; for a page or an extension once the user has allowed it. */

import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import type { FolderPolicy } from '../../runtime/grants/folder-policy.ts';
import type { Policies } from '../../runtime/grants/policies.ts';
import type { Questions } from '../../runtime/grants/questions.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Asker, Plan, PlanNeeds } from '../../runtime/spec/plan.ts';
import { isFolderOf } from '../session/session-head.ts';
import { filesOf } from './plan-needs.ts';
import type { PlanRuns } from './plan-runs.ts';
import type { PlanSources } from './plan-sources.ts';
import type { RunState } from './run-record.ts';

export interface RequestedRunsDeps {
  readonly runs: PlanRuns;
  readonly sources: Pick<PlanSources, 'needs' | 'ofSession'>;
  readonly policies: Policies;
  readonly questions: Questions;
  readonly currentFolder: Pick<CurrentFolder, 'reference'>;
  readonly folder: Pick<FolderLoader, 'settled'>;
  readonly report: (thrown: unknown) => void;
}

/** The name of the user's rule for plans that pages send, which no tool can have. The file of each extension has its own. */
const pageRule = 'POST api/runs';

export class RequestedRuns {
  readonly #deps: RequestedRunsDeps;
  /** Ids of folders for which the user lets pages run plans, until the page is closed. */
  readonly #approvedFor = new Set<string>();
  /** The policies of these folders, some of which have no id, or none yet. Each opened folder has its own. */
  readonly #approvedPolicies = new WeakSet<FolderPolicy>();
  /** Withdraws the questions about runs, by their ids. */
  readonly #asking = new Map<string, AbortController>();

  constructor(deps: RequestedRunsDeps) {
    this.#deps = deps;
    const askAgain = (): void => void this.#askAgain().catch(deps.report);
    deps.policies.observe(askAgain);
    askAgain();
  }

  /**
   * Stores a run of the folder that is open now.
   * @param askedBy who asks for it, so that it waits for the user; null to begin it @throws {ToolError}
   */
  async start(plan: Plan, session: string, askedBy: Asker | null): Promise<RunState> {
    const { runs, sources, currentFolder } = this.#deps;
    const { reference } = currentFolder;
    const inherited = session === '' ? null : (await sources.ofSession(session)).tools;
    return runs.start(plan, {
      session,
      inherited,
      ...reference,
      ...(askedBy !== null && { waits: true }),
      ...(askedBy !== null && askedBy !== 'page' && { extension: askedBy }),
    });
  }

  /**
   * Stores a run, and begins it if the policy allows it. Otherwise the run waits for the user's approval.
   * @throws {ToolError} `not-supported` if the policy refuses it
   */
  async request(plan: Plan, session: string, asker: Asker): Promise<RunState> {
    const { policies, currentFolder } = this.#deps;
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
    const { folderId } = currentFolder.reference;
    const isApproved =
      // @mutant plans: an answer for pages does not cover extensions => without asker === 'page' &&
      asker === 'page' && (this.#approvedPolicies.has(policy) || this.#approvedFor.has(folderId));
    // A file is read only if the user has seen its name.
    // @mutant plans: a file is read only if the user has seen its name => without && filesOf(plan).length === 0
    if ((rule === 'always' || isApproved) && filesOf(plan).length === 0)
      return this.start(plan, session, null);
    // @mutant plans: a run that a page requests waits for the user => asker -> null
    const run = await this.start(plan, session, asker);
    await this.#askAbout(run);
    return run;
  }

  /** Asks the user, and begins or ends the run. */
  async #ask({ id, plan, askedBy }: RunState, needs: PlanNeeds): Promise<void> {
    if (askedBy === null || this.#asking.has(id)) return;
    const { runs, policies, questions, currentFolder } = this.#deps;
    const policy = policies.current;
    const { folderId } = currentFolder.reference;
    const stop = new AbortController();
    this.#asking.set(id, stop);
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
    if (this.#asking.get(id) === stop) this.#asking.delete(id);
    if (stop.signal.aborted || reply === null) return;
    if (reply === 'always' || reply === 'never') policy.rule(ruleOf(askedBy), reply);
    if (reply === 'visit') {
      this.#approvedPolicies.add(policy);
      // @mutant plans: an approval of requested runs is for one folder => without if (folderId !== '')
      if (folderId !== '') this.#approvedFor.add(folderId);
    }
    if (reply === 'once' || reply === 'visit' || reply === 'always') await runs.resume(id);
    else await runs.stop(id, 'The user did not allow the run.');
  }

  /** Asks about the runs of the open folder that still wait for an answer. */
  async #askAgain(): Promise<void> {
    const { runs, folder } = this.#deps;
    for (const stop of this.#asking.values()) stop.abort();
    this.#asking.clear();
    await Promise.all([runs.loaded, folder.settled()]);
    for (const run of runs.list().toReversed()) if (run.isWaiting) await this.#askAbout(run);
  }

  /** Asks about a run if its folder is open. Otherwise the question is asked when the folder is opened. */
  async #askAbout(run: RunState): Promise<void> {
    const { runs, sources, currentFolder, report } = this.#deps;
    // The stored run's own tools: those of the session may have changed since.
    const needs = await sources.needs(run.plan, run.session, run.inherited);
    const now = runs.get(run.id);
    if (now?.isWaiting === true && isFolderOf(now, currentFolder.reference))
      void this.#ask(now, needs).catch(report);
  }
}

/** An extension may change its name, but not its file. */
function ruleOf(asker: Asker): string {
  // @mutant plans: an extension that is refused stays refused under another name => asker.file -> asker.extension
  return asker === 'page' ? pageRule : `Plans of the extension ${asker.file}`;
}
