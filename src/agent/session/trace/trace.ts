/** The timeline of a session: what happened when, and how long it took. Computed from the events of its log. */

import type { Usage } from '../../../runtime/spec/model.ts';
import type { SessionEvent, TurnEnd } from '../../../runtime/spec/session.ts';
import type { ToolResult } from '../../../runtime/spec/result.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import { calledToolName, type StepEntry } from '../session-state.ts';
import { noUsage, addAmounts, usageSum } from '../usage.ts';

interface SpanBase {
  /** Unique in the trace. */
  readonly id: string;
  /** The number of the event that began the span. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds; null while the span has not ended. */
  readonly ms: number | null;
}

export interface StepSpan
  extends SpanBase, Pick<StepEntry, 'kind' | 'model' | 'usage' | 'cost' | 'fault'> {
  /** Milliseconds until the first part of the answer; null if unknown. */
  readonly firstMs: number | null;
  readonly estimated: boolean;
  readonly finish: string | null;
  /** Characters of the answer, by kind. */
  readonly textChars: number;
  readonly reasoningChars: number;
  readonly calls: number;
}

export interface CallSpan extends SpanBase {
  readonly kind: 'call';
  readonly step: string;
  readonly name: string;
  readonly arguments: JsonText;
  /**
   * Milliseconds before the call ran: in the queue, or for the user's approval; null if it never
   * ran.
   */
  readonly waitedMs: number | null;
  /** Whether the user was asked about the call. */
  readonly asked: boolean;
  /** Null while it has not ended. */
  readonly result: ToolResult | null;
  /** The call of the program that made this call; null if the model made it. */
  readonly parent: string | null;
}

/** A message, the wait before a retry, or a summary. */
export interface OtherSpan extends SpanBase {
  readonly kind: 'message' | 'retry' | 'summary';
  readonly text: string;
}

export type TraceSpan = StepSpan | CallSpan | OtherSpan;

export interface TraceTurn {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Milliseconds; null while it has not ended, or if its end is unknown. */
  readonly ms: number | null;
  readonly end: TurnEnd | null;
  readonly spans: readonly TraceSpan[];
  readonly usage: Usage;
  readonly cost: number | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenTurn = Mutable<Omit<TraceTurn, 'spans'>> & { readonly spans: Mutable<TraceSpan>[] };

/** Limit for the text of a message in the timeline. */
const textChars = 200;

/** The turns of a session, oldest first. */
export function sessionTrace(events: readonly SessionEvent[]): readonly TraceTurn[] {
  const steps = traceSteps(events);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Like {@link sessionTrace}, in steps of one event. */
export function* traceSteps(
  events: readonly SessionEvent[],
): Generator<undefined, readonly TraceTurn[]> {
  const turns = new Map<string, OpenTurn>();
  let latest: OpenTurn | null = null;
  const steps = new Map<string, { readonly step: Mutable<StepSpan>; readonly turn: OpenTurn }>();
  const calls = new Map<string, Mutable<CallSpan>>();
  const turnOf = (id: string, at: number): OpenTurn => {
    const known = turns.get(id);
    if (known !== undefined) return known;
    const turn = { id, at, ms: null, end: null, spans: [], usage: noUsage, cost: null };
    turns.set(id, turn);
    latest = turn;
    return turn;
  };
  for (const event of events) {
    yield;
    const { n, at } = event;
    switch (event.type) {
      case 'message': {
        const text = event.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
        const short = text.join(' ').slice(0, textChars);
        turnOf(event.turnId, at).spans.push({
          kind: 'message',
          id: event.id,
          n,
          at,
          ms: 0,
          text: short,
        });
        break;
      }
      case 'turn-began':
        turnOf(event.turnId, at);
        break;
      case 'step-began': {
        if (steps.has(event.stepId)) break;
        const turn = turnOf(event.turnId, at);
        addRetry(turn, n, at);
        const step: Mutable<StepSpan> = {
          kind: 'step',
          id: event.stepId,
          n,
          at,
          ms: null,
          model: event.model,
          firstMs: null,
          usage: noUsage,
          estimated: false,
          cost: null,
          finish: null,
          fault: null,
          textChars: 0,
          reasoningChars: 0,
          calls: 0,
        };
        steps.set(event.stepId, { step, turn });
        turn.spans.push(step);
        break;
      }
      case 'step-ended': {
        const known = steps.get(event.stepId);
        if (known?.step.ms !== null) break;
        const { step, turn } = known;
        endStep(step, event);
        turn.usage = usageSum(turn.usage, event.usage);
        turn.cost = addAmounts(turn.cost, event.cost);
        for (const part of event.parts) {
          if (part.type !== 'call' || calls.has(part.id)) continue;
          const call: Mutable<CallSpan> = {
            kind: 'call',
            id: part.id,
            n,
            at,
            ms: null,
            step: event.stepId,
            asked: false,
            name: calledToolName(part),
            arguments: part.arguments,
            waitedMs: null,
            result: null,
            parent: null,
          };
          calls.set(part.id, call);
          turn.spans.push(call);
        }
        break;
      }
      case 'call-answered': {
        const call = calls.get(event.callId);
        if (call === undefined) break;
        call.asked = true;
        call.arguments = event.arguments ?? call.arguments;
        break;
      }
      case 'call-began': {
        const call = calls.get(event.callId);
        if (call !== undefined) call.waitedMs ??= Math.max(0, at - call.at);
        break;
      }
      case 'nested-ended':
      case 'call-ended': {
        const call = calls.get(event.callId);
        if (call?.ms !== null) break;
        call.ms = Math.max(0, at - call.at);
        call.result = event.result;
        break;
      }
      case 'nested-began': {
        const program = calls.get(event.parent);
        if (program === undefined || calls.has(event.callId)) break;
        const call: Mutable<CallSpan> = {
          ...program,
          id: event.callId,
          n,
          at,
          ms: null,
          asked: false,
          name: event.tool,
          arguments: event.arguments,
          waitedMs: null,
          result: null,
          parent: event.parent,
        };
        calls.set(event.callId, call);
        steps.get(program.step)?.turn.spans.push(call);
        break;
      }
      case 'compacted': {
        const turn = latest as OpenTurn | null;
        if (turn === null) break;
        turn.spans.push({
          kind: 'summary',
          id: `summary ${String(n)}`,
          n,
          at,
          ms: 0,
          text: event.summary.slice(0, textChars),
        });
        turn.usage = usageSum(turn.usage, event.usage);
        turn.cost = addAmounts(turn.cost, event.cost ?? null);
        break;
      }
      case 'turn-ended': {
        const turn = turns.get(event.turnId);
        if (turn?.end !== null) break;
        turn.end = event.end;
        // A lost turn is ended when the session is next opened, perhaps days later.
        turn.ms = event.end === 'lost' ? null : Math.max(0, at - turn.at);
        break;
      }
      default:
    }
  }
  return [...turns.values()];
}

/** After a failed step, the time until the next attempt is a separate span. */
function addRetry(turn: OpenTurn, n: number, at: number): void {
  const last = turn.spans.at(-1);
  if (last?.kind !== 'step' || last.fault === null || last.ms === null) return;
  const from = last.at + last.ms;
  turn.spans.push({
    kind: 'retry',
    id: `retry ${String(n)}`,
    n,
    at: from,
    ms: Math.max(0, at - from),
    text: last.fault.message.slice(0, textChars),
  });
}

function endStep(
  step: Mutable<StepSpan>,
  event: Extract<SessionEvent, { type: 'step-ended' }>,
): void {
  const chars = (type: 'text' | 'reasoning'): number =>
    event.parts.reduce((sum, part) => (part.type === type ? sum + part.text.length : sum), 0);
  step.ms = event.ms;
  step.firstMs = event.firstMs ?? null;
  step.usage = event.usage;
  step.estimated = event.estimated === true;
  step.cost = event.cost;
  step.finish = event.finish;
  step.fault = event.fault ?? null;
  step.textChars = chars('text');
  step.reasoningChars = chars('reasoning');
  step.calls = event.parts.filter(({ type }) => type === 'call').length;
}

/** When the last span of a turn ends, for the scale of its timeline; milliseconds since the epoch. */
export function turnEnd({ at, ms, spans }: TraceTurn): number {
  // `Math.max` cannot take all spans at once, since the number of arguments is limited.
  return spans.reduce((end, span) => Math.max(end, span.at + (span.ms ?? 0)), at + (ms ?? 0));
}
