/** State of the policy UI: the folder's policy, pending questions, and the requests of this visit. */

import { createContext } from 'svelte';
import type { FolderPolicy, PolicyView, ToolRule } from '../../../runtime/grants/folder-policy.ts';
import type { Question, Reply } from '../../../runtime/grants/questions.ts';
import type { LoggedRequest } from '../../../runtime/grants/request-log.ts';
import type { PolicyControl } from '../../app.ts';
import { Observed } from '../parts/observed.ts';
import { getUi } from '../shell/context.ts';
import { parseOrigin } from './origin-input.ts';

interface Shown {
  readonly policy: FolderPolicy | null;
  readonly view: PolicyView;
  readonly isTemporary: boolean;
}

const nothing: Shown = {
  policy: null,
  view: {
    grants: [],
    secrets: [],
    local: false,
    packages: { decision: 'ask', visit: false, index: '' },
    tools: [],
    extensions: [],
  },
  isTemporary: true,
};

/** Interval between updates of the list of requests; milliseconds. */
const drawMs = 200;

export class PolicyState {
  #control: PolicyControl | null = null;
  #shown: Observed<Shown> = $state.raw(new Observed(() => nothing));
  #questions: Observed<readonly Question[]> = $state.raw(new Observed(() => []));
  #requests: Observed<readonly LoggedRequest[]> = $state.raw(new Observed(() => []));

  constructor(control: Promise<PolicyControl>) {
    void control.then((loaded) => this.#follow(loaded));
  }

  /** The control of policies; null until it has loaded. */
  get control(): PolicyControl | null {
    return this.#control;
  }

  /** The policy of the open folder; null until it has loaded. */
  get policy(): FolderPolicy | null {
    return this.#shown.current.policy;
  }

  get view(): PolicyView {
    return this.#shown.current.view;
  }

  /** Whether grants last only until the page is closed. */
  get isTemporary(): boolean {
    return this.#shown.current.isTemporary;
  }

  /** Pending questions, the current one first. */
  get questions(): readonly Question[] {
    return this.#questions.current;
  }

  get requests(): readonly LoggedRequest[] {
    return this.#requests.current;
  }

  /**
   * The latest request to each origin whose latest request was refused for lack of a grant, and whether the origin is
   * allowed by now.
   */
  get ungranted(): readonly { readonly request: LoggedRequest; readonly allowed: boolean }[] {
    const latest = new Map<string, LoggedRequest>();
    for (const request of this.requests)
      if (!latest.has(request.origin)) latest.set(request.origin, request);
    const { grants, local } = this.view;
    return [...latest.values()]
      .filter((request) => request.ungranted === true)
      .map((request) => ({
        request,
        allowed:
          grants.some(({ origin, allowed }) => allowed && origin === request.origin) &&
          (local || !isLocalOrigin(request.origin)),
      }));
  }

  /** Allows an origin, and for a local one also local addresses. */
  grantRefused(origin: string): void {
    if (isLocalOrigin(origin)) this.policy?.allowLocal(true);
    this.grant(origin);
  }

  answer(id: number, reply: Reply, reason = '', changed?: string): void {
    this.#control?.questions.answer(id, reply, reason, changed);
  }

  /** Whether to offer an answer to all questions of this kind. */
  isRepeated(question: Question): boolean {
    return (
      this.questions.includes(question) && this.#control?.questions.isRepeated(question) === true
    );
  }

  refuseAll(id: number): void {
    this.#control?.questions.refuseAll(id);
  }

  grant(origin: string): void {
    this.policy?.grant(origin, 'always');
    this.#control?.questions.answerOrigin(origin, 'always');
  }

  /** Sets the user's rule for a tool; null leaves the decision to the tool spec. */
  rule(tool: string, rule: ToolRule | null): void {
    this.policy?.rule(tool, rule);
    if (rule === 'always' || rule === 'never') this.#control?.questions.answerTool(tool, rule);
  }

  #follow(control: PolicyControl): void {
    const { policies, questions, requests } = control;
    this.#control = control;
    this.#shown = new Observed(
      () => {
        const policy = policies.current;
        return { policy, view: policy.get(), isTemporary: policy.isTemporary };
      },
      {
        observe(changed) {
          let unfollow = policies.current.observe(changed);
          const stop = policies.observe((policy) => {
            unfollow();
            unfollow = policy.observe(changed);
            changed();
          });
          return () => {
            stop();
            unfollow();
          };
        },
      },
    );
    this.#questions = new Observed(() => questions.list(), questions);
    this.#requests = new Observed(() => requests.list(), requests, drawMs);
  }
}

export function isLocalOrigin(origin: string): boolean {
  const target = parseOrigin(origin, location.origin);
  return 'local' in target && target.local;
}

export const [getPolicy, setPolicy] = createContext<PolicyState>();

/** The policy of the open folder, for the calling component. */
export function usePolicy(): PolicyState {
  return new PolicyState(getUi().controls.policy);
}
