/** Describes the timeline of a session in words and positions. */

import type { TraceSpan, TraceTurn } from '../../../../agent/session/trace/trace.ts';
import { formatDuration } from '../../parts/format.ts';
import { oneLine } from '../transcript/call-words.ts';
import { formatMoney, usageWords } from '../../parts/usage-words.ts';

export interface SpanBar {
  /** Percent of the turn's duration. */
  readonly from: number;
  readonly width: number;
  /** The part of the bar, in percent, during which nothing had arrived, or the call waited. */
  readonly waited: number;
}

/**
 * Returns the position of a span in its turn.
 * @param end when the last span of the turn ends; milliseconds since the epoch
 */
export function spanBar(span: TraceSpan, turn: TraceTurn, end: number): SpanBar {
  const all = Math.max(1, end - turn.at);
  const percent = (ms: number): number => Math.min(100, Math.max(0, (100 * ms) / all));
  const ms = span.ms ?? Math.max(0, end - span.at);
  const waited =
    span.kind === 'step'
      ? (span.firstMs ?? 0)
      : span.kind === 'call'
        ? (span.waitedMs ?? ms)
        : span.kind === 'retry'
          ? ms
          : 0;
  const from = percent(span.at - turn.at);
  return {
    from,
    width: Math.min(100 - from, percent(ms)),
    waited: ms === 0 ? 0 : Math.min(100, (100 * waited) / ms),
  };
}

/** Describes a span, with the most useful details. */
export function spanWords(
  span: TraceSpan,
  labelOf: (span: TraceSpan) => string,
): { readonly name: string; readonly about: string; readonly failed: boolean } {
  switch (span.kind) {
    case 'message':
      return { name: 'Message', about: oneLine(span.text), failed: false };
    case 'retry':
      return { name: 'Waited to retry', about: oneLine(span.text), failed: false };
    case 'summary':
      return { name: 'Summary of earlier messages', about: oneLine(span.text), failed: false };
    case 'step':
      return {
        name: labelOf(span),
        about: [
          span.firstMs === null ? '' : `first token after ${formatDuration(span.firstMs)}`,
          span.reasoningChars > 0 ? 'with reasoning' : '',
          `${span.estimated ? 'about ' : ''}${usageWords(span.usage)}`.trim(),
          span.cost === null ? '' : formatMoney(span.cost),
          span.fault === null ? '' : oneLine(span.fault.message),
        ]
          .filter((words) => words !== '' && words !== 'about')
          .join(' · '),
        failed: span.fault !== null,
      };
    case 'call':
      return {
        name: labelOf(span),
        about: [
          oneLine(span.arguments),
          span.asked ? 'you were asked' : '',
          span.waitedMs !== null && span.waitedMs > 0
            ? `waited ${formatDuration(span.waitedMs)}`
            : '',
          span.result?.error === undefined ? '' : oneLine(span.result.error),
        ]
          .filter(Boolean)
          .join(' · '),
        failed: span.result?.isError === true,
      };
  }
}
