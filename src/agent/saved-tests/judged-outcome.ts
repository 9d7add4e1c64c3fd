/** The input with which Python judges a saved test: how its call ended, as JSON text. */

import { parseJson } from '../../runtime/spec/guards.ts';
import { failure, hasRun, textResult } from '../../runtime/call/results.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ContentPart, ToolResult } from '../../runtime/spec/result.ts';
import type { TestResult } from '../../runtime/spec/saved-test.ts';

/** Longest text of a result that is kept to be shown; characters. */
const shownChars = 20_000;

/**
 * The outcome, as `cloche.judge` takes it.
 * @param expect binary data is only sent if the expectation compares it
 */
export function outcomeForJudge(result: ToolResult, expect: JsonText): JsonText {
  const { resultType, textResultForLlm, error, recoverable, content, stdout, log } = result;
  const withData = expect.includes('"content"');
  const parts = content.map((part) => ('data' in part && !withData ? { type: part.type } : part));
  const plain = { resultType, textResultForLlm, error, recoverable, content: parts, stdout, log };
  const updateCount = result.updates.reduce((max, { n }) => Math.max(max, n + 1), 0);
  // Metadata and updates are JSON text of Python's, whose numbers must stay as they are.
  const updates = result.updates.map(({ json }) => json).join(',');
  return `${JSON.stringify(plain).slice(0, -1)},"updateCount":${updateCount},"metadata":${result.metadata},"updates":[${updates}]}`;
}

/**
 * A Python expression that raises if this one is not valid. This one is never evaluated, because it may be a stranger's: it
 * is only compiled, from its text.
 */
export function writeCompileOnly(expression: string): string {
  return `__import__("builtins").compile(${writePythonText(`(${expression}\n)`)}, "<expression>", "eval", 0, True)`;
}

/**
 * Returns why Python cannot evaluate an expression that needs no result; null if it can. Rejects if the comparison
 * fails.
 * @param compare compares an outcome with an expectation, in Python
 */
export async function faultInPython(
  source: string,
  compare: (expect: JsonText, outcome: JsonText) => Promise<readonly string[]>,
): Promise<string | null> {
  const expect = JSON.stringify({ expression: source });
  const [reason] = await compare(expect, outcomeForJudge(textResult(''), expect));
  if (reason === undefined) return null;
  const at = reason.lastIndexOf(' raised ');
  const why = reason.slice(at < 0 ? 0 : at + ' raised '.length);
  return why.replace(/, where result is .*$/s, '').slice(0, 500);
}

/** A Python expression that raises if the text is not a valid Python regular expression. */
export function writeCompilePattern(pattern: string): string {
  return `__import__("re").compile(${writePythonText(pattern)})`;
}

/** A Python expression whose value is the text. */
export function writePythonText(text: string): string {
  return `__import__("json").loads(${JSON.stringify(JSON.stringify(text))})`;
}

/** A JSON value as the outcome of a call that returned it. */
export function valueForJudge(value: JsonText, expect: JsonText): JsonText {
  const { error: _, ...rest } = failure('', value);
  const content = [{ type: 'json', text: value }] as const;
  return outcomeForJudge({ ...rest, resultType: 'success', isError: false, content }, expect);
}

export function testResultOf(callId: string, result: ToolResult): TestResult {
  const value = jsonValue(result);
  const text = value ?? result.error ?? result.textResultForLlm;
  const isShort = text.length <= shownChars;
  return {
    resultType: result.resultType,
    text: isShort ? text : `${text.slice(0, shownChars)}…`,
    isJson: value !== null && isShort,
    callId,
    durationMs: result.durationMs,
    ...(hasRun(result) ? {} : { isInconclusive: true }),
  };
}

/** The JSON text of the result's value, by the rule of `cloche.judge.result_value`; null if it is plain text. */
export function jsonValue({ resultType, content }: ToolResult): JsonText | null {
  const [only] = content;
  if (resultType === 'failure' || content.length !== 1 || only === undefined) return null;
  if (only.type === 'json') return only.text;
  return isJsonList(only) ? only.text : null;
}

function isJsonList(part: ContentPart): part is ContentPart & { readonly type: 'text' } {
  if (part.type !== 'text' || part.text.length > shownChars || !/^\s*[[{]/.test(part.text))
    return false;
  return parseJson(part.text) !== undefined;
}
