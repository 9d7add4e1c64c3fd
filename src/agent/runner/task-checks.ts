/** Checks the output of a task: by a call, a Python expression, a judging model or a saved test. */

import type { CallPath } from '../../runtime/call/call-path.ts';
import { hasRun } from '../../runtime/call/results.ts';
import {
  writeCompileOnly,
  faultInPython,
  outcomeForJudge,
  valueForJudge,
} from '../saved-tests/judged-outcome.ts';
import type { CurrentInterpreters } from '../../runtime/open-folder/folder-interpreters.ts';
import { newCall } from '../../runtime/spec/call.ts';
import { AnswerText } from '../../runtime/spec/answer-text.ts';
import { createFingerprint } from '../../runtime/spec/fingerprint.ts';
import { isObject, parseJson } from '../../runtime/spec/guards.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ModelPart, ModelRef, ModelRequest, Usage } from '../../runtime/spec/model.ts';
import type { PlanCheck } from '../../runtime/spec/plan.ts';
import type { SavedTest, TestStatus } from '../../runtime/spec/saved-test.ts';
import { noUsage, type CheckFailure, type RunUsage, type TaskEnd } from './run-record.ts';
import { ignoresEarlierFailures } from './run-tasks.ts';
import { judgeMessage } from './task-messages.ts';

export interface CheckOutcome {
  /** Why the output is not accepted; null if it is. */
  readonly fault: string | null;
  /** The check's comment on an output that it accepts. */
  readonly words: string;
  readonly usage: RunUsage;
}

export interface CheckDeps {
  readonly calls: Pick<CallPath, 'call'>;
  readonly interpreters: Pick<CurrentInterpreters, 'judge'>;
  readonly runTests: (signal: AbortSignal, name: string) => Promise<readonly TestStatus[]>;
  readonly ask: (
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
  ) => AsyncIterable<ModelPart>;
  /** Returns the cost of an answer in US dollars; null if unknown. */
  readonly cost: (model: ModelRef, usage: Usage) => number | null;
  readonly newId: () => string;
}

/** The output that is checked, and where it comes from. */
export interface CheckedOutput {
  readonly task: string;
  readonly session: string;
  readonly output: JsonText;
  readonly model: ModelRef | null;
  /** The calls of the task, as text. */
  readonly evidence: string;
}

/** Maximum number of earlier failures that are stored; further ones count. */
const maxEarlier = 200;
/** Longest reason of one failure; characters. */
const maxReasonChars = 2_000;

/** Longest answer of a judge; characters. */
const maxAnswerChars = 20_000;

/** An expected end of a task, whose message is for the user. */
export class TaskEndError extends Error {
  readonly end: TaskEnd;

  constructor(end: TaskEnd, reason: string) {
    super(reason);
    this.end = end;
  }
}

/**
 * Checks an output. Rejects if the check could not be carried out.
 * @param earlier what the check found before the task began; does not count if the check says so
 */
export async function checkOutput(
  signal: AbortSignal,
  check: PlanCheck,
  checked: CheckedOutput,
  deps: CheckDeps,
  earlier: readonly CheckFailure[] = [],
): Promise<CheckOutcome> {
  if ('judge' in check) return checkByModel(signal, check.judge, checked, deps);
  if ('expression' in check) {
    const expect = JSON.stringify({ expression: check.expression });
    const outcome = valueForJudge(checked.output, expect);
    const reasons = await judge(deps, signal, checked.session, expect, outcome);
    return { fault: reasonOf(reasons), words: '', usage: noUsage };
  }
  const failures = await repeatableFailures(signal, check, checked, deps);
  const known = new Set(ignoresEarlierFailures(check) ? earlier.map(({ key }) => key) : []);
  const counted = failures.filter(({ key }) => !known.has(key));
  const ignored = failures.length - counted.length;
  const words =
    ignored === 0
      ? ''
      : `The check has passed, except for ${ignored} earlier ${ignored === 1 ? 'failure' : 'failures'}.`;
  return { fault: reasonOf(counted.map(({ text }) => text)), words, usage: noUsage };
}

/**
 * Returns what a check finds before its task has begun, which does not count later. Leaves out tests and calls that could
 * not run. Rejects like {@link checkOutput}, and if an expression is not valid Python.
 */
export async function failuresBefore(
  signal: AbortSignal,
  check: PlanCheck,
  of: Pick<CheckedOutput, 'session' | 'task'>,
  deps: CheckDeps,
): Promise<readonly CheckFailure[]> {
  const source = expressionIn(check);
  if (source !== null) {
    const fault = await faultInPython(writeCompileOnly(source), (...asked) =>
      deps.interpreters.judge(signal, of.session, ...asked),
    );
    if (fault !== null) throw wrongCheck(fault);
  }
  if ('judge' in check || 'expression' in check || !ignoresEarlierFailures(check)) return [];
  const failures = await repeatableFailures(signal, check, of, deps);
  return failures
    .flatMap(({ wasMade, ...failure }) => (wasMade ? [failure] : []))
    .slice(0, maxEarlier);
}

/** The Python expression of a check; null if it has none. */
export function expressionIn(check: PlanCheck): string | null {
  const source =
    'expression' in check ? check.expression : 'call' in check && check.expect?.expression;
  return typeof source === 'string' ? source : null;
}

interface FoundFailure extends CheckFailure {
  /** Whether the test or the call ran to its end, so that it could have passed. */
  readonly wasMade: boolean;
}

async function repeatableFailures(
  signal: AbortSignal,
  check: Extract<PlanCheck, { call: string } | { test: string }>,
  of: Pick<CheckedOutput, 'session' | 'task'>,
  deps: CheckDeps,
): Promise<readonly FoundFailure[]> {
  if ('call' in check) return checkByCall(signal, check, of, deps);
  const tests = await deps.runTests(signal, check.test);
  if (tests.length === 0) {
    const text = `There is no saved test “${check.test}” any more.`;
    return [{ key: '', text, wasMade: false }];
  }
  return tests.flatMap(({ test, state, reasons, result }) => {
    const text = `${test.name}: ${reasons.join('; ') || state}`.slice(0, maxReasonChars);
    const wasMade = state === 'failed' && result !== null && result.isInconclusive !== true;
    return state === 'passed' ? [] : [{ key: testKey(test), text, wasMade }];
  });
}

/**
 * Returns the key of a test, which does not depend on its place in the file, but on everything
 * else.
 */
function testKey({ file, index, name, tool, arguments: args, expect }: SavedTest): string {
  const mark = createFingerprint();
  // A test without a name is called by its place.
  const ownName = name === `test ${index + 1}` ? '' : name;
  for (const text of [ownName, tool, args, expect ?? '']) mark.add(text);
  return `${file} ${mark.value()}`;
}

async function checkByCall(
  signal: AbortSignal,
  check: Extract<PlanCheck, { call: string }>,
  { session, task }: Pick<CheckedOutput, 'session' | 'task'>,
  deps: CheckDeps,
): Promise<readonly FoundFailure[]> {
  const call = newCall('sub-agent', check.call, JSON.stringify(check.arguments ?? {}), {
    id: deps.newId(),
    sessionId: session,
    sessionKey: session,
    agentId: task,
  });
  const result = await deps.calls.call(signal, call);
  const expect = JSON.stringify(check.expect ?? {});
  const reasons = await judge(deps, signal, session, expect, outcomeForJudge(result, expect));
  const lost = result.stateLost ? ' (Python was restarted before this call.)' : '';
  return reasons.map((reason) => ({
    key: reason.slice(0, maxReasonChars),
    text: `${check.call}: ${reason.slice(0, maxReasonChars)}${lost}`,
    wasMade: hasRun(result),
  }));
}

/** @throws {TaskEndError} if the expression is not valid Python: no further attempt could pass */
async function judge(
  { interpreters }: CheckDeps,
  ...asked: Parameters<CurrentInterpreters['judge']>
): Promise<readonly string[]> {
  const reasons = await interpreters.judge(...asked);
  const wrong = reasons.find((reason) => reason.startsWith('invalid expression: '));
  if (wrong === undefined) return reasons;
  throw wrongCheck(wrong);
}

function wrongCheck(why: string): TaskEndError {
  return new TaskEndError('failed', `The check is wrong, not the result: ${why}`);
}

/** Lets a model judge an output by a statement. Rejects if it cannot. */
export async function checkByModel(
  signal: AbortSignal,
  statement: string,
  { output, evidence, model }: Pick<CheckedOutput, 'output' | 'evidence' | 'model'>,
  { ask, cost }: Pick<CheckDeps, 'ask' | 'cost'>,
): Promise<CheckOutcome> {
  if (model === null) throw new Error('No model is available to judge the result.');
  const text = judgeMessage(statement, output, evidence);
  const answered = new AnswerText();
  let usage: RunUsage = noUsage;
  const request: ModelRequest = {
    system: 'You judge the results of other models strictly and briefly.',
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    tools: [],
  };
  for await (const part of ask(signal, model, request)) {
    answered.add(part);
    if (part.type === 'ended') {
      const { input, output: written } = part.usage;
      usage = { ...noUsage, tokens: (input ?? 0) + (written ?? 0), cost: cost(model, part.usage) };
    }
    if (answered.text.length > maxAnswerChars) break;
  }
  const answer = answered.text;
  const verdict = verdictIn(answer);
  const words = verdict?.reason.slice(0, 2_000) ?? '';
  const fault =
    verdict === null
      ? `The judge gave no verdict: ${answer.slice(0, 500) || 'its answer was empty'}`
      : verdict.holds
        ? null
        : `Judged as not true: “${statement}” ${words}`;
  return { fault, words, usage };
}

function verdictIn(answer: string): { readonly holds: boolean; readonly reason: string } | null {
  const start = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  if (start < 0 || end < start) return null;
  const value = parseJson(answer.slice(start, end + 1));
  if (!isObject(value) || typeof value.holds !== 'boolean') return null;
  return { holds: value.holds, reason: typeof value.reason === 'string' ? value.reason : '' };
}

function reasonOf(reasons: readonly string[]): string | null {
  return reasons.length === 0 ? null : reasons.join('\n').slice(0, 5_000);
}
