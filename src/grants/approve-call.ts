/** Asks the user before a call runs whose tool requires approval. */

import { endingText, failure } from '../call/results.ts';
import type { Approve, CallDecision } from '../call/call-path.ts';
import type { Approval, CallAnswer } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPolicy } from './folder-policy.ts';
import { whyNot } from './open-host.ts';
import type { Answered, Questions, Reply } from './questions.ts';

/** How long the person may take where a program waits for the call; milliseconds. */
const answerMs = 60_000;

export interface ApproveDeps {
  readonly questions: Questions;
  /** Of the folder that is open. */
  readonly policy: FolderPolicy;
  /** The person has allowed the tool for the rest of this session. */
  readonly allowedInSession: (sessionId: string, tool: string) => boolean;
}

const may: CallDecision = { answer: null, refusal: null };

/**
 * The user's rule for the tool goes first, then what they allowed in this session, then what the tool file says; where a
 * callable of the tool file cannot say, approval is needed.
 */
export async function approveCall(
  { policy, questions, allowedInSession }: ApproveDeps,
  ...[signal, tool, call, dispatch]: Parameters<Approve>
): Promise<CallDecision> {
  const rule = policy.ruleOf(tool.name);
  if (rule === 'always') return may;
  if (rule === 'never') return refused(signal, tool, null, 'The user never allows this tool.');
  if (rule !== 'ask' && call.sessionId !== '' && allowedInSession(call.sessionId, tool.name))
    return may;
  if (rule === null && tool.requires_approval === false) return may;
  if (rule === null && tool.requires_approval === 'callable') {
    const needed = await dispatch.needsApproval(signal, tool, call).catch(() => true);
    if (!needed) return may;
  }
  const refusal = await dispatch.check(signal, tool, call);
  if (refusal !== null) return { answer: null, refusal };
  // Who wants to be asked each time is not offered an answer for all of them.
  const inSession = rule !== 'ask' && call.caller === 'model' && call.sessionId !== '';
  const answered = await questions.ask(
    signal,
    {
      kind: 'call',
      tool: tool.name,
      file: tool.source.file,
      callId: call.id,
      caller: call.caller,
      arguments: call.arguments,
      inSession,
      sessionId: call.sessionId,
    },
    inSession ? null : answerMs,
  );
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

/** For the model: that a person has said no is worth more than that nobody has said yes. */
function whyDenied(answered: Answered): string {
  const why = whyNot(answered);
  if (answered.reply === null) return why;
  if (answered.reply === 'never') return 'The user never allows this tool.';
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
