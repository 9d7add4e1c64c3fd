/**
 * A hundred turns with random events: steering, stops, denials, model changes, summaries, faults of every kind, storage
 * that fails and works again, arguments, results and messages that the user edits, and pages that close or lose the
 * session. Afterwards the stored log replays to the same state, each call has ended once, no turn is open, and every
 * request was well-formed.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { readLog } from '../session/log/log-contents.ts';
import { emptyState, replaySession } from '../session/reduce.ts';
import { FakeBrowser } from '../session/log/session-store.fixture.ts';
import type { ModelInfo, ModelPart, ModelRequest } from '../../runtime/spec/model.ts';
import { ModelError, type ModelFault } from '../../runtime/spec/model-error.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';
import { asks, FakeAgent, model, says, success, usage, type Said } from './agent.fixture.ts';
import type { LiveSession } from './live-session.ts';

const faults: readonly ModelFault[] = [
  ...(['rate-limit', 'overloaded', 'network', 'cut', 'key', 'context', 'credit'] as const),
  ...(['model', 'cors', 'request', 'answer', 'refused', 'provider'] as const),
];

const said = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Said>(says('Well.')) },
  {
    weight: 6,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            ...['m__f', 'm__g', 'nobody', 'tool_search', 'read_result'],
            // Requests that providers would refuse.
            ...['', 'näme with spaces', 'x'.repeat(2_000), '\u0000\ud83d'],
          ),
          fc.constantFrom('{}', '{"n": 1.0}', '', '{', '[]'),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((calls): Said => asks(...calls)),
  },
  { weight: 1, arbitrary: fc.constant<Said>(cutOff(asks(['m__f', ''], ['m__g', '{"n"']))) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...faults).map((fault): Said => new ModelError(fault, fault)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Said>(
      [],
      [{ type: 'text', id: '1', delta: 'Half an' }],
      [{ type: 'call-delta', id: 'a', wire: 'm__f', delta: '{"n"' }],
      [{ type: 'ended', finish: 'stop', usage }],
      [
        { type: 'reasoning', id: 'r', delta: 'Hm' },
        { type: 'part-ended', id: 'r', data: { signature: 'x' } },
        { type: 'text', id: '1', delta: 'Long' },
        { type: 'ended', finish: 'length', usage },
      ],
    ),
  },
);

const happenings = [
  ...(['steer', 'interrupt', 'stop', 'reload', 'take over', 'answer', 'step mode'] as const),
  ...(['other model', 'small context', 'large context'] as const),
  ...(['storage fails', 'storage works', 'edit arguments', 'edit result', 'edit message'] as const),
];

/** Longer than storage that has failed is left alone. */
const longTime = 10 * 60_000;

/** An event during a short moment of a turn; mostly nothing. */
const event = fc.oneof(
  { weight: 12, arbitrary: fc.constant('nothing' as const) },
  { weight: 2, arbitrary: fc.constantFrom(...happenings) },
);

const turn = fc.record({
  script: fc.array(said, { minLength: 1, maxLength: 4 }),
  events: fc.array(event, { minLength: 1, maxLength: 8 }),
  result: fc.constantFrom('success', 'failure', 'denied', 'slow'),
});

test('the log replays to the same state, whatever happens', async () => {
  /** Moments in which a session could not be stored. */
  let failures = 0;
  let edits = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 25, maxLength: 25 }), async (turns) => {
      let browser = new FakeBrowser();
      let agent = new FakeAgent(browser);
      let talk = agent.begin();
      let visits = 0;
      const requests: ModelRequest[] = [];
      for (const { script, events, result } of turns) {
        agent.script = [...script];
        agent.onCall = (signal) => answer(signal, result);
        if (talk.state.selection !== null && talk.state.head.messages % 3 === 2) talk.resume();
        else talk.send([{ type: 'text', text: 'Go' }]);
        for (const happens of events) {
          await moments(3);
          if (happens === 'reload' && isStored(browser, talk)) {
            requests.push(...agent.requests);
            browser = browser.afterCrash();
            talk.dispose();
            visits += 1;
            agent = new FakeAgent(browser, visits);
            talk = await agent.open(talk.id);
            expect(talk.state.turnId).toBe(null);
            break;
          }
          if (happens === 'storage fails') browser.failure = new Error('The disk is full.');
          if (talk.problem !== null) failures += 1;
          if (happens === 'storage works') {
            browser.failure = null;
            agent.logTime += longTime;
          }
          if (happens === 'edit result' || happens === 'edit message') {
            const edited = await edit(agent, talk, happens);
            if (edited === null) continue;
            edits += 1;
            talk = edited;
            break;
          }
          if (
            happens === 'take over' &&
            talk.state.head.messages > 0 &&
            browser.failure === null &&
            isStored(browser, talk)
          ) {
            requests.push(...agent.requests);
            visits += 1;
            const heir = new FakeAgent(browser, visits);
            const taken = await heir.open(talk.id);
            await taken.takeOver();
            await talk.settled();
            expect([talk.writes, taken.writes, taken.state.turnId]).toEqual([false, true, null]);
            talk.dispose();
            [agent, talk] = [heir, taken];
            break;
          }
          if (happens === 'small context' || happens === 'large context')
            agent.info = contextOf(happens === 'small context' ? 100 : 1_000);
          happen(talk, happens);
        }
        talk.setStepMode(false);
        await talk.settled();
        expect(agent.reported.filter((thrown) => !(thrown instanceof ModelError))).toEqual([]);
      }
      requests.push(...agent.requests);
      for (const request of requests) wellFormed(request);
      // Storage that works again gets everything that it lacks.
      browser.failure = null;
      agent.logTime += longTime;
      talk.rename('The end');
      await moments(50);
      expect(talk.problem).toBe(null);
      const { events } = await readLog(browser.store(), talk.id, emptyState(talk.id));
      expect(replaySession(talk.id, events)).toEqual(talk.state);
      everyCallEndsOnce(events);
      expect(talk.state.turnId).toBe(null);
    }),
    { numRuns: 12, endOnFailure: true },
  );
  expect(failures).toBeGreaterThan(10);
  expect(edits).toBeGreaterThan(10);
}, 120_000);

/** Whether a part of the session is stored. */
function isStored(browser: FakeBrowser, talk: LiveSession): boolean {
  return talk.state.head.messages > 0 && browser.texts(talk.id).length > 0;
}

/** Forks the session with another result of its last call, or before its last message; null if there is none. */
async function edit(
  agent: FakeAgent,
  talk: LiveSession,
  what: 'edit result' | 'edit message',
): Promise<LiveSession | null> {
  talk.stop();
  talk.setStepMode(false);
  await talk.settled();
  const { entries, calls } = talk.state;
  const call = [...calls.values()].findLast(({ phase }) => phase === 'ended');
  const id = call?.asked.id ?? '';
  const step = entries.findLast(
    (entry) =>
      entry.kind === 'step' && entry.parts.some((part) => part.type === 'call' && part.id === id),
  );
  const message = entries.findLast(({ kind }) => kind === 'message');
  const result = success('What if');
  if (what === 'edit result' ? step === undefined : message === undefined) return null;
  const fork = await (what === 'edit result'
    ? agent.fork(step?.n ?? 0, { callId: id, result, arguments: '{"n": 3.0}' })
    : agent.fork((message?.n ?? 1) - 1, null));
  if (what === 'edit result')
    expect(fork.state.calls.get(id)).toMatchObject({ result, edited: true });
  expect(fork.state.turnId).toBe(null);
  talk.dispose();
  return fork;
}

async function answer(signal: AbortSignal, how: string) {
  if (how === 'failure') return failure('ValueError: no', 'ValueError: no');
  if (how === 'denied') return failure('approval_required', 'not that');
  if (how === 'slow') await moments(4);
  return signal.aborted ? failure('cancelled', 'It was cancelled.') : success('yes');
}

function happen(talk: LiveSession, what: string): void {
  if (what === 'steer' || what === 'interrupt') talk.send([{ type: 'text', text: 'Rather not' }]);
  if (what === 'interrupt') talk.interrupt();
  if (what === 'stop') talk.stop();
  if (what === 'step mode') talk.setStepMode(true);
  if (what === 'step mode') talk.step();
  if (what === 'edit arguments') {
    talk.setStepMode(true);
    talk.step('{"n": 7.0}');
  }
  if (what === 'other model') {
    const isFirst = talk.state.head.model?.model === model.model;
    talk.useModel({ ...model, model: isFirst ? 'other' : model.model });
  }
  const call = [...talk.state.calls.values()].find(({ phase }) => phase === 'running');
  if (what === 'answer' && call)
    talk.answered(call.asked.id, call.asked.tool, {
      approval: 'session',
      reason: '',
      arguments: '{"n": 2}',
    });
}

function cutOff(parts: readonly ModelPart[]): readonly ModelPart[] {
  return parts.map((part) => (part.type === 'ended' ? { ...part, finish: 'length' } : part));
}

function contextOf(context: number): ModelInfo {
  return { ref: model, label: 'Large', context, images: null, price: null };
}

async function moments(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

function everyCallEndsOnce(events: readonly SessionEvent[]): void {
  const asked = events.flatMap((one) =>
    one.type === 'step-ended'
      ? one.parts.flatMap((part) => (part.type === 'call' ? [[one, part.id] as const] : []))
      : [],
  );
  const ended = events.flatMap((one) => (one.type === 'call-ended' ? [one.callId] : []));
  expect(new Set(ended).size).toBe(ended.length);
  // Calls of an answer that was requested again are never made.
  const ready = asked.flatMap(([step, id]) => (step.fault === undefined ? [id] : []));
  expect(ready.filter((id) => !ended.includes(id))).toEqual([]);
}

/** Checks the rules of all providers. */
function wellFormed({ messages, tools }: ModelRequest): void {
  expect(messages[0]?.role).toBe('user');
  expect(messages.at(-1)?.role).not.toBe('assistant');
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1];
    expect(next?.role === message.role).toBe(false);
    if (message.role !== 'assistant') continue;
    expect(message.parts.length).toBeGreaterThan(0);
    const calls = message.parts.flatMap((part) => (part.type === 'call' ? [part.askedId] : []));
    const answers = next?.role === 'tool' ? next.answers.map(({ askedId }) => askedId) : [];
    expect(answers).toEqual(calls);
  }
  for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
}
