/** Compares what a model did with what the prompt expects. */

import { parsedJson, isObject } from '../../runtime/spec/guards.ts';
import { textResult } from '../../runtime/call/results.ts';
import {
  compiledOnly,
  compiledPattern,
  faultInPython,
  inPython,
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

/** @param answer the text of the last answer */
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
      regex: regex === undefined ? undefined : compiledPattern(regex),
      expression: expression === undefined ? undefined : compiledOnly(expression),
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
  const fits = async (call: ExpectedCall): Promise<readonly boolean[]> => {
    const results: boolean[] = [];
    for (const one of made) results.push(await isMet(call, one, compare));
    return results;
  };
  const reasons: string[] = [];
  const wanted: (readonly boolean[])[] = [];
  for (const call of must) wanted.push(await fits(call));
  const met = order === 'listed' ? metInOrder(wanted) : metInAnyOrder(wanted);
  for (const [n, call] of must.entries())
    if (!met.has(n)) {
      const isMade = wanted[n]?.includes(true) === true;
      const why = isMade ? (order === 'listed' ? ' in this order' : ' once more') : '';
      reasons.push(`expected a call${why}: ${shown(call)}${isMade ? '' : madeWith(call, made)}`);
    }
  for (const call of mustNot) {
    const n = (await fits(call)).indexOf(true);
    const one = made[n];
    if (one !== undefined) reasons.push(`made a call that it must not make: ${shownMade(one)}`);
  }
  if (may === undefined) return reasons;
  const allowed = [...wanted];
  for (const call of may) allowed.push(await fits(call));
  for (const [n, one] of made.entries())
    if (!allowed.some((each) => each[n]))
      reasons.push(`made a call that is not expected: ${shownMade(one)}`);
  return reasons;
}

async function isMet(call: ExpectedCall, made: MadeCall, compare: Compare): Promise<boolean> {
  if (typeof call === 'string') return call === made.tool;
  if (call.tool !== made.tool) return false;
  const key = call.equals === undefined ? 'includes' : 'equals';
  const wanted = call.equals ?? call.includes;
  if (wanted === undefined) return true;
  const expect = JSON.stringify({ [key]: without(wanted, call.ignore) });
  const args = (call.ignore ?? []).length === 0 ? made.arguments : withoutText(made, call.ignore);
  return args !== null && (await compare(expect, valueForJudge(args, expect))).length === 0;
}

function without(value: object, names: readonly string[] = []): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Null if the arguments are no object. */
function withoutText(made: MadeCall, names: readonly string[] | undefined): JsonText | null {
  const value = parsedJson(made.arguments);
  return isObject(value) ? JSON.stringify(without(value, names)) : null;
}

/** The expectations that calls meet one after the other. @param fits for each expectation, which calls meet it */
function metInOrder(fits: readonly (readonly boolean[])[]): ReadonlySet<number> {
  const met = new Set<number>();
  let from = 0;
  for (const [n, each] of fits.entries()) {
    const at = each.indexOf(true, from);
    if (at < 0) continue;
    met.add(n);
    from = at + 1;
  }
  return met;
}

/** Matches as many expectations as possible, each with a different call, by augmenting paths. */
function metInAnyOrder(fits: readonly (readonly boolean[])[]): ReadonlySet<number> {
  const takenBy = new Map<number, number>();
  const take = (n: number, seen: Set<number>): boolean => {
    for (const [call, isFit] of (fits[n] ?? []).entries()) {
      if (!isFit || seen.has(call)) continue;
      seen.add(call);
      const other = takenBy.get(call);
      if (other !== undefined && !take(other, seen)) continue;
      takenBy.set(call, n);
      return true;
    }
    return false;
  };
  for (const n of fits.keys()) take(n, new Set());
  return new Set(takenBy.values());
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
  const holds = async (source: string): Promise<readonly string[]> => {
    const expect = JSON.stringify({ expression: source });
    return compare(expect, outcomeForJudge(textResult(answer), expect));
  };
  // Python searches, because it can be stopped if the search takes too long.
  if (regex !== undefined) {
    const source = `__import__("re").search(${inPython(regex)}, text) is not None`;
    if ((await holds(source)).length > 0)
      reasons.push(`the answer does not match the regular expression ${regex.slice(0, 200)}`);
  }
  return expression === undefined ? reasons : [...reasons, ...(await holds(expression))];
}

function shown(call: ExpectedCall): string {
  if (typeof call === 'string') return call;
  const wanted = call.equals ?? call.includes;
  return `${call.tool}${wanted === undefined ? '' : ` ${call.equals === undefined ? 'including' : 'with'} ${JSON.stringify(wanted).slice(0, 300)}`}`;
}

function shownMade({ tool, arguments: args }: MadeCall): string {
  return `${tool}(${args.slice(0, 300)})`;
}

/** The arguments with which the tool was called instead. */
function madeWith(call: ExpectedCall, made: readonly MadeCall[]): string {
  const name = typeof call === 'string' ? call : call.tool;
  const others = made.filter(({ tool }) => tool === name).slice(0, 3);
  if (others.length > 0) return `; made ${others.map(shownMade).join(', ')}`;
  return made.length === 0
    ? '; no tool was called'
    : `; called ${[...new Set(made.map(({ tool }) => tool))].slice(0, 10).join(', ')}`;
}
