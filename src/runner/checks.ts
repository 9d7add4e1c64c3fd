/** Checks the output of a task: by a call, a Python expression, a judging model or a saved test. */

import { judgedOutcome, judgedValue } from '../saved-tests/judged-outcome.ts';
import type { ToolCall } from '../spec/call.ts';
import { isObject } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';
import type { ModelPart, ModelRef, ModelRequest, Usage } from '../spec/model.ts';
import type { PlanCheck } from '../spec/plan.ts';
import type { ToolResult } from '../spec/result.ts';
import type { TestStatus } from '../spec/saved-test.ts';
import { noUsage, type RunUsage } from './run-record.ts';
import type { CheckOutcome } from './task-run.ts';
import { judgeMessage } from './task-messages.ts';

export interface CheckDeps {
  readonly call: (signal: AbortSignal, call: ToolCall) => Promise<ToolResult>;
  /** @returns why the outcome is not as expected. Rejects if that cannot be found out. */
  readonly judge: (
    signal: AbortSignal,
    session: string,
    expect: JsonText,
    outcome: JsonText,
  ) => Promise<readonly string[]>;
  readonly runTests: (signal: AbortSignal, name: string) => Promise<readonly TestStatus[]>;
  readonly ask: (
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
  ) => AsyncIterable<ModelPart>;
  /** What an answer cost; US dollars, null if unknown. */
  readonly cost: (model: ModelRef, usage: Usage) => number | null;
  readonly newId: () => string;
}

/** The output that is checked, and where it comes from. */
export interface Checked {
  readonly task: string;
  readonly session: string;
  readonly output: JsonText;
  readonly model: ModelRef | null;
  /** The calls of the task, as text. */
  readonly evidence: string;
}

/** Longest answer of a judge; characters. */
const mostAnswerChars = 20_000;

/** Rejects if it cannot be found out whether the output is accepted. */
export async function checkOutput(
  signal: AbortSignal,
  check: PlanCheck,
  checked: Checked,
  deps: CheckDeps,
): Promise<CheckOutcome> {
  if ('judge' in check) return checkByModel(signal, check.judge, checked, deps);
  const fault = await faultOf(signal, check, checked, deps);
  return { fault, words: '', usage: noUsage };
}

async function faultOf(
  signal: AbortSignal,
  check: Exclude<PlanCheck, { judge: string }>,
  checked: Checked,
  deps: CheckDeps,
): Promise<string | null> {
  if ('expression' in check) {
    const expect = JSON.stringify({ expression: check.expression });
    return reasonOf(
      await deps.judge(signal, checked.session, expect, judgedValue(checked.output, expect)),
    );
  }
  if ('call' in check) return checkByCall(signal, check, checked, deps);
  const tests = await deps.runTests(signal, check.test);
  if (tests.length === 0) return `There is no saved test “${check.test}” any more.`;
  return reasonOf(
    tests.flatMap(({ test, state, reasons }) =>
      state === 'passed' ? [] : [`${test.name}: ${reasons.join('; ') || state}`],
    ),
  );
}

async function checkByCall(
  signal: AbortSignal,
  check: Extract<PlanCheck, { call: string }>,
  { session, task }: Checked,
  { call, judge, newId }: CheckDeps,
): Promise<string | null> {
  const result = await call(signal, {
    ...{ id: newId(), tool: check.call, arguments: JSON.stringify(check.arguments ?? {}) },
    ...{ caller: 'sub-agent', sessionId: session, sessionKey: session },
    ...{ turnId: '', agentId: task, validate: true },
  });
  const expect = JSON.stringify(check.expect ?? {});
  const reasons = await judge(signal, session, expect, judgedOutcome(result, expect));
  const fault = reasonOf(reasons);
  const lost = result.stateLost ? ' (Python was restarted before this call.)' : '';
  return fault === null ? null : `${check.call}: ${fault}${lost}`;
}

async function checkByModel(
  signal: AbortSignal,
  statement: string,
  { output, evidence, model }: Checked,
  { ask, cost }: CheckDeps,
): Promise<CheckOutcome> {
  if (model === null) throw new Error('There is no model that could judge the result.');
  const text = judgeMessage(statement, output, evidence);
  let answer = '';
  let usage: RunUsage = noUsage;
  const request: ModelRequest = {
    system: 'You judge the results of other models strictly and briefly.',
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    tools: [],
  };
  for await (const part of ask(signal, model, request)) {
    if (part.type === 'text') answer += part.delta;
    if (part.type === 'ended') {
      const { input, output: written } = part.usage;
      usage = { ...noUsage, tokens: (input ?? 0) + (written ?? 0), cost: cost(model, part.usage) };
    }
    if (answer.length > mostAnswerChars) break;
  }
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
  try {
    const value: unknown = JSON.parse(answer.slice(start, end + 1));
    if (!isObject(value) || typeof value.holds !== 'boolean') return null;
    return { holds: value.holds, reason: typeof value.reason === 'string' ? value.reason : '' };
  } catch {
    return null;
  }
}

function reasonOf(reasons: readonly string[]): string | null {
  return reasons.length === 0 ? null : reasons.join('\n').slice(0, 5_000);
}
