/** Sessions side by side. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { SessionEvent, SessionFact } from '../../runtime/spec/session.ts';
import { compareSessions, type ComparedSessions } from './compare-sessions.ts';
import {
  askedCall,
  created,
  message,
  model,
  stamped,
  usage,
  wholeTurn,
} from './session.fixture.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

function compared(...sessions: readonly (readonly SessionEvent[])[]): ComparedSessions {
  const steps = compareSessions(sessions);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

type Call = readonly [tool: string, args: string, result?: string];

/** A session with one turn, in which one answer makes these calls and the next one says a text. */
function sessionOf(calls: readonly Call[], answer = 'Done.'): readonly SessionEvent[] {
  const asked = calls.map(([tool, args], n) => ({
    ...askedCall(`call-${n}`),
    tool,
    wire: tool.replace(':', '__'),
    arguments: args,
  }));
  const ended = { finish: 'stop', usage, cost: 0.5, ms: 10, firstMs: 4 } as const;
  const facts: readonly SessionFact[] = [
    created,
    message('Go'),
    { type: 'turn-began', turnId: 'turn-1' },
    { type: 'step-began', turnId: 'turn-1', stepId: 'a', model },
    { type: 'step-ended', stepId: 'a', parts: asked, ...ended, finish: 'calls' },
    ...calls.flatMap(([, , result = 'ok'], n): readonly SessionFact[] => [
      { type: 'call-began', callId: `call-${n}`, stepId: 'a' },
      { type: 'call-ended', callId: `call-${n}`, result: failure(result, result) },
    ]),
    { type: 'step-began', turnId: 'turn-1', stepId: 'b', model },
    { type: 'step-ended', stepId: 'b', parts: [{ type: 'text', text: answer }], ...ended },
    { type: 'turn-ended', turnId: 'turn-1', end: 'done' },
  ];
  return stamped(facts);
}

test('calls of programs are compared like others', () => {
  const events = sessionOf([['run_python', '{"code": "…"}']]);
  const withNested = (result: string) =>
    stamped(
      events.flatMap((event): readonly SessionFact[] => {
        if (event.type !== 'call-ended') return [event];
        const nested = { callId: 'nested', parent: 'call-0' };
        return [
          { type: 'nested-began', ...nested, tool: 'm:f', arguments: '{}' },
          { type: 'nested-ended', ...nested, result: failure(result, result) },
          event,
        ];
      }),
    );
  const found = compared(withNested('one'), withNested('other'), events);
  expect(found.sums.map(({ calls }) => calls)).toEqual([2, 2, 1]);
  expect(rowsOf(found)?.map(([differ]) => differ)).toEqual(['not', 'missing']);
  const pair = compared(withNested('one'), withNested('other'));
  expect(rowsOf(pair)?.at(-1)).toEqual(['in results', 'm:f({})', 'm:f({})']);
});

/** Returns for each row what differs, and the arguments of each session's call. */
function rowsOf({ turns }: ComparedSessions) {
  return turns[0]?.rows.map(({ calls, differ }) => [
    differ,
    ...calls.map((call) => call && `${call.name}(${call.arguments})`),
  ]);
}

test('a session has the same figures as its turns, with the answer and the first token', () => {
  const { sums, turns } = compared(stamped(wholeTurn), sessionOf([['m:f', '{}']]));
  expect(sums[0]).toMatchObject({
    requests: 2,
    calls: 1,
    failedCalls: 1,
    cost: 0.5,
    ms: 9,
    firstMs: null,
    usage: { input: 300, output: 20 },
  });
  expect(sums[1]).toMatchObject({ requests: 2, cost: 1, firstMs: 4 });
  expect(turns).toHaveLength(1);
  expect(turns[0]?.sides).toMatchObject([
    { message: 'How is the weather in Oslo?', answer: 'Nobody knows.', end: 'done' },
    { message: 'Go', answer: 'Done.', end: 'done' },
  ]);
});

test('calls of the same tool correspond, and those with the same arguments first', () => {
  const left = sessionOf([
    ['m:f', '{"a": 1, "b": [1, 2]}'],
    ['m:g', '{"x": 1}'],
    ['m:f', '{"a": 3}'],
  ]);
  const right = sessionOf([
    ['m:f', '{"b":[1,2],"a":1}'],
    ['m:f', '{"a": 4}'],
    ['m:h', '{}'],
  ]);
  expect(rowsOf(compared(left, right))).toEqual([
    ['not', 'm:f({"a": 1, "b": [1, 2]})', 'm:f({"b":[1,2],"a":1})'],
    ['missing', 'm:g({"x": 1})', null],
    ['in arguments', 'm:f({"a": 3})', 'm:f({"a": 4})'],
    ['missing', null, 'm:h({})'],
  ]);
});

test('a call of a third session corresponds to one that only the second made', () => {
  const rows = rowsOf(
    compared(
      sessionOf([]),
      sessionOf([['m:f', '{}', 'one']]),
      sessionOf([
        ['m:g', '{}'],
        ['m:f', '{}', 'two'],
      ]),
    ),
  );
  expect(rows).toEqual([
    ['missing', null, null, 'm:g({})'],
    ['missing', null, 'm:f({})', 'm:f({})'],
  ]);
});

test('results and the spelling of numbers are compared', () => {
  const of = (args: string, result: string) => sessionOf([['m:f', args, result]]);
  expect(rowsOf(compared(of('{"n": 1}', 'a'), of('{"n": 1}', 'b')))?.[0]?.[0]).toBe('in results');
  expect(rowsOf(compared(of('{"n": 1}', 'a'), of('{"n": 1.0}', 'a')))?.[0]?.[0]).toBe(
    'in arguments',
  );
  expect(rowsOf(compared(of('{"n": 1.0}', 'a'), of('{"n": 1.0}', 'a')))?.[0]?.[0]).toBe('not');
});

test('sessions may have different numbers of turns, or none', () => {
  const two = [
    ...stamped(wholeTurn),
    ...stamped([message('More', 'turn-2'), { type: 'turn-began', turnId: 'turn-2' }], 20),
  ];
  const { turns, sums } = compared(two, stamped([created]));
  expect(turns.map(({ sides }) => sides.map((side) => side?.message))).toEqual([
    ['How is the weather in Oslo?', undefined],
    ['More', undefined],
  ]);
  expect(sums[1]).toMatchObject({ requests: 0, cost: null, ms: null });
});

test('the arguments of each call are read once, and those of one call in each step', () => {
  const calls = ['{"a": 1}', '{"a": 2}', '{"a": 3}'].map((args): Call => ['m:f', args]);
  const parse = vi.spyOn(JSON, 'parse');
  const steps = compareSessions([sessionOf(calls), sessionOf(calls), sessionOf(calls)]);
  const counts: number[] = [];
  for (let isDone = false; !isDone;) {
    parse.mockClear();
    isDone = steps.next().done === true;
    counts.push(parse.mock.calls.length);
  }
  parse.mockRestore();
  expect([Math.max(...counts), counts.reduce((sum, count) => sum + count)]).toEqual([1, 9]);
});

test('arguments that are no JSON, deep or have names of prototypes are compared, and many calls are left out', () => {
  const odd = ['{', '['.repeat(50_000), '{"__proto__": {"a": 1}}', '{"constructor": 1}'];
  const calls = odd.map((args): Call => ['m:f', args]);
  const rows = rowsOf(compared(sessionOf(calls), sessionOf(calls)));
  expect(rows?.map(([differ]) => differ)).toEqual(['not', 'not', 'not', 'not']);
  const other = sessionOf([['m:f', '{"__proto__": {"a": 2}}']]);
  const proto = sessionOf([['m:f', '{"__proto__": {"a": 1}}']]);
  expect(rowsOf(compared(proto, other))?.[0]?.[0]).toBe('in arguments');

  const many = sessionOf(Array.from({ length: 20_000 }, (_, n): Call => ['m:f', `{"n": ${n}}`]));
  const began = threadMs();
  const { turns } = compared(many, many);
  expect(turns[0]?.rows).toHaveLength(300);
  expect(turns[0]?.leftOut).toBe(2 * 19_700);
  // Takes about a tenth of this.
  expect(threadMs() - began).toBeLessThan(5_000);
});
