/** Programs whose page, interpreter or model is killed a hundred times, in random order. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import { NestedCalls } from '../programs/nested-calls.ts';
import { readLog } from '../session/log/log-contents.ts';
import { FakeBrowser } from '../session/log/session-store.fixture.ts';
import { emptyState, replaySession } from '../session/reduce.ts';
import { asks, FakeAgent, registeredTool, success } from './agent.fixture.ts';
import type { LiveSession } from './live-session.ts';

const round = fc.record({
  kill: fc.constantFrom('page', 'interpreter', 'model', 'user' as const),
  /** Moments after the program has begun. */
  after: fc.nat(9),
  calls: fc.integer({ min: 1, max: 6 }),
  atOnce: fc.boolean(),
});

test('nothing runs twice, each call ends once, and the log replays to the same state', async () => {
  const seen = { midway: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 25, maxLength: 25 }), async (rounds) => {
      let browser = new FakeBrowser();
      /** Number of runs of each call, by its arguments, which no two calls share. */
      const runs = new Map<string, number>();
      /** Number of runs of each program, by the id of its call. */
      const programs = new Map<string, number>();
      let killInterpreter = (): void => undefined;
      let wanted = { n: 0, calls: 0, atOnce: false };
      const equip = (one: FakeAgent): FakeAgent => {
        one.programs = true;
        one.tools = ['m:f', 'm:g', 'm:h'].map((name) => registeredTool(name));
        one.onCall = async (signal, { arguments: args }) => {
          runs.set(args, (runs.get(args) ?? 0) + 1);
          await moments(2);
          return signal.aborted ? failure('cancelled', 'It was cancelled.') : success(args);
        };
        one.onProgram = async (signal, { call }, owner) => {
          programs.set(call.id, (programs.get(call.id) ?? 0) + 1);
          const { n, calls, atOnce } = wanted;
          let ids = 0;
          const nested = new NestedCalls({
            program: call,
            owner,
            clock: { progress: () => undefined },
            newId: () => `${call.id}-${(ids += 1)}`,
            stop: () => undefined,
          });
          const ask = (k: number) =>
            nested.answer({ ask: 'call', tool: 'm:f', arguments: `{"call": "${n}.${k}"}` });
          const all = Array.from({ length: calls }, (_, k) => k);
          const work = async (): Promise<string> => {
            if (atOnce) await Promise.all(all.map(ask));
            else for (const k of all) await ask(k);
            return '';
          };
          const killed = new Promise<string>((resolve) => {
            killInterpreter = () => resolve('crashed');
            signal.addEventListener('abort', () => resolve('cancelled'));
          });
          const end = await Promise.race([work(), killed]);
          nested.end();
          await nested.settled();
          return end === '' ? success('ran') : failure(end, 'It was killed.');
        };
        return one;
      };
      let agent = equip(new FakeAgent(browser));
      let talk = agent.begin();
      for (const [n, { kill, after, calls, atOnce }] of rounds.entries()) {
        wanted = { n, calls, atOnce };
        const begun = programs.size;
        agent.script = [asks(['run_python', '{"code": "await m.f()"}'])];
        if (kill === 'model') agent.script.push(new ModelError('credit', 'The model is gone.'));
        talk.send([{ type: 'text', text: 'Go' }]);
        while (programs.size === begun || !isStored(browser, talk)) await moments(1);
        await moments(after);
        if (isMidway(talk)) seen.midway += 1;
        if (kill === 'page') {
          browser = browser.afterCrash();
          talk.dispose();
          agent = equip(new FakeAgent(browser, n + 1));
          talk = await agent.open(talk.id);
          expect(talk.state.turnId).toBe(null);
          talk.resume();
        } else if (kill === 'interpreter') killInterpreter();
        else if (kill === 'user') talk.stop();
        await talk.settled();
        expect(agent.reported.filter((thrown) => !(thrown instanceof ModelError))).toEqual([]);
      }
      talk.rename('The end');
      await moments(50);
      expect(Math.max(...runs.values(), ...programs.values())).toBe(1);
      const { events } = await readLog(browser.store(), talk.id, emptyState(talk.id));
      expect(replaySession(talk.id, events)).toEqual(talk.state);
      for (const kind of ['call', 'nested'] as const) {
        const idsOf = (type: string) =>
          events.flatMap((one) => (one.type === type && 'callId' in one ? [one.callId] : []));
        const [began, ended] = [idsOf(`${kind}-began`), idsOf(`${kind}-ended`)];
        expect(new Set(ended).size).toBe(ended.length);
        expect(began.filter((id) => !ended.includes(id))).toEqual([]);
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );
  // Control: many programs were killed between their first and their last call.
  expect(seen.midway).toBeGreaterThan(20);
}, 60_000);

function isMidway({ state }: LiveSession): boolean {
  return [...state.calls.values()].some(
    ({ phase, nested = [] }) => phase !== 'ended' && nested.length > 0,
  );
}

function isStored(browser: FakeBrowser, talk: LiveSession): boolean {
  return browser.texts(talk.id).length > 0;
}

async function moments(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
