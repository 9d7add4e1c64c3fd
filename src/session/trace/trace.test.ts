/** The timeline of a session, and its export. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../spec/session.ts';
import { replayed } from '../reduce.ts';
import { factOf, lastKind, model, stamped, usage, wholeTurn } from '../session.fixture.ts';
import { otlpFile } from './otlp.ts';
import { sessionTrace, turnEnd } from './trace.ts';

const events = stamped(wholeTurn);

test('a turn has its message, its steps and its calls, with waits and times', () => {
  const [turn, ...others] = sessionTrace(events);
  expect(others).toEqual([]);
  expect(turn).toMatchObject({ id: 'turn-1', at: 1_003, ms: 9, end: 'done', cost: 0.5 });
  expect(turn?.usage).toMatchObject({ input: 300, output: 20 });
  expect(turn?.spans).toMatchObject([
    { kind: 'message', text: 'How is the weather in Oslo?', ms: 0 },
    { kind: 'step', id: 'step-1', at: 1_006, ms: 7, model, usage, reasoningChars: 2, calls: 1 },
    { kind: 'call', id: 'call-1', name: 'weather:today', waitedMs: 1, ms: 2, asked: false },
    { kind: 'step', id: 'step-2', textChars: 13, calls: 0, finish: 'stop' },
  ]);
});

test('the wait before a retry is a span, and an answered call was asked about', () => {
  const fault = { fault: 'network', message: 'Gone.' } as const;
  const failed = { type: 'step-ended', parts: [], finish: 'cut', usage, cost: null } as const;
  const [turn] = sessionTrace([
    ...events.slice(0, 7),
    { n: 7, at: 1_010, ...failed, stepId: 'step-1', ms: 4, fault },
    { n: 8, at: 2_010, type: 'step-began', turnId: 'turn-1', stepId: 'step-1b', model },
  ]);
  expect(turn?.spans.slice(1)).toMatchObject([
    { kind: 'step', fault, ms: 4 },
    { kind: 'retry', at: 1_010, ms: 1_000, text: 'Gone.' },
    { kind: 'step', id: 'step-1b', ms: null, firstMs: null },
  ]);
  const answered: SessionEvent = {
    ...{ n: 9, at: 1_009, type: 'call-answered', callId: 'call-1', approval: 'once', reason: '' },
    arguments: '{"city":"Rome"}',
  };
  const [asked] = sessionTrace([...events.slice(0, 8), answered]);
  expect(asked?.spans.at(-1)).toMatchObject({
    asked: true,
    arguments: '{"city":"Rome"}',
    ms: null,
  });
});

test('any events have a timeline whose spans do not end before they begin', () => {
  const fact = fc.tuple(fc.nat(lastKind), fc.nat(3), fc.nat(4)).map(factOf);
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 60 }), (facts) => {
      const turns = sessionTrace(stamped(facts));
      for (const turn of turns) {
        expect(turnEnd(turn)).toBeGreaterThanOrEqual(turn.at);
        for (const span of turn.spans) expect(span.ms ?? 0).toBeGreaterThanOrEqual(0);
        const ids = turn.spans.filter(({ kind }) => kind !== 'message').map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }
    }),
  );
});

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code: number };
}

function exported(of: readonly SessionEvent[]): readonly ExportedSpan[] {
  const { head } = replayed('5f0a3c1e-0000-4000-8000-1234567890ab', of);
  const file = otlpFile(head, of, { kindOf: () => 'anthropic' });
  const { resourceSpans } = JSON.parse(file) as {
    resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
  };
  return resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

test('the export has a span for the turn, and in it one for each request and call', () => {
  const spans = exported(events);
  expect(spans.map(({ name }) => name)).toEqual([
    ...['invoke_agent Cloche', 'chat large', 'execute_tool weather:today', 'chat large'],
  ]);
  const [root, chat, tool] = spans;
  for (const span of spans) {
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span.startTimeUnixNano).toMatch(/^\d+000000$/);
  }
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
  expect(spans.slice(1).map(({ parentSpanId }) => parentSpanId)).toEqual(
    Array(3).fill(root?.spanId),
  );
  const of = (span: ExportedSpan | undefined, key: string): unknown =>
    span?.attributes.find((attribute) => attribute.key === key)?.value;
  expect(of(chat, 'gen_ai.provider.name')).toEqual({ stringValue: 'anthropic' });
  expect(of(chat, 'gen_ai.usage.input_tokens')).toEqual({ intValue: '100' });
  expect(of(chat, 'gen_ai.usage.cache_read.input_tokens')).toEqual({ intValue: '20' });
  expect(of(chat, 'gen_ai.response.finish_reasons')).toEqual({
    arrayValue: { values: [{ stringValue: 'tool_call' }] },
  });
  expect(of(tool, 'gen_ai.tool.call.arguments')).toEqual({ stringValue: '{"city":"Oslo"}' });
  expect([of(tool, 'error.type'), tool?.status.code]).toEqual([{ stringValue: 'ValueError' }, 2]);
  const input = of(spans[3], 'gen_ai.input.messages') as { stringValue: string };
  expect((JSON.parse(input.stringValue) as { role: string }[]).map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'tool'],
  ]);
});

test('the same session gives the same ids, and another one others', () => {
  expect(exported(events)).toEqual(exported(events));
  const { head } = replayed('another', events);
  const other = otlpFile(head, events, { kindOf: () => undefined });
  expect(other).not.toContain(exported(events)[0]?.traceId);
});
