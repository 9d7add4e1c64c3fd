/** Copying a session up to one of its events. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import type { SessionFact } from '../../runtime/spec/session.ts';
import { forkFacts } from './fork-session.ts';
import { replaySession } from './reduce.ts';
import { created, factOf, lastKind, stamped, usage, wholeTurn } from './session.fixture.ts';

const events = stamped(wholeTurn);
const parts = { now: () => 9_000, newId: () => 'new' };

function fork(n: number): Promise<SessionFact[]> {
  return forkFacts('s', events, n, parts);
}

test('a whole copy keeps times, restarts Python and names its origin', async () => {
  expect(await fork(12)).toEqual([
    { ...created, at: 9_000, forkOf: { session: 's', n: 12 } },
    ...events.slice(1).map(({ n: _, ...fact }) => fact),
    { at: 9_000, type: 'python-anew', why: 'fork' },
    { at: 9_000, type: 'titled', title: 'How is the weather in Oslo? (fork)', by: 'message' },
  ]);
});

test('a copy up to the first message has no turn and no calls', async () => {
  const { head, turnId, entries } = replaySession('new', stamped(await fork(3)));
  expect([(await fork(3)).length, head.title, head.forkOf, turnId]).toEqual([
    5,
    'How is the weather in Oslo? (fork)',
    's',
    null,
  ]);
  expect(entries.map(({ kind }) => kind)).toEqual(['forked', 'message']);
});

test('a copy has the current title, model and system prompt', async () => {
  const model = { provider: 'other', model: 'new' };
  const all = stamped([
    ...wholeTurn,
    { type: 'model', model },
    { type: 'prompt', text: 'Be brief.' },
    { type: 'titled', title: 'Birds', by: 'user' },
  ]);
  const { head, prompt } = replaySession('new', stamped(await forkFacts('s', all, 6, parts)));
  expect([head.title, head.titled, head.model, prompt]).toEqual([
    'Birds (fork)',
    'by-user',
    model,
    'Be brief.',
  ]);
});

test('permissions are not copied; the locked tools are', async () => {
  const [first, model, selected, ...more] = wholeTurn;
  const allowed = {
    type: 'call-answered',
    callId: 'call-1',
    approval: 'session',
    reason: '',
  } as const;
  const facts = [
    first,
    model,
    ...more.slice(0, 1),
    selected,
    ...more.slice(1, 5),
    allowed,
    ...more.slice(5),
  ];
  const all = stamped(facts.filter((fact) => fact !== undefined));
  const copy = async (n: number) =>
    replaySession('new', stamped(await forkFacts('s', all, n, parts)));
  expect(replaySession('s', all).allowed.size).toBe(1);
  expect((await copy(all.length - 1)).allowed.size).toBe(0);
  expect((await copy(2)).selection?.tools).toMatchObject([{ name: 'weather:today' }]);
});

test('a copy in the middle of a turn ends the turn', async () => {
  const result = failure(
    'cancelled',
    'The session was forked while the call to weather:today was running. Its result belongs to the original session.',
  );
  const stopped = { at: 9_000, type: 'turn-ended', turnId: 'turn-1', end: 'stopped' };
  expect((await fork(8)).slice(9, 12)).toEqual([
    { at: 9_000, type: 'call-ended', callId: 'call-1', result },
    stopped,
    { at: 9_000, type: 'python-anew', why: 'fork' },
  ]);
  const notMade = failure('cancelled', 'The session was forked before weather:today was called.');
  expect((await fork(7)).slice(8, 10)).toEqual([
    { at: 9_000, type: 'call-ended', callId: 'call-1', result: notMade },
    stopped,
  ]);
});

test('a copy in the middle of a program ends the calls that it made', async () => {
  const nested = { callId: 'nested-1', parent: 'call-1' } as const;
  const running = stamped([
    ...wholeTurn.slice(0, 9),
    { type: 'nested-began', ...nested, tool: 'weather:week', arguments: '{}' },
  ]);
  const facts = await forkFacts('s', running, running.length - 1, parts);
  expect(facts.slice(10).map(({ type }) => type)).toEqual([
    'nested-ended',
    'call-ended',
    'turn-ended',
    'python-anew',
    'titled',
  ]);
  const [program] = [...replaySession('new', stamped(facts)).calls.values()];
  expect(program?.nested).toMatchObject([{ id: 'nested-1', result: { error: 'cancelled' } }]);
});

test('a copy up to an answer includes its calls, their results and its end', async () => {
  const types = async (n: number): Promise<string[]> => (await fork(n)).map(({ type }) => type);
  expect(await types(6)).toEqual([
    ...events.slice(0, 10).map(({ type }) => type),
    'turn-ended',
    'python-anew',
    'titled',
  ]);
  expect((await fork(6))[9]).toMatchObject({
    type: 'call-ended',
    result: { error: 'ValueError: no' },
  });
  expect(await types(10)).toEqual(await types(12));
});

test('events outside a turn do not separate it from its end', async () => {
  const beside: SessionFact[] = [
    { type: 'background-began', id: 'b', prompt: 'Look it up.' },
    { type: 'background-step', id: 'b', usage, cost: 0.5 },
    { type: 'background-ended', id: 'b', text: 'Found.', ok: true },
    { type: 'titled', title: 'Weather', by: 'user' },
  ];
  const all = stamped([...wholeTurn.slice(0, -1), ...beside, ...wholeTurn.slice(-1)]);
  const { entries, background, cost } = replaySession(
    'new',
    stamped(await forkFacts('s', all, 10, parts)),
  );
  expect(entries.some(({ kind }) => kind === 'turn-ended')).toBe(false);
  expect(background).toMatchObject([{ text: 'Found.', ok: true }]);
  expect(cost).toBe(replaySession('s', all).cost);
});

test('a copy up to an answer in progress ends the answer with the parts so far', async () => {
  const begun = events.slice(0, 7);
  const copy = await forkFacts('s', begun, 6, parts);
  expect(copy.slice(7, 9)).toEqual([
    {
      at: 9_000,
      type: 'step-ended',
      stepId: 'step-1',
      parts: [],
      finish: 'cut',
      ms: 0,
      usage: { input: null, cached: null, output: null, reasoning: null },
      cost: null,
    },
    { at: 9_000, type: 'turn-ended', turnId: 'turn-1', end: 'stopped' },
  ]);
});

test.each([[-1], [13], [0.5], [Number.NaN]])('there is no entry %d to copy up to', async (n) => {
  await expect(fork(n)).rejects.toThrow(`The session has no entry ${n}.`);
});

test('nothing is running in any copy of any session', async () => {
  const choices = fc.array(fc.tuple(fc.nat(lastKind), fc.nat(3), fc.nat(4)), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(choices, fc.nat(40), async (facts, upTo) => {
      const all = stamped([created, ...facts.map(factOf)]);
      const copy = stamped(await forkFacts('s', all, Math.min(upTo, all.length - 1), parts));
      const { turnId, entries, background, head } = replaySession('new', copy);
      const open = entries.filter((entry) => entry.kind === 'step' && entry.finish === null);
      const beside = background.filter(({ text }) => text === null);
      expect([turnId, open, beside, head.forkOf]).toEqual([null, [], [], 's']);
    }),
  );
});

test('a call of the copied answer ends as the user wants it, with other arguments, and is marked', async () => {
  const result = failure('', 'Sunny', { resultType: 'success', isError: false });
  const replaced = { callId: 'call-1', result, arguments: '{"city":"Rome"}' };
  const facts = await forkFacts('s', events, 6, parts, replaced);
  const { calls, turnId } = replaySession('new', stamped(facts));
  expect(turnId).toBe(null);
  expect(calls.get('call-1')).toMatchObject({
    phase: 'ended',
    edited: true,
    result: { textResultForLlm: 'Sunny' },
    arguments: '{"city":"Rome"}',
    approval: { approval: 'once' },
  });
  // The original is as it was.
  expect(replaySession('s', events).calls.get('call-1')).not.toHaveProperty('edited');
  const alone = await forkFacts('s', events, 6, parts, { callId: 'call-1', result });
  const kept = replaySession('new', stamped(alone)).calls.get('call-1');
  expect([kept?.edited, kept?.arguments]).toEqual([true, kept?.asked.arguments]);
});

test('a call that has not ended in the copy cannot be replaced', async () => {
  const replaced = { callId: 'call-1', result: failure('', 'x') };
  await expect(forkFacts('s', events, 3, parts, replaced)).rejects.toThrow('has not ended');
  await expect(forkFacts('s', events, 6, parts, { ...replaced, callId: 'nobody' })).rejects.toThrow(
    'has not ended',
  );
});
