/** State of the policy UI: the folder's policy, pending questions, and the requests of this visit. */

import { createContext, onDestroy } from 'svelte';
import { coalesced, type Coalesced } from '../../../runtime/async/coalesce.ts';
import { whenReady } from '../../../runtime/async/when-ready.ts';
import type { FolderPolicy, PolicyView, ToolRule } from '../../../runtime/grants/folder-policy.ts';
import type { Question, Reply } from '../../../runtime/grants/questions.ts';
import type { LoggedRequest } from '../../../runtime/grants/request-log.ts';
import type { PolicyControl } from '../../app.ts';
import { getUi } from '../shell/context.ts';

const nothing: PolicyView = {
  grants: [],
  secrets: [],
  local: false,
  packages: { decision: 'ask', visit: false, index: '' },
  tools: [],
  extensions: [],
};

/** Interval between updates of the list of requests; milliseconds. */
const drawMs = 200;

export class PolicyState {
  readonly #end: () => void;
  #control: PolicyControl | null = null;
  #policy: FolderPolicy | null = null;
  #unfollow: () => void = () => undefined;
  #view: PolicyView = $state.raw(nothing);
  #fleeting = $state.raw(true);
  #questions: readonly Question[] = $state.raw([]);
  #requests: readonly LoggedRequest[] = $state.raw([]);
  readonly #draw: Coalesced;

  constructor(control: Promise<PolicyControl>) {
    this.#draw = coalesced(() => {
      this.#requests = this.#control?.requests.list() ?? [];
    }, drawMs);
    this.#end = whenReady(control, (arrived) => this.#follow(arrived));
  }

  /** The control of policies; null until it has loaded. */
  get control(): PolicyControl | null {
    return this.#control;
  }

  /** The policy of the open folder; null until it has loaded. */
  get policy(): FolderPolicy | null {
    return this.#policy;
  }

  get view(): PolicyView {
    return this.#view;
  }

  /** Whether grants last only until the page is closed. */
  get fleeting(): boolean {
    return this.#fleeting;
  }

  /** Pending questions, the current one first. */
  get questions(): readonly Question[] {
    return this.#questions;
  }

  get requests(): readonly LoggedRequest[] {
    return this.#requests;
  }

  answer(id: number, reply: Reply, reason = '', changed?: string): void {
    this.#control?.questions.answer(id, reply, reason, changed);
  }

  /** Whether to offer an answer to all questions of this kind. */
  isRepeated(question: Question): boolean {
    return (
      this.#questions.includes(question) && this.#control?.questions.isRepeated(question) === true
    );
  }

  refuseAll(id: number): void {
    this.#control?.questions.refuseAll(id);
  }

  grant(origin: string): void {
    this.#policy?.grant(origin, 'always');
    this.#control?.questions.answerOrigin(origin, 'always');
  }

  /** Sets the user's rule for a tool; null leaves the decision to the tool spec. */
  rule(tool: string, rule: ToolRule | null): void {
    this.#policy?.rule(tool, rule);
    if (rule === 'always' || rule === 'never') this.#control?.questions.answerTool(tool, rule);
  }

  dispose(): void {
    this.#end();
    this.#unfollow();
    this.#draw.cancel();
  }

  #follow(control: PolicyControl): () => void {
    const { policies, questions, requests } = control;
    this.#control = control;
    const show = (policy: FolderPolicy): void => {
      this.#unfollow();
      this.#policy = policy;
      const read = (): void => {
        this.#view = policy.get();
        this.#fleeting = policy.isFleeting;
      };
      this.#unfollow = policy.observe(read);
      read();
    };
    show(policies.current);
    this.#questions = questions.list();
    this.#draw();
    const ends = [
      policies.observe(show),
      questions.observe((list) => (this.#questions = list)),
      requests.observe(this.#draw),
    ];
    return () => {
      for (const end of ends) end();
    };
  }
}

export const [getPolicy, setPolicy] = createContext<PolicyState>();

/** The policy of the open folder, as long as the component exists. */
export function usePolicy(): PolicyState {
  const state = new PolicyState(getUi().controls.policy);
  onDestroy(() => state.dispose());
  return state;
}
