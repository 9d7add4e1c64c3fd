/** The timeline of a session, and its export. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from '../../../runtime/call/results.ts';
import type { SessionEvent, SessionFact } from '../../../runtime/spec/session.ts';
import { replaySession } from '../reduce.ts';
import {
  askedCall,
  created,
  factOf,
  lastKind,
  message,
  model,
  stamped,
  usage,
  wholeTurn,
} from '../session.fixture.ts';
import { otlpFile } from './otlp.ts';
import { sessionTrace, turnEnd, type TraceTurn } from './trace.ts';

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
    n: 9,
    at: 1_009,
    type: 'call-answered',
    callId: 'call-1',
    approval: 'once',
    reason: '',
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

async function exported(of: readonly SessionEvent[]): Promise<readonly ExportedSpan[]> {
  const { head } = replaySession('5f0a3c1e-0000-4000-8000-1234567890ab', of);
  const { file } = await otlpFile(head, of, { kindOf: () => 'anthropic' });
  const { resourceSpans } = JSON.parse(await file.text()) as {
    resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
  };
  return resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

function attribute(span: ExportedSpan | undefined, key: string): unknown {
  return span?.attributes.find((one) => one.key === key)?.value;
}

test('the export has a span for the turn, and in it one for each request and call', async () => {
  const spans = await exported(events);
  expect(spans.map(({ name }) => name)).toEqual([
    'invoke_agent Cloche',
    'chat large',
    'execute_tool weather:today',
    'chat large',
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
  expect(attribute(chat, 'gen_ai.provider.name')).toEqual({ stringValue: 'anthropic' });
  expect(attribute(chat, 'gen_ai.usage.input_tokens')).toEqual({ intValue: '100' });
  expect(attribute(chat, 'gen_ai.usage.cache_read.input_tokens')).toEqual({ intValue: '20' });
  expect(attribute(chat, 'gen_ai.response.finish_reasons')).toEqual({
    arrayValue: { values: [{ stringValue: 'tool_call' }] },
  });
  expect(attribute(tool, 'gen_ai.tool.call.arguments')).toEqual({ stringValue: '{"city":"Oslo"}' });
  expect([attribute(tool, 'error.type'), tool?.status.code]).toEqual([
    { stringValue: 'ValueError' },
    2,
  ]);
  const input = attribute(spans[3], 'gen_ai.input.messages') as { stringValue: string };
  expect((JSON.parse(input.stringValue) as { role: string }[]).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ]);
});

test('a span has what was changed in its call, and by whom', async () => {
  const changes = [{ by: 'units', what: 'arguments', before: '1', after: '2' }] as const;
  const changed = events.map((event) =>
    event.type === 'call-ended' ? { ...event, result: { ...event.result, changes } } : event,
  );
  const written = { stringValue: JSON.stringify(changes) };
  expect(attribute((await exported(changed))[2], 'cloche.tool.changes')).toEqual(written);
});

test('the calls of a program are spans below its own call', async () => {
  const nested = { callId: 'nested-1', parent: 'call-1' } as const;
  const [began, ended] = [
    { type: 'nested-began', ...nested, tool: 'weather:week', arguments: '{"city":"Rome"}' },
    { type: 'nested-ended', ...nested, result: failure('ValueError: no', 'No.') },
  ] as const;
  const at = wholeTurn.findIndex(({ type }) => type === 'call-ended');
  const facts = [...wholeTurn.slice(0, at), began, ended, ...wholeTurn.slice(at)];
  const spans = await exported(stamped(facts));
  const program = spans.find(({ name }) => name === 'execute_tool weather:today');
  const inner = spans.find(({ name }) => name === 'execute_tool weather:week');
  expect(inner?.parentSpanId).toBe(program?.spanId);
  expect(attribute(inner, 'gen_ai.tool.call.arguments')).toEqual({
    stringValue: '{"city":"Rome"}',
  });
  expect(attribute(inner, 'error.type')).toEqual({ stringValue: 'ValueError' });
});

test('the same session gives the same ids, and another one others', async () => {
  const spans = await exported(events);
  expect(await exported(events)).toEqual(spans);
  const { head } = replaySession('another', events);
  const other = await otlpFile(head, events, { kindOf: () => undefined });
  expect(await other.file.text()).not.toContain(spans[0]?.traceId);
  expect(other.shortened).toBe(0);
});

/** One turn of many steps, each with an answer of some characters. */
function longTurn(count: number, chars: number): readonly SessionEvent[] {
  const steps = Array.from({ length: count }, (_, index): readonly SessionFact[] => {
    const stepId = `step-${index}`;
    const text = `Answer ${index}. `.padEnd(chars, 'x');
    const parts = [{ type: 'text', text }] as const;
    const ended = { parts, finish: 'stop', usage, cost: null, ms: 1 } as const;
    return [
      { type: 'step-began', turnId: 'turn-1', stepId, model },
      { type: 'step-ended', stepId, ...ended },
    ];
  });
  const facts = [created, message('Begin.'), ...steps.flat()];
  return stamped([...facts, { type: 'turn-ended', turnId: 'turn-1', end: 'done' }]);
}

/**
 * A tenth of the work is timed first, on the same machine. In linear time, the whole work takes ten times as long.
 * If each step looked at all others, it would take a hundred times as long.
 */
const maxTimesSlower = 50;
/** Limit for the whole work on any machine, in milliseconds; a quick one needs a second. */
const maxMs = 60_000;
const stepCount = 30_000;

/** Measures up to three times, since other programs may use the processor meanwhile. @returns what the whole work returns */
async function inProportion<P, R>(work: (of: P) => R, part: P, whole: P): Promise<Awaited<R>> {
  // The first run compiles the code.
  await work(part);
  const ratios: number[] = [];
  for (;;) {
    const began = performance.now();
    await work(part);
    const between = performance.now();
    const result = await work(whole);
    const took = performance.now() - between;
    expect(took).toBeLessThan(maxMs);
    ratios.push(took / (between - began));
    if (Math.min(...ratios) < maxTimesSlower) return result;
    if (ratios.length === 3) throw new Error(`It took ${ratios.join(', ')} times as long.`);
  }
}

/** A turn of many steps, the first of which asks for many calls. */
function turnWithCalls(steps: number, callCount: number): readonly SessionEvent[] {
  const calls = Array.from({ length: callCount }, (_, index) => askedCall(`call-${index}`));
  return longTurn(steps, 20).map((event) =>
    event.type === 'step-ended' && event.stepId === 'step-0' ? { ...event, parts: calls } : event,
  );
}

test('the timeline of a turn with many steps and calls takes time in proportion', async () => {
  const callCount = 200_000;
  const endOf = (events: readonly SessionEvent[]): [number, TraceTurn] => {
    const [turn] = sessionTrace(events);
    if (turn === undefined) throw new Error('There is no turn.');
    return [turnEnd(turn), turn];
  };
  const short = turnWithCalls(stepCount / 10, callCount / 10);
  const long = turnWithCalls(stepCount, callCount);
  // More spans than a call may have arguments.
  const [end, turn] = await inProportion(endOf, short, long);
  expect(end).toBe(long.at(-1)?.at);
  expect(turn.spans).toHaveLength(1 + stepCount + callCount);
  expect(turn.spans.at(-1)).toMatchObject({ id: `step-${stepCount - 1}`, finish: 'stop' });
  expect(turn.usage.input).toBe(100 * stepCount);
});

test('the export of a turn with many steps takes time in proportion and bounded space, and lets the page work', async () => {
  const short = longTurn(stepCount / 10, 1_000);
  const long = longTurn(stepCount, 1_000);
  const exported = (events: readonly SessionEvent[]) =>
    otlpFile(replaySession('long', events).head, events, { kindOf: () => 'anthropic' });
  let tasks = 0;
  const timer = setInterval(() => (tasks += 1), 1);
  const { file, shortened } = await inProportion(exported, short, long);
  clearInterval(timer);
  expect(tasks).toBeGreaterThan(10);
  // Answers twice, in their step and as what is new in the next; repetitions up to their limit; all other attributes.
  expect(file.size).toBeLessThan(30_000_000 * 2 + 64_000_000 + stepCount * 3_000);
  expect(shortened).toBeGreaterThan(stepCount / 2);
  const { resourceSpans } = JSON.parse(await file.text()) as {
    resourceSpans: { scopeSpans: { spans: ExportedSpan[] }[] }[];
  };
  const spans = resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  expect(spans).toHaveLength(1 + stepCount);
  const textOf = (span: ExportedSpan | undefined, key: string): string =>
    (attribute(span, key) as { stringValue: string }).stringValue;
  const inputOf = (index: number): readonly string[] =>
    (
      JSON.parse(textOf(spans[1 + index], 'gen_ai.input.messages')) as {
        parts: { content: string }[];
      }[]
    ).map(({ parts }) => parts[0]?.content.split('.', 1)[0] ?? '');
  expect(inputOf(0)).toEqual(['Begin']);
  expect(inputOf(2)).toEqual(['Begin', 'Answer 0', 'Answer 1']);
  expect(attribute(spans[3], 'cloche.input_messages.left_out')).toBeUndefined();
  const last = stepCount - 1;
  expect(inputOf(last).slice(-2)).toEqual([`Answer ${last - 2}`, `Answer ${last - 1}`]);
  expect(attribute(spans.at(-1), 'cloche.input_messages.left_out')).toEqual({
    intValue: String(stepCount - inputOf(last).length),
  });
  expect(textOf(spans.at(-1), 'gen_ai.output.messages')).toContain(`Answer ${last}.`);
});

test('a message that is sent again after each failure is not written each time', async () => {
  const text = 'x'.repeat(1_000_000);
  const fault = { fault: 'network', message: 'Gone.' } as const;
  const tries = Array.from({ length: 1_000 }, (_, index): readonly SessionFact[] => {
    const stepId = `step-${index}`;
    const ended = { parts: [], finish: 'cut', usage, cost: null, ms: 1, fault } as const;
    return [
      { type: 'step-began', turnId: 'turn-1', stepId, model },
      { type: 'step-ended', stepId, ...ended },
    ];
  });
  const failing = stamped([created, message(text), ...tries.flat()]);
  const { head } = replaySession('failing', failing);
  const { file, shortened } = await otlpFile(head, failing, { kindOf: () => undefined });
  expect(file.size).toBeLessThan(5_000_000);
  expect(shortened).toBe(999);
  expect((await file.text()).split(text)).toHaveLength(2);
});

/** The attributes of the conventions' version 0.1.0 that the export uses, with the members of their values in OTLP. */
const conventions: Readonly<Record<string, string>> = {
  'error.type': 'stringValue',
  'gen_ai.agent.name': 'stringValue',
  'gen_ai.conversation.compacted': 'boolValue',
  'gen_ai.conversation.id': 'stringValue',
  'gen_ai.input.messages': 'stringValue',
  'gen_ai.operation.name': 'stringValue',
  'gen_ai.output.messages': 'stringValue',
  'gen_ai.provider.name': 'stringValue',
  'gen_ai.request.model': 'stringValue',
  'gen_ai.request.stream': 'boolValue',
  'gen_ai.response.finish_reasons': 'arrayValue',
  'gen_ai.response.time_to_first_chunk': 'doubleValue',
  'gen_ai.tool.call.arguments': 'stringValue',
  'gen_ai.tool.call.id': 'stringValue',
  'gen_ai.tool.call.result': 'stringValue',
  'gen_ai.tool.name': 'stringValue',
  'gen_ai.tool.type': 'stringValue',
  'gen_ai.usage.cache_read.input_tokens': 'intValue',
  'gen_ai.usage.cache_write.input_tokens': 'intValue',
  'gen_ai.usage.input_tokens': 'intValue',
  'gen_ai.usage.output_tokens': 'intValue',
  'gen_ai.usage.reasoning.output_tokens': 'intValue',
};

/** Checks a file by the definition of OTLP JSON, which has no other members. */
function expectOtlp(file: unknown): void {
  const text = expect.any(String) as unknown;
  const spans = (file as { resourceSpans: { scopeSpans: { spans: unknown[] }[] }[] }).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  expect(file).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'cloche' } }] },
        scopeSpans: [{ scope: { name: 'cloche' }, spans }],
      },
    ],
  });
  for (const span of spans as ExportedSpan[]) {
    const { parentSpanId, attributes, status, ...own } = span;
    expect(own).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as unknown,
      name: text,
      kind: expect.toSatisfy((kind) => kind === 1 || kind === 3) as unknown,
      startTimeUnixNano: expect.stringMatching(/^\d+$/) as unknown,
      endTimeUnixNano: expect.stringMatching(/^\d+$/) as unknown,
    });
    if (parentSpanId !== undefined) expect(parentSpanId).toMatch(/^[0-9a-f]{16}$/);
    expect([1, 2]).toContain(status.code);
    expect(new Set(attributes.map(({ key }) => key)).size).toBe(attributes.length);
    for (const { key, value } of attributes) {
      const [member, ...others] = Object.keys(value);
      expect([key, others]).toEqual([key, []]);
      if (!key.startsWith('cloche.')) expect([key, member]).toEqual([key, conventions[key]]);
      if (member === 'intValue') expect(value[member]).toMatch(/^-?\d+$/);
    }
  }
}

test('the export is OTLP JSON with the names and types of the conventions, whatever the events are', async () => {
  const fact = fc.tuple(fc.nat(lastKind), fc.nat(3), fc.nat(4)).map(factOf);
  await fc.assert(
    fc.asyncProperty(fc.array(fact, { maxLength: 40 }), async (facts) => {
      const of = stamped([...wholeTurn, ...facts]);
      const { head } = replaySession('any', of);
      const { file } = await otlpFile(head, of, { kindOf: () => undefined });
      expectOtlp(JSON.parse(await file.text()));
    }),
    { numRuns: 50 },
  );
});

test('a request after a summary is marked as such, and has the tokens that were written to the cache', async () => {
  const summary: SessionFact = { type: 'compacted', before: 3, summary: 'So far.', usage };
  const further: readonly SessionFact[] = [
    { type: 'step-began', turnId: 'turn-1', stepId: 'step-3', model },
    {
      type: 'step-ended',
      stepId: 'step-3',
      parts: [],
      finish: 'stop',
      cost: null,
      ms: 1,
      usage: { ...usage, cacheWrites: 7 },
    },
  ];
  const chats = (await exported(stamped([...wholeTurn, summary, ...further]))).filter(({ name }) =>
    name.startsWith('chat'),
  );
  expect(chats.map((chat) => attribute(chat, 'gen_ai.conversation.compacted'))).toEqual([
    undefined,
    undefined,
    { boolValue: true },
  ]);
  expect(attribute(chats[2], 'gen_ai.usage.cache_write.input_tokens')).toEqual({ intValue: '7' });
});
