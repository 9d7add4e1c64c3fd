/** Random sessions, recorded and played: the same messages and calls in the same order. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure } from '../runtime/call/results.ts';
import { recordingOf } from '../agent/session/recording/recorded-session.ts';
import { ModelError } from '../runtime/spec/model-error.ts';
import type { Recording } from '../runtime/spec/recording.ts';
import { asks, FakeAgent, says, success, usage, type Said } from '../agent/turn/agent.fixture.ts';
import { PlayingPage, transcript } from './playing.fixture.ts';
import { replayOf } from '../agent/providers/replay-answer.ts';

const words = fc.constantFrom('Well.', 'So be it.', 'One two three four.', '');

const said: fc.Arbitrary<Said> = fc.oneof(
  { weight: 4, arbitrary: words.map((text): Said => says(text)) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        words,
        fc.array(
          fc.tuple(
            fc.constantFrom('m__f', 'm__g', 'nobody'),
            fc.constantFrom('{}', '{"n": 1.0}', '', '{'),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      )
      .map(([delta, calls]): Said => [{ type: 'text', id: 't', delta }, ...asks(...calls)]),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('overloaded' as const, 'cut' as const, 'key' as const, 'answer' as const)
      .map((fault): Said => new ModelError(fault, fault)),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Said>(
      [],
      [{ type: 'text', id: '1', delta: 'Half an' }],
      [
        { type: 'reasoning', id: 'r', delta: '' },
        { type: 'part-ended', id: 'r', data: { signature: 'x' } },
        { type: 'ended', finish: 'stop', usage },
      ],
      [
        { type: 'reasoning', id: 'r', delta: 'Hm' },
        { type: 'text', id: '1', delta: 'Long' },
        { type: 'ended', finish: 'length', usage },
      ],
    ),
  },
);

const turns = fc.array(
  fc.record({
    begins: fc.constantFrom('send', 'send', 'resume'),
    script: fc.array(said, { minLength: 1, maxLength: 4 }),
    events: fc.array(fc.constantFrom('nothing', 'nothing', 'nothing', 'steer', 'stop', 'reload'), {
      maxLength: 5,
    }),
    result: fc.constantFrom('success', 'failure', 'slow'),
  }),
  { minLength: 1, maxLength: 8 },
);
const whens = fc.array(fc.nat(12), { minLength: 8, maxLength: 8 });
type Turn = typeof turns extends fc.Arbitrary<readonly (infer T)[]> ? T : never;

test('every recording plays back', async () => {
  await fc.assert(
    fc.asyncProperty(turns, async (all) => {
      const recording = await recorded(all);
      if (recording.turns.length === 0) return;
      const page = new PlayingPage(replayOf);
      const talk = await page.play(recording);
      expect(page.agent.requests).toEqual([]);
      expect(transcript(talk.state)).toEqual(transcript(recording));
      expect(page.agent.reported).toEqual([]);
    }),
    { numRuns: 60, endOnFailure: true },
  );
}, 120_000);

test('stopped and copied at any time, it still plays back', async () => {
  await fc.assert(
    fc.asyncProperty(turns, whens, async (all, when) => {
      const recording = await recorded(all);
      if (recording.turns.length === 0) return;
      const page = new PlayingPage(replayOf);
      let talk = page.liveSessions.play(recording);
      for (let n = 0; n < 4; n += 1) {
        await moments(when[n] ?? 0);
        talk.stop();
        await page.over(talk);
        await talk.settled();
        if (n % 2 === 1) {
          const at = Math.max(3, talk.state.head.events - 1 - (when[n + 4] ?? 0));
          talk = await page.liveSessions.fork(talk.id, at);
        }
        page.liveSessions.playOn(talk.id);
      }
      await page.over(talk);
      await talk.settled();
      const { entries } = talk.state;
      const whole = entries.filter((entry) => entry.kind !== 'step' || entry.finish !== 'cut');
      expect(transcript({ ...talk.state, entries: whole })).toEqual(transcript(recording));
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 120_000);

/** Records a session in which these turns have happened. */
async function recorded(all: readonly Turn[]): Promise<Recording> {
  const agent = new FakeAgent();
  let talk = agent.begin();
  for (const { begins, script, events, result } of all) {
    agent.script = [...script];
    agent.onCall = async (signal) => {
      if (result === 'slow') await moments(3);
      if (signal.aborted) return failure('cancelled', 'It was cancelled.');
      return result === 'failure' ? failure('ValueError: no', 'no') : success('yes');
    };
    if (begins === 'resume' && talk.state.selection !== null) talk.resume();
    else talk.send([{ type: 'text', text: 'Go' }]);
    for (const event of events) {
      await moments(2);
      if (event === 'steer') talk.send([{ type: 'text', text: 'Rather not' }]);
      if (event === 'stop') talk.stop();
      if (event !== 'reload') continue;
      talk.dispose();
      await talk.settled();
      await moments(5);
      // Release what the page had open.
      await Promise.all(agent.logs.map((log) => log.close()));
      talk = await agent.open(talk.id);
    }
    await talk.settled();
  }
  return recordingOf(talk.state);
}

async function moments(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
