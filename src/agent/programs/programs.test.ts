/** Programs in fake interpreters: budgets, ends, hostile programs, and the interpreters that they use. */

import { afterEach, expect, test, vi } from 'vitest';
import { failure, textResult } from '../../runtime/call/results.ts';
import type { AskAnswer } from '../../runtime/protocol/ask.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { programLimits } from './program-limits.ts';
import { never, page, type AskCall } from './programs.fixture.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A call that runs until it is cancelled. */
function untilAborted(signal: AbortSignal): Promise<ToolResult> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(failure('cancelled', 'Cancelled.')));
  });
}

test('a call of a program takes its parent, session and turn, and begins and ends once', async () => {
  const { run, calls, events, ended } = page(async (ask) => {
    const answers = await Promise.all([ask('t:f', '{"a": 1}'), ask('t:f', '{"a": 2}')]);
    return answers.map((one) => (one.answer === 'value' ? one.value : one.answer)).join();
  });
  const result = await run();
  expect(result.textResultForLlm).toBe('{"ok":true,"parts":[]},{"ok":true,"parts":[]}');
  const expected = { caller: 'program', parent: 'program', sessionId: 's', turnId: 'turn' };
  expect(calls).toMatchObject([
    { id: 'n1', arguments: '{"a": 1}', ...expected },
    { id: 'n2', arguments: '{"a": 2}', ...expected },
  ]);
  expect(events).toEqual(['began n1', 'began n2', 'ended n1 ok', 'ended n2 ok']);
  expect(ended).toEqual(['program']);
});

test('a failed call is an answer, and so is one that Cloche cannot make', async () => {
  const said: unknown[] = [];
  const { run, owner, events } = page(async (ask) => {
    for (const tool of ['t:f', 't:f', 't:other']) said.push(await ask(tool));
    return 'done';
  });
  owner.onCall = () => {
    owner.onCall = () => Promise.reject(new Error('broken'));
    return Promise.resolve(failure('ValueError: no', 'No.'));
  };
  await run();
  expect(said).toMatchObject([
    { value: '{"ok":false,"error":"ValueError: no","message":"No."}' },
    { value: expect.stringContaining('"error":"crashed"') as unknown },
    { answer: 'refused', error: 'ValueError' },
  ]);
  expect(events).toEqual(['began n1', 'ended n1 ValueError: no', 'began n2', 'ended n2 crashed']);
});

test('Stop ends a program and its calls, each once', async () => {
  const { run, owner, events } = page(async (ask) => {
    await Promise.all([ask('t:f'), ask('t:f')]);
    return 'never';
  });
  owner.onCall = untilAborted;
  const stop = new AbortController();
  const running = run(stop.signal);
  await vi.waitFor(() => expect(events).toHaveLength(2));
  stop.abort();
  expect(await running).toMatchObject({ error: 'cancelled' });
  expect(events.slice(2)).toEqual(['ended n1 cancelled', 'ended n2 cancelled']);
});

test('a call after the end of its program is refused, and one that still runs is cancelled', async () => {
  let late: AskCall | null = null;
  const { run, owner, calls, events } = page((ask) => {
    void ask('t:f');
    late = ask;
    return Promise.resolve('done');
  });
  owner.onCall = untilAborted;
  expect((await run()).textResultForLlm).toBe('done');
  expect(events).toEqual(['began n1', 'ended n1 cancelled']);
  expect(await (late as AskCall | null)?.('t:f')).toMatchObject({
    answer: 'refused',
    message: 'The program has ended.',
  });
  expect(calls).toHaveLength(1);
});

test('a program ends after its time, and so do its calls, each once; the next one runs', async () => {
  vi.useFakeTimers();
  let runs = 0;
  const { run, owner, events } = page(async (ask) => {
    runs += 1;
    if (runs === 1) await Promise.all([ask('t:f'), ask('t:f')]);
    return 'done';
  });
  owner.onCall = untilAborted;
  const running = run();
  await vi.advanceTimersByTimeAsync(programLimits.timeMs - 1_000);
  expect(events).toEqual(['began n1', 'began n2']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await running).toMatchObject({ error: 'timeout' });
  expect(events.slice(2)).toEqual(['ended n1 cancelled', 'ended n2 cancelled']);
  await vi.advanceTimersByTimeAsync(2 * programLimits.timeMs);
  expect(events).toHaveLength(4);
  expect((await run()).textResultForLlm).toBe('done');
});

test('time in which the user is asked does not count, and the rest of its time does afterwards', async () => {
  vi.useFakeTimers();
  const { run, clocks } = page(() => new Promise(() => undefined));
  let isOver = false;
  const running = run().finally(() => (isOver = true));
  const { timeMs } = programLimits;
  await vi.advanceTimersByTimeAsync(timeMs / 4);
  clocks[0]?.pause();
  await vi.advanceTimersByTimeAsync(3 * timeMs);
  clocks[0]?.resume();
  await vi.advanceTimersByTimeAsync((timeMs * 3) / 4 - 1_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await running).toMatchObject({ error: 'timeout' });
});

test('100,000 calls at once: those within the limit run, and the program is ended', async () => {
  const { run, calls, events } = page(async (ask) => {
    await Promise.all(Array.from({ length: 100_000 }, () => ask('t:f')));
    return new Promise(() => undefined);
  });
  const result = await run();
  expect(result.textResultForLlm).toContain('it went on after 1,000 calls');
  expect(calls).toHaveLength(programLimits.calls);
  expect(events).toHaveLength(2 * programLimits.calls);
});

test('a program may catch the refusal of a call too many', async () => {
  const { run } = page(async (ask) => {
    let last: AskAnswer = { answer: 'done' };
    for (let n = 0; n <= programLimits.calls; n += 1) last = await ask('t:f');
    return last.answer === 'refused' ? last.message : '';
  });
  expect((await run()).textResultForLlm).toBe('A program can make at most 1,000 calls.');
});

test('the model sees what is printed and the result, cut to the limit', async () => {
  const made = page(() =>
    Promise.resolve(made.pythons.length === 1 ? 'result' : 'x'.repeat(50_000)),
  );
  const { run, pythons, folder } = made;
  await run();
  const [first] = pythons;
  if (first !== undefined) first.printed = 'printed\n';
  expect((await run()).textResultForLlm).toBe('printed\nresult');
  folder.current = {};
  const cut = (await run()).textResultForLlm;
  expect(cut).toHaveLength(programLimits.answerChars);
  expect(cut).toMatch(/\[Cut here: 50,000 characters, and you see at most 20,000\. .*\]$/);
  // A character beyond ASCII can be a token.
  const { run: runOther } = page(() => Promise.resolve(`abcd${'\u4e00'.repeat(6_000)}`));
  const dense = (await runOther()).textResultForLlm;
  expect(dense).toHaveLength(programLimits.answerTokens + 3);
  expect(dense).toContain('[Cut here: 6,004 characters, and you see at most 5,003.');
});

test('a program that shows nothing says where its values are', async () => {
  const { run } = page(() => Promise.resolve(''));
  expect((await run()).textResultForLlm).toContain('starts with the variables of this one.');
});

test('a result that is too large for a program is a failed call', async () => {
  const { run, owner } = page(async (ask) => JSON.stringify(await ask('t:f')));
  const text = 'x'.repeat(programLimits.resultChars + 1);
  owner.onCall = () => Promise.resolve({ ...textResult(''), content: [{ type: 'text', text }] });
  expect((await run()).textResultForLlm).toContain('A program can read 8,000,000.');
});

test('programs of a session share an interpreter, and run one after the other', async () => {
  const open: string[] = [];
  const { run, pythons } = page(async (_, { keep }) => {
    open.push(`in ${keep}`);
    await Promise.resolve();
    open.push('out');
    return '';
  });
  await Promise.all([run(never, false), run(never, true)]);
  expect(open).toEqual(['in false', 'out', 'in true', 'out']);
  expect(pythons).toHaveLength(1);
});

test('an interpreter that an earlier program has broken is replaced, except to keep its variables', async () => {
  const { run, pythons, calls } = page(() => Promise.resolve('done'));
  await run();
  expect(pythons[0]?.trials).toEqual([]);
  await run();
  expect(pythons.map(({ trials }) => trials)).toEqual([[false]]);
  const [first] = pythons;
  if (first !== undefined) first.broken = true;
  await run(never, true);
  expect(pythons.map(({ trials, alive }) => [trials, alive])).toEqual([[[false], true]]);
  expect((await run()).textResultForLlm).toBe('done');
  expect(pythons.map(({ trials, alive }) => [trials, alive])).toEqual([
    [[false, false], false],
    [[], true],
  ]);
  expect(calls).toEqual([]);
});

test('after a failure, variables are kept only in an interpreter that still works', async () => {
  let isFailing = true;
  const { run, pythons } = page(() =>
    isFailing ? Promise.reject(new Error('no')) : Promise.resolve('done'),
  );
  const states = () => pythons.map(({ trials, alive }) => [trials, alive]);
  await run();
  await run(never, true);
  expect(states()).toEqual([[[true], true]]);
  const [first] = pythons;
  if (first !== undefined) first.broken = true;
  isFailing = false;
  expect((await run(never, true)).textResultForLlm).toBe('done');
  expect(states()).toEqual([
    [[true, true], false],
    [[], true],
  ]);
  await run(never, true);
  expect(states().at(-1)).toEqual([[], true]);
});

test('a program that waits for another one is cancelled at once, and later ones still wait', async () => {
  let finish: () => void = () => undefined;
  const { run, pythons } = page(() => new Promise((resolve) => (finish = () => resolve('done'))));
  const first = run();
  await vi.waitFor(() => expect(pythons).toHaveLength(1));
  const stop = new AbortController();
  const second = run(stop.signal);
  let isThirdOver = false;
  const third = run().then((result) => {
    isThirdOver = true;
    return result;
  });
  stop.abort();
  expect(await second).toMatchObject({ error: 'cancelled' });
  expect(isThirdOver).toBe(false);
  finish();
  expect((await first).textResultForLlm).toBe('done');
  await vi.waitFor(async () => {
    finish();
    expect((await Promise.race([third, Promise.resolve(null)]))?.textResultForLlm).toBe('done');
  });
});

test('at most two programs run at once, and each session has its own interpreter', async () => {
  const gates: (() => void)[] = [];
  const { run, pythons } = page(async () => {
    await new Promise<void>((resolve) => gates.push(resolve));
    return '';
  });
  const all = ['a', 'b', 'c'].map((key) => run(never, false, key));
  await vi.waitFor(() => expect(gates).toHaveLength(2));
  expect(pythons).toHaveLength(2);
  gates[0]?.();
  await vi.waitFor(() => expect(gates).toHaveLength(3));
  // The interpreter of the program that has ended makes room.
  expect(pythons.map(({ alive }) => alive)).toEqual([false, true, true]);
  for (const open of gates) open();
  await Promise.all(all);
});

test('an interpreter ends with its folder, when it is idle, and after a program that was stopped', async () => {
  const { run, pythons, folder, timers, programs, views } = page(() => Promise.resolve(''));
  await run();
  expect(views).toEqual([['busy'], ['ready']]);
  const shown = { name: 'p0', role: 'program', sessionId: 's', state: 'ready', busyWith: [] };
  expect(programs.list()).toMatchObject([shown]);
  folder.current = {};
  await run();
  expect(pythons.map(({ alive }) => alive)).toEqual([false, true]);
  for (const then of timers) then();
  expect(pythons[1]?.alive).toBe(false);
  await run();
  programs.endIdle();
  expect(pythons[2]?.alive).toBe(false);
  expect(views.at(-1)).toEqual([]);
  folder.current = null;
  expect((await run()).textResultForLlm).toBe('The program was not run: No tools folder is open');
});

test('a program gets the problems of the folder’s packages as short sentences', async () => {
  const long = { message: 'x'.repeat(10_000), hint: '' };
  const problems = [
    { message: 'requests is not allowed', hint: 'Allow it.' },
    ...Array.from({ length: 30 }, () => long),
  ];
  const { run } = page((_, { missing }) => Promise.resolve(JSON.stringify(missing)), {
    packageProblems: () => problems,
  });
  const given = JSON.parse((await run()).textResultForLlm) as string[];
  expect(given[0]).toBe('requests is not allowed. Allow it.');
  expect(given).toHaveLength(programLimits.packageProblems);
  expect(given[1]).toHaveLength(programLimits.problemChars);
});
