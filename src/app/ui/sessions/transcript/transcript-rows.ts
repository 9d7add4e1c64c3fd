/** The rows of a transcript: its entries, and a summary after each turn. */

import type { Usage } from '../../../../runtime/spec/model.ts';
import type { StoredFault } from '../../../../runtime/spec/session.ts';
import type { Entry, SessionState, StepEntry } from '../../../../agent/session/session-state.ts';
import { noUsage, usageSum } from '../../../../agent/session/usage.ts';

export interface TurnSum {
  readonly steps: number;
  readonly usage: Usage;
  /** Whether the usage of some answers of the turn is estimated. */
  readonly estimated: boolean;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
  /** Milliseconds from the turn's message to its end; null if the end is unknown. */
  readonly ms: number | null;
}

/** Consecutive failed requests to a model. */
export interface Tries {
  readonly count: number;
  /** Milliseconds from the start of the first to the end of the last. */
  readonly ms: number;
  /** Error of the last; null if the turn's end shows it. */
  readonly fault: StoredFault | null;
}

export type Row =
  | { readonly kind: 'entry'; readonly key: string; readonly entry: Entry }
  | { readonly kind: 'tries'; readonly key: string; readonly tries: Tries }
  | { readonly kind: 'turn'; readonly key: string; readonly sum: TurnSum };

interface Turn {
  readonly id: string;
  readonly began: number;
  /** Index after the last row of this turn. */
  behind: number;
  ended: number;
  /** Whether the page of the turn was closed, so that the duration is unknown. */
  lost: boolean;
  steps: number;
  usage: Usage;
  estimated: boolean;
  cost: number | null;
}

/** Start of the latest turn; rows before it are reused as long as their entries are the same. */
interface Begun {
  readonly entries: number;
  readonly rows: number;
  readonly spoken: boolean;
}

/** Rows of one session as it grows; only those of its latest turn are created again. */
export class TranscriptRows {
  #entries: readonly Entry[] = [];
  #rows: readonly Row[] = [];
  #begun: Begun = { entries: 0, rows: 0, spoken: false };
  /** Ids of the turns before the latest. */
  #before = new Set<string>();
  #underWay: SessionState['turnId'] = null;

  /** @param underWay id of the running turn */
  of(entries: readonly Entry[], underWay: SessionState['turnId']): readonly Row[] {
    if (!this.#isAsBefore(entries, underWay)) {
      this.#begun = { entries: 0, rows: 0, spoken: false };
      this.#before = new Set();
      this.#rows = [];
    }
    const { entries: from, rows, spoken } = this.#begun;
    this.#rows = rowsFrom(
      entries,
      from,
      this.#rows.slice(0, rows),
      spoken,
      underWay,
      (begun, turn) => {
        this.#begun = begun;
        if (turn !== null) this.#before.add(turn);
      },
    );
    this.#entries = entries;
    this.#underWay = underWay;
    return this.#rows;
  }

  #isAsBefore(entries: readonly Entry[], underWay: SessionState['turnId']): boolean {
    // An earlier turn that was continued has no summary yet, or loses it.
    for (const turn of [underWay, this.#underWay])
      if (turn !== null && this.#before.has(turn)) return false;
    for (let at = 0; at < this.#begun.entries; at += 1)
      if (entries[at] !== this.#entries[at]) return false;
    return true;
  }
}

/**
 * Adds the rows of further entries.
 * @param rows rows of earlier entries, to extend
 * @param spoken whether they contain a message
 * @param onTurn called at the start of each turn, with the turn before it
 */
function rowsFrom(
  entries: readonly Entry[],
  from: number,
  rows: Row[],
  spoken: boolean,
  underWay: SessionState['turnId'],
  onTurn: (begun: Begun, before: string | null) => void,
): readonly Row[] {
  let turn = null as Turn | null;
  const sumUp = (): void => {
    if (turn === null || turn.steps === 0 || turn.id === underWay) return;
    const { id, began, behind, ended, lost, steps, usage, estimated, cost } = turn;
    const ms = lost ? null : Math.max(0, ended - began);
    rows.splice(behind, 0, {
      kind: 'turn',
      key: `turn ${id} ${String(began)}`,
      sum: { steps, usage, estimated, cost, ms },
    });
  };
  for (let at = from; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry === undefined) break;
    const id: string = 'turnId' in entry ? entry.turnId : (turn?.id ?? '');
    if (id !== (turn?.id ?? '')) {
      sumUp();
      onTurn({ entries: at, rows: rows.length, spoken }, turn?.id ?? null);
      turn = {
        id,
        began: entry.at,
        ended: entry.at,
        behind: 0,
        lost: false,
        steps: 0,
        usage: noUsage,
        estimated: false,
        cost: null,
      };
    }
    if (turn !== null && entry.kind === 'step') addStep(turn, entry);
    // A lost turn is ended when the session is next opened, perhaps days later.
    if (turn !== null && entry.kind === 'turn-ended') {
      turn.lost = entry.end === 'lost';
      turn.ended = Math.max(turn.ended, entry.at);
    }
    spoken ||= entry.kind === 'message';
    // Before the first message, the composer shows model and prompt.
    if (!spoken && (entry.kind === 'model' || entry.kind === 'prompt')) continue;
    if (isBare(entry)) rows.push(...triesRow(entries, at));
    else rows.push({ kind: 'entry', key: String(entry.n), entry });
    if (turn !== null && ('turnId' in entry || entry.kind === 'turn-ended'))
      turn.behind = rows.length;
  }
  sumUp();
  return rows;
}

/** The row to scroll to for an entry; -1 if there is none. */
export function rowOf(rows: readonly Row[], n: number): number {
  return rows.findLastIndex((row) => row.kind === 'entry' && row.entry.n <= n);
}

/**
 * The row from which an idle session can continue: its latest turn ended early, or its last message has no answer. -1
 * if its turn is done.
 */
export function goesOnFrom(rows: readonly Row[]): number {
  const at = rows.findLastIndex(
    (row) =>
      row.kind === 'tries' ||
      (row.kind === 'entry' && ['message', 'step', 'turn-ended'].includes(row.entry.kind)),
  );
  const row = rows[at];
  return row?.kind === 'entry' && row.entry.kind !== 'step' ? at : -1;
}

/** Returns whether the end of the turn, right below a failed step, shows the reason. */
export function isShownBelow(entries: readonly Entry[], step: StepEntry): boolean {
  const next = entries[entries.findIndex(({ n }) => n === step.n) + 1];
  return next?.kind === 'turn-ended' && next.fault?.message === step.fault?.message;
}

/** Returns whether a step produced only an error. */
function isBare(entry: Entry | undefined): entry is StepEntry {
  return entry?.kind === 'step' && entry.fault !== null && entry.parts.length === 0;
}

/**
 * Returns one row for all attempts after the last of them; none if the end of the turn already says
 * everything.
 */
function triesRow(entries: readonly Entry[], at: number): readonly Row[] {
  const last = entries[at];
  if (!isBare(last) || isBare(entries[at + 1])) return [];
  let first = last;
  let count = 1;
  for (let before = entries[at - 1]; isBare(before); before = entries[at - count]) {
    first = before;
    count += 1;
  }
  const shownBelow = isShownBelow(entries, last);
  if (shownBelow && count === 1) return [];
  const ms = Math.max(0, last.at + last.ms - first.at);
  const tries = { count, ms, fault: shownBelow ? null : last.fault };
  return [{ kind: 'tries', key: `tries ${String(first.n)}`, tries }];
}

/** A failed attempt does not count as a step, but its time counts. */
function addStep(turn: Turn, step: StepEntry): void {
  const { at, ms, usage, cost } = step;
  if (!isBare(step)) turn.steps += 1;
  turn.ended = at + ms;
  turn.usage = usageSum(turn.usage, usage);
  turn.estimated ||= step.estimated === true;
  if (cost !== null) turn.cost = (turn.cost ?? 0) + cost;
}
