/** The grants of a call: approval before it runs, and answers to its requests and questions while it runs. */

import { endingText, failure } from '../call/results.ts';
import type { Approve, CallDecision } from '../call/call-path.ts';
import { isOfModel, type Approval, type CallAnswer, type ToolCall } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPolicy } from './folder-policy.ts';
import type { ProgramApprovals } from './program-approvals.ts';
import { askedEnough } from './program-question-counts.ts';
import {
  askingOf,
  unaskable,
  type Answered,
  type AskingTask,
  type Questions,
  type Reply,
} from './questions.ts';
import {
  type ApproveAsk,
  type Ask,
  type AskAnswer,
  type CallClock,
  type CallHost,
  type OpenHost,
  refusal,
} from '../protocol/ask.ts';
import { CallRequests, type NetworkDeps } from './call-requests.ts';

/** Milliseconds that the user has to answer if a program waits for the call. */
const answerMs = 60_000;
/** After this many denials, the user is not asked again during the call. */
const maxDenials = 3;

export interface ApproveDeps {
  readonly questions: Questions;
  readonly policy: FolderPolicy;
  /** Whether the user has allowed the tool for the rest of the session. */
  readonly allowedInSession: (sessionId: string, tool: string) => boolean;
  /** The task of a plan that the session is for; null for others. */
  readonly taskOf: (sessionId: string) => AskingTask | null;
  readonly programs: Pick<ProgramApprovals, 'isAllowed' | 'ask'>;
  /** Allows the tool for all sub-agents of a run, during this visit. */
  readonly allowInRun: (run: string, tool: string) => void;
}

/** The decision for a call that runs without a question. */
const allowed: CallDecision = { answer: null, refusal: null };

/**
 * Decides by the user's rule for the tool, then by what the user allowed in this session, then by the tool's
 * spec. If the spec's callable fails, approval is required.
 */
export async function approveCall(
  { policy, questions, programs, allowedInSession, taskOf, allowInRun }: ApproveDeps,
  ...[signal, tool, call, dispatch]: Parameters<Approve>
): Promise<CallDecision> {
  const { caller, parent } = call;
  const { permission = tool.name } = tool;
  // @mutant permissions for a tool of a server end when its definition changes => (permission) -> (tool.name)
  //   [src/agent/mcp/servers.test.ts]
  const rule = policy.ruleOf(permission);
  // Permissions for models, or for pages of Cloche's own, do not apply to other sites, nor to the browser's agent.
  // @mutant WebMCP: “Always allow” does not replace the approval of its calls => without || call.caller === 'webmcp'
  const isOthers = call.site !== undefined || call.caller === 'webmcp';
  // @mutant other sites: “Always allow” does not replace the approval of their calls => without && !isOthers
  if (rule === 'always' && !isOthers) return allowed;
  // @mutant a tool that is never allowed is refused => never [src/runtime/grants/questions.test.ts]
  if (rule === 'never') return notApproved(signal, tool, null, 'The user has blocked this tool.');
  if (rule !== 'ask' && call.sessionId !== '' && allowedInSession(call.sessionId, permission))
    return allowed;
  // @mutant a user who wants to be asked each time is asked in programs too => parent !== undefined && rule !== 'ask' -> parent !== undefined
  //   [src/runtime/grants/program-approvals.test.ts]
  if (parent !== undefined && rule !== 'ask' && programs.isAllowed(parent, permission))
    return allowed;
  const byTool = rule === null || rule === 'always';
  if (byTool && tool.requires_approval === false) return allowed;
  if (byTool && tool.requires_approval === 'callable') {
    // @mutant approval is needed where a callable fails => true -> false [src/runtime/grants/questions.test.ts]
    const needed = await dispatch.needsApproval(signal, tool, call).catch(() => true);
    if (!needed) return allowed;
  }
  const refusal = await dispatch.check(signal, tool, call);
  if (refusal !== null) return { answer: null, refusal };
  const task = caller === 'sub-agent' || caller === 'program' ? taskOf(call.sessionId) : null;
  // A user who wants to be asked each time is not offered to allow the tool for the session.
  const ofSession = isOfModel(caller) && call.sessionId !== '';
  const asked = {
    kind: 'call',
    ...askingOf(tool, call),
    arguments: call.arguments,
    inSession: ofSession && rule !== 'ask',
    sessionId: call.sessionId,
    task,
  } as const;
  const answered =
    parent !== undefined
      ? await programs.ask(signal, parent, permission, asked, { isAlone: rule === 'ask' })
      : await questions.ask(signal, asked, ofSession ? null : answerMs);
  if (answered.reply === 'session' && task !== null) allowInRun(task.run, permission);
  return decisionFrom(signal, tool, answered, policy);
}

function decisionFrom(
  signal: AbortSignal,
  tool: RegisteredTool,
  answered: Answered,
  policy: FolderPolicy,
): CallDecision {
  const answer = answerOf(answered);
  if (answer?.approval === 'always' || answer?.approval === 'never')
    policy.rule(tool.permission ?? tool.name, answer.approval);
  if (answer === null || answer.approval === 'deny' || answer.approval === 'never')
    return notApproved(signal, tool, answer, whyDenied(answered));
  return { answer, refusal: null };
}

function notApproved(
  signal: AbortSignal,
  tool: RegisteredTool,
  answer: CallAnswer | null,
  why: string,
): CallDecision {
  const ending = signal.aborted ? 'cancelled' : 'approval_required';
  return { answer, refusal: failure(ending, endingText(ending, tool.name, why)) };
}

/** The reason, for the model. An explicit denial by the user matters more than a missing answer. */
function whyDenied(answered: Answered): string {
  const why = whyNot(answered);
  if (answered.reply === null) return why;
  if (answered.reply === 'never') return 'The user has blocked this tool.';
  return why === '' ? 'The user denied it.' : `The user denied it: ${why}`;
}

const approvals: Readonly<Record<Reply, Approval>> = {
  once: 'once',
  program: 'once',
  session: 'session',
  visit: 'always',
  always: 'always',
  never: 'never',
  no: 'deny',
};

function answerOf(answered: Answered): CallAnswer | null {
  if (answered.reply === null) return null;
  const { reply, reason, changed } = answered;
  return {
    approval: approvals[reply],
    reason,
    ...(changed === undefined ? {} : { arguments: changed }),
  };
}

/**
 * Creates the host of each call of the open folder.
 * @param deps returns those of the folder that is open when the call starts
 */
export function hostOpener(deps: () => NetworkDeps): OpenHost {
  return (tool, call, clock) => new Host(deps(), tool, call, clock);
}

class Host implements CallHost {
  readonly #deps: NetworkDeps;
  readonly #tool: RegisteredTool;
  readonly #call: ToolCall;
  readonly #clock: CallClock;
  #ended = false;
  /** Created on first use, like the requests below, because most calls need neither. */
  #life: AbortController | null = null;
  #requests: CallRequests | null = null;
  #denials = 0;

  constructor(deps: NetworkDeps, tool: RegisteredTool, call: ToolCall, clock: CallClock) {
    this.#deps = deps;
    this.#tool = tool;
    this.#call = call;
    this.#clock = clock;
  }

  get network(): readonly string[] {
    return this.#deps.policy.allowed;
  }

  async answer(n: number, ask: Ask): Promise<AskAnswer> {
    if (this.#ended) return refusal('ConnectionError', 'The call has ended.');
    if (ask.ask === 'approve') return this.#approve(ask);
    const { name } = this.#tool;
    this.#requests ??= new CallRequests(this.#deps, this.#tool, this.#call, this.#clock);
    switch (ask.ask) {
      case 'fetch':
        return this.#requests.fetch(n, ask);
      case 'read':
        return this.#requests.read(ask.request);
      case 'close':
        return this.#requests.close(ask.request);
      default:
        return refusal('ValueError', `${name} sent an unknown request.`);
    }
  }

  end(): void {
    this.#ended = true;
    this.#life?.abort();
    this.#requests?.end();
  }

  async #approve({ question, details }: ApproveAsk): Promise<AskAnswer> {
    if (this.#denials >= maxDenials)
      return approval(false, `It was denied ${maxDenials} times in this call.`);
    const { policy, questions, taskOf } = this.#deps;
    const asking = { ...askingOf(this.#tool, this.#call), task: taskOf(this.#call) };
    this.#life ??= new AbortController();
    this.#clock.pause();
    const answered = await questions.ask(
      this.#life.signal,
      {
        kind: 'approve',
        // @mutant keys are masked in the questions of a tool => policy.masked(question) -> question
        //   [src/runtime/grants/call-requests.test.ts]
        question: policy.masked(question),
        details: details === null ? null : policy.masked(details),
        ...asking,
      },
      asking.caller === 'user' ? null : answerMs,
    );
    this.#clock.resume();
    const approved = answered.reply === 'once';
    if (!approved) this.#denials += 1;
    return approval(approved, whyNot(answered));
  }
}

function approval(approved: boolean, reason: string): AskAnswer {
  return { answer: 'approval', approved, reason };
}

/**
 * Returns why the call was not approved, as text for the tool: the user's reason if there is one.
 */
function whyNot(answered: Answered): string {
  if (answered.reply !== null) return answered.reason;
  switch (answered.why) {
    case 'too-many':
      return 'Too many questions are waiting.';
    case 'program':
      return askedEnough;
    case 'never-again':
      return 'The user has turned off such questions.';
    case 'timeout':
      return 'The user did not answer in time.';
    case 'given-up':
      return '';
    default:
      return unaskable[answered.why];
  }
}
