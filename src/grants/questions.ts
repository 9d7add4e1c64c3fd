/** What the person is asked on behalf of tools: one after the other, bounded, answered once each. */

import { createObservers } from '../hooks/observe.ts';
import type { JsonText } from '../spec/json.ts';
import type { Caller } from '../spec/call.ts';

interface Asking {
  /** Unique. */
  readonly id: number;
  readonly tool: string;
  /** The tool file, as the registry knows it. */
  readonly file: string;
  readonly callId: string;
  readonly caller: Caller;
}

/** May the tools of this folder send requests to this origin? */
export interface NetworkQuestion extends Asking {
  readonly kind: 'network';
  readonly origin: string;
  readonly method: string;
  readonly url: string;
}

/** `context.approve`: in the tool's own words. */
export interface ApprovalQuestion extends Asking {
  readonly kind: 'approve';
  readonly question: string;
  readonly details: JsonText | null;
}

/** May this call run, whose tool requires approval? */
export interface CallQuestion extends Asking {
  readonly kind: 'call';
  readonly arguments: JsonText;
  /** A model calls, in a session: it may be allowed for the rest of that. */
  readonly inSession: boolean;
  /** Empty where there is none. */
  readonly sessionId: string;
}

/** May packages that this folder declares be fetched? Of no call and no tool. */
export interface PackagesQuestion extends Asking {
  readonly kind: 'packages';
  readonly wanted: readonly { readonly file: string; readonly requirement: string }[];
  /** Where they would be fetched. */
  readonly index: string;
}

export type Question = NetworkQuestion | ApprovalQuestion | CallQuestion | PackagesQuestion;

/** A question before it has its number. */
export type NewQuestion =
  | Omit<NetworkQuestion, 'id'>
  | Omit<ApprovalQuestion, 'id'>
  | Omit<CallQuestion, 'id'>
  | Omit<PackagesQuestion, 'id'>;

/**
 * `once`: for this call; `session`: for the rest of its session; `visit`: until the page is left; `always` and `never`
 * are kept; `no`: not now. Of an approval `once` and `no` alone; of a call all but `visit`; of packages all but `once`
 * and `session`.
 */
export type Reply = 'once' | 'session' | 'visit' | 'always' | 'never' | 'no';

/** How a question ended: as the person said, or without them. */
export type Answered =
  | {
      readonly reply: Reply;
      readonly reason: string;
      /** Other arguments for the call, a JSON object. */
      readonly changed?: JsonText;
    }
  | { readonly reply: null; readonly why: 'too-many' | 'given-up' | 'timeout' | 'nobody' };

interface Waiting {
  readonly question: Question;
  readonly settle: (answered: Answered) => void;
}

/** Questions that wait at once, and those of one call. */
const most = 30;
const mostOfCall = 3;

export interface QuestionDeps {
  /** false: nobody can be asked, as in another site's frame. */
  readonly canAsk: () => boolean;
  readonly after: (ms: number, then: () => void) => () => void;
  /** Told of what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

export class Questions {
  readonly #deps: QuestionDeps;
  readonly #observers;
  readonly #waiting: Waiting[] = [];
  #numbers = 0;

  constructor(deps: QuestionDeps) {
    this.#deps = deps;
    this.#observers = createObservers<readonly Question[]>(deps.report);
  }

  /** The one that is asked now, and those that wait behind it. */
  list(): readonly Question[] {
    return this.#waiting.map(({ question }) => question);
  }

  /** @returns dispose */
  observe(listener: (questions: readonly Question[]) => void): () => void {
    return this.#observers.observe(listener);
  }

  /**
   * Never rejects.
   * @param signal nobody waits for the answer any more
   * @param withinMs how long the person may take; null: as long as the signal lets them
   */
  ask(signal: AbortSignal, asked: NewQuestion, withinMs: number | null = null): Promise<Answered> {
    if (signal.aborted) return ended('given-up');
    if (!this.#deps.canAsk()) return ended('nobody');
    const ofCall = this.#waiting.filter(({ question }) => question.callId === asked.callId).length;
    if (this.#waiting.length >= most || ofCall >= mostOfCall) return ended('too-many');
    return new Promise((resolve) => {
      const question = { ...asked, id: ++this.#numbers } as Question;
      const giveUp = (why: 'given-up' | 'timeout') => (): void => {
        this.#settle(question.id, { reply: null, why });
      };
      const abort = giveUp('given-up');
      const cancel = withinMs === null ? undefined : this.#deps.after(withinMs, giveUp('timeout'));
      signal.addEventListener('abort', abort, { once: true });
      const settle = (answered: Answered): void => {
        cancel?.();
        signal.removeEventListener('abort', abort);
        resolve(answered);
      };
      this.#waiting.push({ question, settle });
      this.#tell();
    });
  }

  /**
   * The person has answered; an id that waits no more is left alone. What they said of more than one call settles those
   * that wait already.
   *
   * @param changed the call's arguments, where they changed them
   */
  answer(id: number, reply: Reply, reason = '', changed?: JsonText): void {
    const said = { reply, reason: reason.trim().slice(0, 2_000) };
    const answered = this.list().find((question) => question.id === id);
    this.#settle(id, changed === undefined ? said : { ...said, changed });
    if (answered?.kind === 'call') this.#settleCalls(answered, said);
  }

  /** Settles those about calls of a tool, since it has been decided upon elsewhere. */
  answerTool(tool: string, reply: 'always' | 'never'): void {
    const asked = this.list().find(
      (question) => question.kind === 'call' && question.tool === tool,
    );
    if (asked !== undefined) this.answer(asked.id, reply);
  }

  /** Settles those about an origin, since it has been decided upon elsewhere. */
  answerOrigin(origin: string, reply: Reply): void {
    for (const { question } of [...this.#waiting])
      if (question.kind === 'network' && question.origin === origin)
        this.answer(question.id, reply);
  }

  /** As one of them was answered. */
  #settleCalls(
    { tool, sessionId }: CallQuestion,
    said: Answered & { readonly reply: Reply },
  ): void {
    const { reply } = said;
    for (const question of this.list()) {
      if (question.kind !== 'call' || question.tool !== tool) continue;
      const ofSession = question.inSession && question.sessionId === sessionId;
      if (reply === 'always' || reply === 'never' || (reply === 'session' && ofSession))
        this.#settle(question.id, said);
    }
  }

  #settle(id: number, answered: Answered): void {
    const at = this.#waiting.findIndex(({ question }) => question.id === id);
    const [waiting] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (waiting === undefined) return;
    waiting.settle(answered);
    this.#tell();
  }

  #tell(): void {
    this.#observers.emit(this.list());
  }
}

function ended(why: 'too-many' | 'given-up' | 'nobody'): Promise<Answered> {
  return Promise.resolve({ reply: null, why });
}
