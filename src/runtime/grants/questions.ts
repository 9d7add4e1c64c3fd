/**
 * Questions to the user on behalf of tools. They are asked one after the other, limited in number, and
 * answered once each.
 */

import { Observable } from '../hooks/observe.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';
import type { Caller, ToolCall } from '../spec/call.ts';
import type { Plan, PlanNeeds } from '../spec/plan.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { Power } from './powers.ts';
import { ProgramQuestionCounts } from './program-question-counts.ts';

/** The members that all questions have: what asks, and for which call. */
interface Asking {
  readonly id: number;
  readonly tool: string;
  readonly file: string;
  readonly callId: string;
  readonly caller: Caller;
  /** Origin of the page for which the call runs, if it is not Cloche's own. */
  readonly site?: string;
  /** The task of a plan whose sub-agent made the call, if one did. */
  readonly task?: AskingTask | null;
  /** The call that runs the program that made the call, if one did. */
  readonly parent?: string;
}

/** Whether the folder's tools may send requests to an origin. */
export interface NetworkQuestion extends Asking {
  readonly kind: 'network';
  readonly origin: string;
  readonly method: string;
  readonly url: string;
}

/** A question that a tool asks with `context.approve`. */
export interface ApprovalQuestion extends Asking {
  readonly kind: 'approve';
  readonly question: string;
  readonly details: JsonText | null;
}

/** Whether a call may run whose tool requires approval. */
export interface CallQuestion extends Asking {
  readonly kind: 'call';
  readonly arguments: JsonText;
  /** Whether the user can allow the tool for the rest of the session. */
  readonly inSession: boolean;
  /** Empty without a session. */
  readonly sessionId: string;
  /** The task of a plan for which a sub-agent calls; null for any other caller. */
  readonly task: AskingTask | null;
  /** The calls of a program that the answer is for, this one first; absent for any other caller. */
  readonly calls?: readonly { readonly id: string; readonly arguments: JsonText }[];
}

/** A task of a plan whose sub-agent asks. */
export interface AskingTask {
  readonly run: string;
  readonly title: string;
}

/** Whether packages that the folder declares may be downloaded. Its tool is empty. */
export interface PackagesQuestion extends Asking {
  readonly kind: 'packages';
  readonly wanted: readonly { readonly file: string; readonly requirement: string }[];
  readonly index: string;
}

/** Whether an extension gets powers. Its tool is the extension's name. */
export interface PowersQuestion extends Asking {
  readonly kind: 'powers';
  readonly wanted: readonly Power[];
  /** Whether an earlier version of the file has powers. */
  readonly changed: boolean;
}

/** Whether a plan may run that a page sent over the API, or the extension that is its tool; it uses models. */
export interface PlanQuestion extends Asking {
  readonly kind: 'plan';
  readonly plan: Plan;
  readonly needs: PlanNeeds;
}

/** Whether pages of another origin may list and call tools. It concerns no tool. */
export interface SiteQuestion extends Asking {
  readonly kind: 'site';
  readonly origin: string;
}

/** The form that the server of a running tool asks the user to fill in. */
export interface FormQuestion extends Asking {
  readonly kind: 'form';
  /** The server's words. */
  readonly message: string;
  /** Schema of the answer. */
  readonly form: JsonObject;
}

/** A question whether the user opens the page that the server of a running tool names. */
export interface AddressQuestion extends Asking {
  readonly kind: 'address';
  /** The server's words. */
  readonly message: string;
  readonly url: string;
}

export type Question =
  | NetworkQuestion
  | ApprovalQuestion
  | CallQuestion
  | PackagesQuestion
  | PowersQuestion
  | PlanQuestion
  | SiteQuestion
  | FormQuestion
  | AddressQuestion;

/** A question without an id. */
export type NewQuestion = WithoutId<Question>;

type WithoutId<Q> = Q extends Question ? Omit<Q, 'id'> : never;

/** Returns the members of a question that describe the call it comes from. */
export function askingOf(
  { name: tool, source: { file } }: RegisteredTool,
  { id: callId, caller, site, parent }: ToolCall,
): Omit<Asking, 'id' | 'task'> {
  return {
    tool,
    file,
    callId,
    caller,
    ...(site !== undefined && { site }),
    ...(parent !== undefined && { parent }),
  };
}

/**
 * The user's reply. `choicesOf` (question-words.ts) returns the replies that the page offers for a question.
 * - `once`: for this call, or for the calls of a program that the question lists
 * - `program`: for this call and all later calls of the same program to the tool
 * - `session`: for the rest of the call's session, or for all sub-agents of the run if a sub-agent calls
 * - `visit`: until the page is closed
 * - `always`, `never`: stored for later visits, if decisions for the folder are stored
 * - `no`: not now
 */
export type Reply = 'once' | 'program' | 'session' | 'visit' | 'always' | 'never' | 'no';

/** The end of a question: with the user's reply, or without one. */
export type Answered =
  | {
      readonly reply: Reply;
      readonly reason: string;
      /** Changed arguments for the call, or the filled in form, as a JSON object. */
      readonly changed?: JsonText;
      /** Whether the user answered “Never for all of these”. */
      readonly ofAll?: true;
    }
  | { readonly reply: null; readonly why: Unasked };

/**
 * Why a question has no reply. `too-many`: too many are pending, or the user has refused too many of its kind; `program`:
 * the user has refused its program too often, or was asked for it too often; `never-again`: the user has turned off its
 * kind; `given-up`: its call no longer waits for it; `timeout`: the user did not reply in time.
 */
type Unasked = 'too-many' | 'program' | 'never-again' | 'given-up' | 'timeout' | Unaskable;

/** Why a page asks nothing: it is in a frame of another site, or it has no part that answers questions. */
export type Unaskable = 'framed' | 'unanswered';

export const unaskable: Readonly<Record<Unaskable, string>> = {
  framed: 'The user cannot be asked in a frame of another site. Open Cloche in its own window.',
  unanswered: 'This page does not answer questions from tools.',
};

interface Waiting {
  readonly question: Question;
  readonly settle: (answered: Answered) => void;
}

/** Limits for pending questions: in total, and of one call. */
const maxPending = 30;
const maxOfCall = 3;
/**
 * Limit of questions of one kind that the user has not allowed, pending ones included. Without a limit, a page with
 * many ports, a tool that tries many hosts, or a folder with many extensions could ask forever. Allowing one question
 * resets the count.
 */
const maxRefused: Partial<Record<Question['kind'], number>> = {
  site: 4,
  plan: 4,
  network: 8,
  packages: 8,
  powers: 12,
  form: 8,
  address: 8,
};
/** Time after which a refusal no longer counts; milliseconds. */
const refusedMs = 10 * 60_000;

export interface QuestionDeps {
  /** Why nothing is asked, as in a frame of another origin, whose page could cover the question; null to ask. */
  readonly whyUnaskable: () => Unaskable | null;
  readonly after: (ms: number, then: () => void) => () => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

export class Questions extends Observable<readonly Question[]> {
  readonly #deps: QuestionDeps;
  readonly #waiting: Waiting[] = [];
  readonly #claimed = new Set<number>();
  #lastId = 0;
  /** Kinds of questions that the user answered with “Never for all of these”, until the page is closed. */
  readonly #muted = new Set<Question['kind']>();
  /** Subjects of the questions that the user has recently refused, by kind. */
  readonly #refused = new Map<Question['kind'], Set<string>>();
  /** Counts the questions of programs; each count ends with its program. */
  readonly #ofPrograms = new ProgramQuestionCounts();

  constructor(deps: QuestionDeps) {
    super(deps.report);
    this.#deps = deps;
  }

  /** Marks a question that an MCP client answers for its user: `npx cloche` then does not refuse it (headless.ts). */
  claim(id: number): void {
    this.#claimed.add(id);
  }

  isClaimed(id: number): boolean {
    return this.#claimed.has(id);
  }

  /** Returns the current question, followed by those queued behind it. */
  list(): readonly Question[] {
    return this.#waiting.map(({ question }) => question);
  }

  /**
   * Asks the user. Never rejects.
   * @param signal withdraws the question
   * @param withinMs milliseconds that the user has to answer; null means no limit
   */
  ask(signal: AbortSignal, asked: NewQuestion, withinMs: number | null = null): Promise<Answered> {
    if (signal.aborted) return endUnasked('given-up');
    const why = this.#deps.whyUnaskable();
    if (why !== null) return endUnasked(why);
    const ofCall = this.#waiting.filter(({ question }) => question.callId === asked.callId).length;
    // @mutant questions at once are bounded => never
    if (this.#waiting.length >= maxPending || ofCall >= maxOfCall) return endUnasked('too-many');
    // @mutant a kind of question that the user refused for good is not asked => never
    //   [src/runtime/grants/total-of-questions.test.ts]
    if (this.#muted.has(asked.kind)) return endUnasked('never-again');
    // @mutant a program asks only so often => never [src/agent/programs/program-grants.test.ts]
    if (this.#ofPrograms.areFull(asked.parent)) return endUnasked('program');
    const unallowed = this.#unansweredOrRefused(asked.kind);
    // @mutant questions about new things are limited in total => (maxRefused[asked.kind] ?? Infinity) -> Infinity
    //   [src/runtime/grants/total-of-questions.test.ts]
    if (!unallowed.has(subjectOf(asked)) && unallowed.size >= (maxRefused[asked.kind] ?? Infinity))
      return endUnasked('too-many');
    return new Promise((resolve) => {
      const question = { ...asked, id: ++this.#lastId } as Question;
      const giveUp = (why: 'given-up' | 'timeout') => (): void => {
        this.#settle(question.id, { reply: null, why });
      };
      const abort = giveUp('given-up');
      const cancel = withinMs === null ? undefined : this.#deps.after(withinMs, giveUp('timeout'));
      // @mutant a question ends with its call => removed
      signal.addEventListener('abort', abort, { once: true });
      const settle = (answered: Answered): void => {
        cancel?.();
        signal.removeEventListener('abort', abort);
        resolve(answered);
      };
      this.#waiting.push({ question, settle });
      this.#ofPrograms.addQuestion(asked.parent);
      this.#notify();
    });
  }

  /**
   * Answers a question; does nothing if it is no longer pending. `always` and `never` also answer pending questions about
   * calls to the same tool, `session` those of the same session or run. For `program`, ProgramApprovals does that.
   * @param changed the call's arguments, if the user changed them, or the filled in form
   */
  answer(id: number, reply: Reply, reason = '', changed?: JsonText): void {
    const answer = { reply, reason: reason.trim().slice(0, 2_000) };
    const answered = this.list().find((question) => question.id === id);
    this.#settle(id, changed === undefined ? answer : { ...answer, changed });
    if (answered?.kind === 'call') this.#settleCalls(answered, answer);
    const { parent } = answered ?? {};
    // Once the user has refused a program too often in a row, all its other questions end.
    if (!this.#ofPrograms.addAnswer(parent, reply === 'no' || reply === 'never')) return;
    for (const question of this.list())
      if (question.parent === parent) this.#settle(question.id, { reply: null, why: 'program' });
  }

  /** Whether there are more questions of the same kind, or the user has refused some. */
  isRepeated({ kind }: Question): boolean {
    return maxRefused[kind] !== undefined && this.#unansweredOrRefused(kind).size > 1;
  }

  /**
   * Refuses all pending questions of the same kind, and asks none of that kind until the page is closed. For sites,
   * AllowedSites stores the refusal instead, until the user removes it in the settings.
   */
  refuseAll(id: number): void {
    const kind = this.list().find((question) => question.id === id)?.kind;
    if (kind === undefined) return;
    if (kind !== 'site') this.#muted.add(kind);
    for (const question of this.list())
      if (question.kind === kind)
        this.#settle(question.id, { reply: 'never', reason: '', ofAll: true });
    this.#refused.delete(kind);
  }

  /** Answers pending questions about calls to a tool, because a rule for it was made elsewhere. */
  answerTool(tool: string, reply: 'always' | 'never'): void {
    for (const question of this.list()) {
      if (question.kind !== 'call' || question.tool !== tool) continue;
      // Each call of another site is asked for.
      if (question.site === undefined || reply === 'never')
        this.#settle(question.id, { reply, reason: '' });
    }
  }

  /** Answers pending questions about an origin, because it was decided elsewhere. */
  answerOrigin(origin: string, reply: Reply): void {
    for (const question of this.list())
      if (question.kind === 'network' && question.origin === origin)
        this.#settle(question.id, { reply, reason: '' });
  }

  /** Forgets how often the user was asked for a program that has ended. */
  endProgram(callId: string): void {
    this.#ofPrograms.end(callId);
  }

  /** Answers pending questions about the same tool in the same way. */
  #settleCalls(
    { tool, sessionId, task }: CallQuestion,
    given: Answered & { readonly reply: Reply },
  ): void {
    const { reply } = given;
    for (const question of this.list()) {
      if (question.kind !== 'call' || question.tool !== tool) continue;
      // Each call of another site is asked for.
      if (question.site !== undefined && reply !== 'never') continue;
      const ofSession = question.inSession && question.sessionId === sessionId;
      const ofRun = task !== null && question.task?.run === task.run;
      if (reply === 'always' || reply === 'never' || (reply === 'session' && (ofSession || ofRun)))
        this.#settle(question.id, given);
    }
  }

  #settle(id: number, answered: Answered): void {
    const at = this.#waiting.findIndex(({ question }) => question.id === id);
    const [waiting] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (waiting === undefined) return;
    this.#count(waiting.question, answered);
    waiting.settle(answered);
    this.#notify();
  }

  /** The subjects of questions of a kind that are pending or refused. */
  #unansweredOrRefused(kind: Question['kind']): ReadonlySet<string> {
    const pending = this.list().filter((question) => question.kind === kind);
    return new Set([...pending.map(subjectOf), ...(this.#refused.get(kind) ?? [])]);
  }

  #count(question: Question, answered: Answered): void {
    const { kind } = question;
    const isRefused =
      answered.reply === null
        ? answered.why === 'timeout'
        : answered.reply === 'no' || answered.reply === 'never';
    if (isRefused) {
      const refused = this.#refused.get(kind) ?? new Set();
      this.#refused.set(kind, refused.add(subjectOf(question)));
      this.#deps.after(refusedMs, () => refused.delete(subjectOf(question)));
    } else if (answered.reply !== null) this.#refused.delete(kind);
  }

  #notify(): void {
    this.emit(this.list());
  }
}

/** The subject of a question. Several calls can ask about the same subject. */
function subjectOf(question: NewQuestion): string {
  return 'origin' in question ? question.origin : question.callId;
}

function endUnasked(why: Unasked): Promise<Answered> {
  return Promise.resolve({ reply: null, why });
}
