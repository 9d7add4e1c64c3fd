/** Asks the user to approve a call before it runs, if its tool requires that. */

import { endingText, failure } from '../call/results.ts';
import type { Approve, CallDecision } from '../call/call-path.ts';
import { isModel, type Approval, type CallAnswer } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPolicy } from './folder-policy.ts';
import { whyNot } from './open-host.ts';
import {
  askingOf,
  type Answered,
  type AskingTask,
  type Questions,
  type Reply,
} from './questions.ts';

/** Milliseconds that the user has to answer if a program waits for the call. */
const answerMs = 60_000;

export interface ApproveDeps {
  readonly questions: Questions;
  /** The open folder's policy. */
  readonly policy: FolderPolicy;
  /** Whether the user has allowed the tool for the rest of the session. */
  readonly allowedInSession: (sessionId: string, tool: string) => boolean;
  /** The task of a plan that the session is for; null for others. */
  readonly taskOf: (sessionId: string) => AskingTask | null;
  /** Allows the tool for all sub-agents of a run, during this visit. */
  readonly allowInRun: (run: string, tool: string) => void;
}

const may: CallDecision = { answer: null, refusal: null };

/**
 * Decides by the user's rule for the tool, then by what the user allowed in this session, then by the tool's
 * spec. If the spec's callable fails, approval is required.
 */
export async function approveCall(
  { policy, questions, allowedInSession, taskOf, allowInRun }: ApproveDeps,
  ...[signal, tool, call, dispatch]: Parameters<Approve>
): Promise<CallDecision> {
  const rule = policy.ruleOf(tool.name);
  // What the user has allowed for models, or for pages of Cloche's own, does not count for another site.
  const isOthers = call.site !== undefined;
  if (rule === 'always' && !isOthers) return may;
  if (rule === 'never') return refused(signal, tool, null, 'The user has blocked this tool.');
  if (rule !== 'ask' && call.sessionId !== '' && allowedInSession(call.sessionId, tool.name))
    return may;
  const byTool = rule === null || rule === 'always';
  if (byTool && tool.requires_approval === false) return may;
  if (byTool && tool.requires_approval === 'callable') {
    const needed = await dispatch.needsApproval(signal, tool, call).catch(() => true);
    if (!needed) return may;
  }
  const refusal = await dispatch.check(signal, tool, call);
  if (refusal !== null) return { answer: null, refusal };
  const task = call.caller === 'sub-agent' ? taskOf(call.sessionId) : null;
  // A user who wants to be asked each time is not offered to allow the tool for the session.
  const ofSession = isModel(call.caller) && call.sessionId !== '';
  const answered = await questions.ask(
    signal,
    {
      ...{ kind: 'call', ...askingOf(tool, call), arguments: call.arguments },
      ...{ inSession: ofSession && rule !== 'ask', sessionId: call.sessionId, task },
    },
    ofSession ? null : answerMs,
  );
  if (answered.reply === 'session' && task !== null) allowInRun(task.run, tool.name);
  return decided(signal, tool, answered, policy);
}

function decided(
  signal: AbortSignal,
  tool: RegisteredTool,
  answered: Answered,
  policy: FolderPolicy,
): CallDecision {
  const answer = answerOf(answered);
  if (answer?.approval === 'always' || answer?.approval === 'never')
    policy.rule(tool.name, answer.approval);
  if (answer === null || answer.approval === 'deny' || answer.approval === 'never')
    return refused(signal, tool, answer, whyDenied(answered));
  return { answer, refusal: null };
}

function refused(
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
