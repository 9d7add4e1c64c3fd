/** Compares what a model did with what the prompt expects. */

import { parseJson, isObject } from '../../runtime/spec/guards.ts';
import { textResult } from '../../runtime/call/results.ts';
import {
  writeCompileOnly,
  writeCompilePattern,
  faultInPython,
  writePythonText,
  outcomeForJudge,
  valueForJudge,
} from '../saved-tests/judged-outcome.ts';
import type { Evaluation, Expected, ExpectedCall } from '../../runtime/spec/evaluation.ts';
import type { JsonText } from '../../runtime/spec/json.ts';

export interface MadeCall {
  readonly tool: string;
  readonly arguments: JsonText;
}

export interface Reason {
  readonly text: string;
  /** Whether a model has judged the trial. */
  readonly judged: boolean;
}

export interface JudgeDeps {
  /** Compares a value with an expectation of a saved test. Rejects if they cannot be compared. */
  readonly compare: (expect: JsonText, outcome: JsonText) => Promise<readonly string[]>;
  /** Lets a model judge a statement. @returns why it does not hold; null if it does */
  readonly ask: (statement: string) => Promise<string | null>;
}

const maxReasons = 20;

/**
 * Returns why a trial has failed; empty if it has passed.
 * @param answer the text of the last answer
 */
export async function judgeTrial(
  expected: Expected | undefined,
  made: readonly MadeCall[],
  answer: string,
  { compare, ask }: JudgeDeps,
): Promise<readonly Reason[]> {
  const found = [
    ...(await callReasons(expected, made, compare)),
    ...(await answerReasons(expected, answer, compare)),
  ];
  const reasons = found.map((text) => ({ text: text.slice(0, 2_000), judged: false }));
  const statement = expected?.answer?.judge;
  // A judge costs money: it is asked only if everything else holds.
  // @mutant evaluations: a judge is asked only if everything else holds => without reasons.length === 0 &&
  if (reasons.length === 0 && statement !== undefined) {
    const fault = await ask(statement);
    if (fault !== null) return [{ text: fault.slice(0, 2_000), judged: true }];
  }
  return reasons.slice(0, maxReasons);
}

type Compare = JudgeDeps['compare'];

/** For each call that was made, whether it is the one that is expected. */
type Matches = readonly boolean[];

/**
 * Checks the expressions in the expectations of an evaluation before a model is asked. Returns a message about the first
 * expression that is not valid Python; empty if all are valid. Rejects if Python cannot check them.
 */
export async function wrongExpectation(
  { prompts }: Pick<Evaluation, 'prompts'>,
  compare: Compare,
): Promise<string> {
  for (const [index, { expect }] of prompts.entries()) {
    const { regex, expression } = expect?.answer ?? {};
    const sources = {
      regex: regex === undefined ? undefined : writeCompilePattern(regex),
      expression: expression === undefined ? undefined : writeCompileOnly(expression),
    };
    for (const [key, source] of Object.entries(sources)) {
      const fault = source === undefined ? null : await faultInPython(source, compare);
      if (fault !== null)
        return `prompts.${index}.expect.answer.${key} is not valid: ${fault}. Correct it, then start a new run. No model was asked.`;
    }
  }
  return '';
}

async function callReasons(
  expected: Expected | undefined,
  made: readonly MadeCall[],
  compare: Compare,
): Promise<readonly string[]> {
  const { must = [], may, must_not: mustNot = [], order = 'any' } = expected?.calls ?? {};
  /** Returns, for each call that was made, whether it is the expected one. */
  const matchesOf = async (call: ExpectedCall): Promise<Matches> => {
    const matches: boolean[] = [];
    for (const madeCall of made) matches.push(await isMet(call, madeCall, compare));
    return matches;
  };
  const reasons: string[] = [];
  const matchesOfMust: Matches[] = [];
  for (const call of must) matchesOfMust.push(await matchesOf(call));
  const met = order === 'listed' ? metInOrder(matchesOfMust) : metInAnyOrder(matchesOfMust);
  for (const [index, call] of must.entries()) {
    if (met.has(index)) continue;
    const wasMade = matchesOfMust[index]?.includes(true) === true;
    const how = order === 'listed' ? 'in this order' : 'once more';
    reasons.push(
      wasMade
        ? `expected a call ${how}: ${expectedText(call)}`
        : `expected a call: ${expectedText(call)}${madeInstead(call, made)}`,
    );
  }
  for (const call of mustNot) {
    const matches = await matchesOf(call);
    const wrong = made.find((_, index) => matches[index]);
    if (wrong !== undefined) reasons.push(`made a call that it must not make: ${madeText(wrong)}`);
  }
  if (may === undefined) return reasons;
  const allowed = [...matchesOfMust];
  for (const call of may) allowed.push(await matchesOf(call));
  for (const [index, call] of made.entries())
    if (!allowed.some((matches) => matches[index]))
      reasons.push(`made a call that is not expected: ${madeText(call)}`);
  return reasons;
}

async function isMet(call: ExpectedCall, made: MadeCall, compare: Compare): Promise<boolean> {
  if (typeof call === 'string') return call === made.tool;
  if (call.tool !== made.tool) return false;
  const { equals, includes, ignore = [] } = call;
  const wanted = equals ?? includes;
  if (wanted === undefined) return true;
  const key = equals === undefined ? 'includes' : 'equals';
  const expect = JSON.stringify({ [key]: withoutNames(wanted, ignore) });
  // Without ignored names, the arguments keep the text that the model wrote.
  const args = ignore.length === 0 ? made.arguments : argumentsWithout(made, ignore);
  return args !== null && (await compare(expect, valueForJudge(args, expect))).length === 0;
}

function withoutNames(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Null if the arguments are no object. */
function argumentsWithout(made: MadeCall, names: readonly string[]): JsonText | null {
  const value = parseJson(made.arguments);
  return isObject(value) ? JSON.stringify(withoutNames(value, names)) : null;
}

/** Returns the indexes of the expectations that calls meet one after the other. */
function metInOrder(matchesOf: readonly Matches[]): ReadonlySet<number> {
  const met = new Set<number>();
  let nextCall = 0;
  for (const [expectation, matches] of matchesOf.entries()) {
    const call = matches.indexOf(true, nextCall);
    if (call < 0) continue;
    met.add(expectation);
    nextCall = call + 1;
  }
  return met;
}

/**
 * Returns the indexes of as many expectations as different calls can meet. An expectation takes a call from an earlier one
 * if that can take another call: this is a maximum matching by augmenting paths.
 */
function metInAnyOrder(matchesOf: readonly Matches[]): ReadonlySet<number> {
  const expectationOf = new Map<number, number>();
  const takeCall = (expectation: number, tried: Set<number>): boolean => {
    for (const [call, isMatch] of (matchesOf[expectation] ?? []).entries()) {
      if (!isMatch || tried.has(call)) continue;
      tried.add(call);
      const owner = expectationOf.get(call);
      if (owner !== undefined && !takeCall(owner, tried)) continue;
      expectationOf.set(call, expectation);
      return true;
    }
    return false;
  };
  for (const expectation of matchesOf.keys()) takeCall(expectation, new Set());
  return new Set(expectationOf.values());
}

async function answerReasons(
  expected: Expected | undefined,
  answer: string,
  compare: Compare,
): Promise<readonly string[]> {
  const { includes = [], regex, expression } = expected?.answer ?? {};
  const texts = typeof includes === 'string' ? [includes] : includes;
  const reasons = texts
    .filter((text) => !answer.includes(text))
    .map((text) => `the answer does not contain “${text.slice(0, 200)}”`);
  /** Returns why an expression does not hold for the answer; empty if it holds. */
  const faultsOf = async (source: string): Promise<readonly string[]> => {
    const expect = JSON.stringify({ expression: source });
    return compare(expect, outcomeForJudge(textResult(answer), expect));
  };
  // Python searches, because it can be stopped if the search takes too long.
  if (regex !== undefined) {
    const source = `__import__("re").search(${writePythonText(regex)}, text) is not None`;
    if ((await faultsOf(source)).length > 0)
      reasons.push(`the answer does not match the regular expression ${regex.slice(0, 200)}`);
  }
  return expression === undefined ? reasons : [...reasons, ...(await faultsOf(expression))];
}

function expectedText(call: ExpectedCall): string {
  if (typeof call === 'string') return call;
  const { tool, equals, includes } = call;
  const wanted = equals ?? includes;
  if (wanted === undefined) return tool;
  const how = equals === undefined ? 'including' : 'with';
  return `${tool} ${how} ${JSON.stringify(wanted).slice(0, 300)}`;
}

function madeText({ tool, arguments: args }: MadeCall): string {
  return `${tool}(${args.slice(0, 300)})`;
}

/** The calls of the tool with other arguments; if there are none, the tools that were called. */
function madeInstead(call: ExpectedCall, made: readonly MadeCall[]): string {
  const name = typeof call === 'string' ? call : call.tool;
  const others = made.filter(({ tool }) => tool === name).slice(0, 3);
  if (others.length > 0) return `; made ${others.map(madeText).join(', ')}`;
  return made.length === 0
    ? '; no tool was called'
    : `; called ${[...new Set(made.map(({ tool }) => tool))].slice(0, 10).join(', ')}`;
}
