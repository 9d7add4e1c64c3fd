/** Compares sessions turn by turn: their figures, and which calls correspond. Runs in small steps. */

import { deeperThan, type Json, type JsonObject, type JsonText } from '../../runtime/spec/json.ts';
import { exactMember, exactText, parseExact } from '../../runtime/spec/exact-json.ts';
import { isObject } from '../../runtime/spec/guards.ts';
import type { Usage } from '../../runtime/spec/model.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';
import { traceSteps, type CallSpan, type TraceTurn } from './trace/trace.ts';
import { noUsage, addAmounts, usageSum } from './usage.ts';

export interface Figures {
  readonly requests: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly usage: Usage;
  /** Whether a part of the usage is an estimate. */
  readonly estimated: boolean;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
  /** Milliseconds; null while the turn runs, or if unknown. */
  readonly ms: number | null;
  /** Milliseconds from the first request to the first part of an answer; null if unknown. */
  readonly firstMs: number | null;
}

export interface TurnSide {
  readonly message: string;
  /** The text of the last answer. */
  readonly answer: string;
  readonly end: TraceTurn['end'];
  readonly figures: Figures;
}

/** Calls that correspond: at most one of each session. */
export interface CallRow {
  /** The call of each session; null if the session made no such call. */
  readonly calls: readonly (CallSpan | null)[];
  readonly differ: 'not' | 'in arguments' | 'in results' | 'missing';
}

/** The turns with the same number. */
export interface ComparedTurn {
  /** The turn of each session; null if the session has no such turn. */
  readonly sides: readonly (TurnSide | null)[];
  readonly rows: readonly CallRow[];
  /** Number of calls that are not compared, because there are too many. */
  readonly leftOut: number;
}

export interface ComparedSessions {
  /** The sum of each session's turns. */
  readonly sums: readonly Figures[];
  readonly turns: readonly ComparedTurn[];
}

/** Limits for the calls of a turn that are compared, and for the characters of arguments that are compared by value. */
const maxCalls = 300;
const maxArgumentChars = 100_000;
const maxDepth = 100;
/** Characters of an answer or a message that are kept. */
const maxTextChars = 20_000;

/** Compares sessions, given their events. Yields between small steps. */
export function* compareSessions(
  sessions: readonly (readonly SessionEvent[])[],
): Generator<undefined, ComparedSessions> {
  const read: { readonly turns: readonly TraceTurn[]; readonly texts: Texts }[] = [];
  for (const events of sessions)
    read.push({ turns: yield* traceSteps(events), texts: yield* textsOf(events) });
  const turns: ComparedTurn[] = [];
  const turnCount = Math.max(0, ...read.map((session) => session.turns.length));
  for (let index = 0; index < turnCount; index += 1) {
    yield;
    const calls = read.map((session) => callsOf(session.turns[index]));
    turns.push({
      sides: read.map((session) => {
        const turn = session.turns[index];
        return turn === undefined ? null : sideOf(turn, session.texts);
      }),
      rows: yield* alignedCalls(calls.map((ofSession) => ofSession.slice(0, maxCalls))),
      leftOut: calls.reduce((sum, { length }) => sum + Math.max(0, length - maxCalls), 0),
    });
  }
  return { sums: read.map((_, index) => sumOf(turns.map(({ sides }) => sides[index]))), turns };
}

function callsOf(turn: TraceTurn | undefined): readonly CallSpan[] {
  return (turn?.spans ?? []).filter((span) => span.kind === 'call');
}

/** Texts by turn. */
interface Texts {
  readonly messages: ReadonlyMap<string, string>;
  readonly answers: ReadonlyMap<string, string>;
}

function* textsOf(events: readonly SessionEvent[]): Generator<undefined, Texts> {
  const messages = new Map<string, string>();
  const answers = new Map<string, string>();
  const turnOf = new Map<string, string>();
  for (const event of events) {
    yield;
    if (event.type === 'message') {
      const before = messages.get(event.turnId);
      const text = joinTexts(event.parts);
      // A turn can get further messages while it runs.
      messages.set(event.turnId, before === undefined ? text : `${before}\n\n${text}`);
    } else if (event.type === 'step-began') turnOf.set(event.stepId, event.turnId);
    else if (event.type === 'step-ended') {
      const turn = turnOf.get(event.stepId);
      const text = joinTexts(event.parts);
      if (turn !== undefined && text !== '') answers.set(turn, text);
    }
  }
  return { messages, answers };
}

function joinTexts(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : []));
  return texts.join('\n').slice(0, maxTextChars);
}

function sideOf(turn: TraceTurn, { messages, answers }: Texts): TurnSide {
  const steps = turn.spans.filter((span) => span.kind === 'step');
  const calls = callsOf(turn);
  const firstAnswer = steps.find(({ firstMs }) => firstMs !== null);
  const begunAt = steps[0]?.at ?? 0;
  return {
    message: (messages.get(turn.id) ?? '').slice(0, maxTextChars),
    answer: answers.get(turn.id) ?? '',
    end: turn.end,
    figures: {
      requests: steps.length,
      calls: calls.length,
      failedCalls: calls.filter(({ result }) => result?.isError === true).length,
      usage: turn.usage,
      estimated: steps.some(({ estimated }) => estimated),
      cost: turn.cost,
      ms: turn.ms,
      firstMs:
        firstAnswer === undefined ? null : firstAnswer.at - begunAt + (firstAnswer.firstMs ?? 0),
    },
  };
}

/** The sum of a session's turns. Its time to the first part of an answer is that of the first turn that has one. */
function sumOf(sides: readonly (TurnSide | null | undefined)[]): Figures {
  const none: Figures = {
    requests: 0,
    calls: 0,
    failedCalls: 0,
    usage: noUsage,
    estimated: false,
    cost: null,
    ms: null,
    firstMs: null,
  };
  return sides.reduce<Figures>((sum, side) => {
    if (side === null || side === undefined) return sum;
    const { figures } = side;
    return {
      requests: sum.requests + figures.requests,
      calls: sum.calls + figures.calls,
      failedCalls: sum.failedCalls + figures.failedCalls,
      usage: usageSum(sum.usage, figures.usage),
      estimated: sum.estimated || figures.estimated,
      cost: addAmounts(sum.cost, figures.cost),
      ms: addAmounts(sum.ms, figures.ms),
      firstMs: sum.firstMs ?? figures.firstMs,
    };
  }, none);
}

interface Row {
  readonly calls: (CallSpan | null)[];
  /** Whether the arguments of all calls in the row are equal. */
  sameArguments: boolean;
  /** The arguments of the row's first call, with which calls of further sessions are compared. */
  readonly key: CallKey;
}

interface CallKey {
  readonly name: string;
  /** Equal for equal arguments, whatever their order. */
  readonly arguments: string;
}

/** Aligns the calls of each session with those of the sessions before it, in their order. */
function* alignedCalls(
  lists: readonly (readonly CallSpan[])[],
): Generator<undefined, readonly CallRow[]> {
  let rows: Row[] = [];
  for (const [index, calls] of lists.entries()) {
    const keys: CallKey[] = [];
    for (const call of calls) {
      yield;
      keys.push(keyOf(call));
    }
    const pairs = yield* alignCalls(
      rows.map(({ key }) => key),
      keys,
    );
    const next: Row[] = [];
    let nextCall = 0;
    /** Adds a row for each call before this position: no earlier session has made these calls. */
    const addRowsUntil = (end: number): void => {
      for (; nextCall < end; nextCall += 1) {
        const call = calls[nextCall];
        const key = keys[nextCall];
        if (call === undefined || key === undefined) continue;
        const none = Array<null>(index).fill(null);
        next.push({ calls: [...none, call], sameArguments: true, key });
      }
    };
    for (const [rowIndex, row] of rows.entries()) {
      const match = pairs.get(rowIndex);
      if (match === undefined) row.calls.push(null);
      else {
        addRowsUntil(match);
        row.calls.push(calls[match] ?? null);
        row.sameArguments &&= keys[match]?.arguments === row.key.arguments;
        nextCall = match + 1;
      }
      next.push(row);
    }
    addRowsUntil(calls.length);
    rows = next;
  }
  return rows.map((row) => ({ calls: row.calls, differ: difference(row) }));
}

/** The pairs of an alignment in which as many calls as possible have the same tool, and then the same arguments. */
function* alignCalls(
  left: readonly CallKey[],
  right: readonly CallKey[],
): Generator<undefined, ReadonlyMap<number, number>> {
  const width = right.length + 1;
  /** The best score of the calls from index `l` on the left side and from index `r` on the right side. */
  const best = new Int32Array((left.length + 1) * width);
  const bestFrom = (l: number, r: number): number => best[l * width + r] ?? 0;
  const score = (a: CallKey | undefined, b: CallKey | undefined): number =>
    a === undefined || b?.name !== a.name ? 0 : a.arguments === b.arguments ? 3 : 2;
  for (let l = left.length - 1; l >= 0; l -= 1) {
    yield;
    for (let r = right.length - 1; r >= 0; r -= 1) {
      const pair = score(left[l], right[r]);
      const paired = pair === 0 ? 0 : pair + bestFrom(l + 1, r + 1);
      best[l * width + r] = Math.max(paired, bestFrom(l + 1, r), bestFrom(l, r + 1));
    }
  }
  const pairs = new Map<number, number>();
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const pair = score(left[l], right[r]);
    const here = bestFrom(l, r);
    if (pair > 0 && here === pair + bestFrom(l + 1, r + 1)) {
      pairs.set(l, r);
      l += 1;
      r += 1;
    } else if (here === bestFrom(l + 1, r)) l += 1;
    else r += 1;
  }
  return pairs;
}

function keyOf({ name, arguments: args }: CallSpan): CallKey {
  return { name, arguments: sortedText(args) };
}

/** JSON with the members of objects in alphabetical order; the text itself if it is no JSON, or too large. */
function sortedText(text: JsonText): string {
  if (text.length > maxArgumentChars) return text;
  try {
    const value = parseExact(text);
    return deeperThan(value, maxDepth) ? text : sortedJson(value);
  } catch {
    return text;
  }
}

function sortedJson(value: Json): string {
  if (Array.isArray(value))
    return `[${value.map((item, index) => sortedMember(value, index, item)).join()}]`;
  if (!isObject(value)) return exactText(value);
  const keys = Object.keys(value).sort();
  const members = keys.map(
    (key) => `${JSON.stringify(key)}:${sortedMember(value, key, value[key] ?? null)}`,
  );
  return `{${members.join()}}`;
}

/** Numbers keep their spelling: for Python, 3 and 3.0 are of different types. */
function sortedMember(holder: Json[] | JsonObject, key: string | number, item: Json): string {
  const isNested = typeof item === 'object' && item !== null;
  return isNested ? sortedJson(item) : (exactMember(holder, key) ?? 'null');
}

function difference({ calls, sameArguments }: Row): CallRow['differ'] {
  const [first, ...others] = calls;
  if (first === undefined || first === null || others.includes(null)) return 'missing';
  if (!sameArguments) return 'in arguments';
  // A call that still runs has no result to compare.
  const { result } = first;
  const hasSameResult = (other: CallSpan['result'] | undefined): boolean =>
    !result ||
    !other ||
    (other.isError === result.isError && other.textResultForLlm === result.textResultForLlm);
  return others.every((one) => hasSameResult(one?.result)) ? 'not' : 'in results';
}
