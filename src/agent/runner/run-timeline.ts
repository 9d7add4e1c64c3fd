/** The timeline of a run: the steps of the model and the calls of each task, from the logs of its sessions. */

import { calledToolName } from '../session/session-state.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';
import { finish } from '../../runtime/spec/tool.ts';

export interface TimelineSpan {
  readonly kind: 'model' | 'call';
  /** The model, or the tool. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Null while it runs. */
  readonly to: number | null;
  readonly tokens: number;
  /** US dollars; null if unknown. */
  readonly cost: number | null;
  readonly isFailed: boolean;
}

export interface TimelineTask {
  readonly task: string;
  readonly spans: readonly TimelineSpan[];
}

/** The steps and calls of a session, in the order in which they began. */
export function spansOf(events: readonly SessionEvent[]): readonly TimelineSpan[] {
  const names = new Map<string, string>();
  const spans = new Map<string, TimelineSpan>();
  for (const event of events) {
    switch (event.type) {
      case 'step-began':
        spans.set(event.stepId, beginSpan('model', event.model.model, event.at));
        break;
      case 'step-ended': {
        const { stepId, parts, usage, cost, finish: how, at } = event;
        for (const part of parts)
          if (part.type === 'call') names.set(part.id, calledToolName(part));
        const tokens = (usage.input ?? 0) + (usage.output ?? 0);
        end(spans, stepId, at, { tokens, cost, isFailed: how === 'cut' });
        break;
      }
      case 'call-began':
        spans.set(event.callId, beginSpan('call', names.get(event.callId) ?? '', event.at));
        break;
      case 'call-ended':
        end(spans, event.callId, event.at, { isFailed: event.result.resultType === 'failure' });
        break;
      default:
    }
  }
  return [...spans.values()].filter(({ name }) => name !== finish);
}

function beginSpan(kind: TimelineSpan['kind'], name: string, from: number): TimelineSpan {
  return { kind, name, from, to: null, tokens: 0, cost: null, isFailed: false };
}

function end(
  spans: Map<string, TimelineSpan>,
  id: string,
  to: number,
  more: Partial<TimelineSpan>,
): void {
  const span = spans.get(id);
  if (span !== undefined) spans.set(id, { ...span, to, ...more });
}
