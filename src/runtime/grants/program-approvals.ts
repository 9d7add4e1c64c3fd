/**
 * Approvals of the calls of programs. A program's calls to one tool share a question, which lists those that wait; the
 * user may also allow the tool for the rest of the program. The program's clock is paused while the user is asked
 * anything for one of its calls.
 */

import type { CallClock } from '../protocol/ask.ts';
import type { Answered, CallQuestion, Questions } from './questions.ts';

type NewCallQuestion = Omit<CallQuestion, 'id'>;

/** Milliseconds in which further calls join a question, since the calls of a program arrive one by one. */
const joinMs = 200;
/** Limits for the calls that one question lists, and for the characters of their arguments. */
const maxListed = 100;
const maxListedChars = 1_000_000;

interface Waiting {
  readonly asked: NewCallQuestion;
  readonly settle: (answered: Answered) => void;
}

/** The calls of a program to one tool that wait for an answer. */
class Group {
  /** The name under which permissions for the tool are stored. */
  readonly permission: string;
  /** Whether it has only one call, for which alone the user answers. */
  readonly isAlone: boolean;
  readonly waiting = new Set<Waiting>();
  /** The calls that the pending question lists. */
  listed: readonly Waiting[] = [];
  /** Withdraws the pending question. */
  stop = new AbortController();

  constructor(permission: string, isAlone: boolean) {
    this.permission = permission;
    this.isAlone = isAlone;
  }
}

interface Program {
  readonly clock: Pick<CallClock, 'pause' | 'resume'>;
  /** Tools that the user has allowed for the rest of the program. */
  readonly allowed: Set<string>;
  readonly groups: Map<string, Group>;
  /** Whether a question of one of the program's calls is pending. */
  isAsking: boolean;
}

export interface ProgramApprovalsDeps {
  readonly questions: Pick<Questions, 'ask' | 'observe' | 'endProgram'>;
  readonly after: (ms: number, then: () => void) => void;
}

export class ProgramApprovals {
  readonly #deps: ProgramApprovalsDeps;
  readonly #programs = new Map<string, Program>();

  constructor(deps: ProgramApprovalsDeps) {
    this.#deps = deps;
    deps.questions.observe((pending) => {
      for (const [id, program] of this.#programs) {
        const isAsking = pending.some(({ parent }) => parent === id);
        if (isAsking === program.isAsking) continue;
        program.isAsking = isAsking;
        if (isAsking) program.clock.pause();
        else program.clock.resume();
      }
    });
  }

  /**
   * Begins a program.
   * @param callId the program's own call, the parent of the calls that it makes
   * @returns ends it
   */
  begin(callId: string, clock: Program['clock']): () => void {
    const program = { clock, allowed: new Set<string>(), groups: new Map<string, Group>() };
    this.#programs.set(callId, { ...program, isAsking: false });
    return () => {
      this.#programs.delete(callId);
      this.#deps.questions.endProgram(callId);
    };
  }

  /** Whether the user has allowed a tool for the rest of a program. */
  isAllowed(parent: string, permission: string): boolean {
    return this.#programs.get(parent)?.allowed.has(permission) === true;
  }

  /**
   * Asks the user about a call of a program. Never rejects.
   * @param parent the program's own call
   * @param permission the name under which permissions for the tool are stored
   * @param signal withdraws the call from the question
   * @param options.isAlone whether the user wants to be asked about each call
   */
  ask(
    signal: AbortSignal,
    parent: string,
    permission: string,
    asked: NewCallQuestion,
    { isAlone }: Pick<Group, 'isAlone'>,
  ): Promise<Answered> {
    const program = this.#programs.get(parent);
    if (program === undefined || signal.aborted)
      return Promise.resolve({ reply: null, why: 'given-up' });
    const known = isAlone ? undefined : program.groups.get(permission);
    const group = known ?? new Group(permission, isAlone);
    if (!isAlone) program.groups.set(permission, group);
    return new Promise<Answered>((settle) => {
      const end = (answered: Answered): void => {
        signal.removeEventListener('abort', withdraw);
        settle(answered);
      };
      const waiting = { asked, settle: end };
      group.waiting.add(waiting);
      const withdraw = (): void => {
        group.waiting.delete(waiting);
        if (!group.listed.some((one) => group.waiting.has(one))) group.stop.abort();
        end({ reply: null, why: 'given-up' });
      };
      signal.addEventListener('abort', withdraw, { once: true });
      if (group.waiting.size === 1)
        this.#deps.after(joinMs, () => void this.#askAll(program, group));
    });
  }

  /** Asks about the waiting calls of a group until none is left. */
  async #askAll(program: Program, group: Group): Promise<void> {
    const { waiting } = group;
    while (waiting.size > 0) {
      const listed = listedOf(waiting);
      group.listed = listed;
      group.stop = new AbortController();
      const answered = await this.#ask(group, listed);
      if (answered.reply === 'program') program.allowed.add(group.permission);
      const { reply } = answered;
      const isForListed = reply === null || reply === 'once' || reply === 'no';
      // @mutant an answer for the listed calls is not one for later calls => isForListed ? listed : [...waiting] -> [...waiting]
      //   [src/runtime/grants/program-approvals.test.ts]
      for (const one of isForListed ? listed : [...waiting])
        if (waiting.delete(one)) one.settle(answered);
    }
  }

  #ask({ stop, isAlone }: Group, listed: readonly Waiting[]): Promise<Answered> {
    const [first] = listed;
    const calls = listed.map(({ asked }) => ({ id: asked.callId, arguments: asked.arguments }));
    if (first === undefined) return Promise.resolve({ reply: null, why: 'given-up' });
    const asked = isAlone ? first.asked : { ...first.asked, calls };
    return this.#deps.questions.ask(stop.signal, asked);
  }
}

/** The calls that the next question lists, oldest first. */
function listedOf(waiting: ReadonlySet<Waiting>): readonly Waiting[] {
  const listed: Waiting[] = [];
  let chars = 0;
  for (const one of waiting) {
    chars += one.asked.arguments.length;
    if (listed.length > 0 && (listed.length >= maxListed || chars > maxListedChars)) break;
    listed.push(one);
  }
  return listed;
}
