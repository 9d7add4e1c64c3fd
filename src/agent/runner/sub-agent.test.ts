import { expect, test } from 'vitest';
import { wait } from '../../runtime/async/wait.ts';
import { proposePlan } from './propose-plan.ts';
import { noUsage } from './run-record.ts';
import { workWithProgress, type SubAgent } from './sub-agent.ts';

/** A sub-agent that makes the same call again and again, until it is stopped or has made `most` calls. */
function repeating(max: number): SubAgent & { made: number } {
  let changed: () => void = () => undefined;
  return {
    session: 's',
    usage: noUsage,
    hasBegun: true,
    made: 0,
    timesReceived: () => 0,
    get repeats() {
      return this.made;
    },
    async work(signal) {
      while (this.made < max) {
        this.made += 1;
        changed();
        await wait(signal, Promise.resolve());
      }
      return { end: 'finished', output: '1' };
    },
    setPaused: () => undefined,
    steer: () => undefined,
    close: () => undefined,
    observe(listener) {
      changed = listener;
      return () => (changed = () => undefined);
    },
  };
}

const { signal } = new AbortController();

test('a sub-agent that repeats a call with the same result is ended', async () => {
  const agent = repeating(100);
  const ended = await workWithProgress(signal, agent, 'Do it');
  expect(ended).toMatchObject({
    end: 'failed',
    reason: expect.stringContaining('12 times') as string,
  });
  expect(agent.made).toBe(12);
  // Fewer repeats are allowed.
  expect(await workWithProgress(signal, repeating(11), 'Do it')).toMatchObject({ end: 'finished' });
});

test('a stop does not count as a lack of progress', async () => {
  const stop = new AbortController();
  const work = workWithProgress(stop.signal, repeating(11), 'Do it');
  stop.abort(new Error('stopped'));
  await expect(work).rejects.toThrow('stopped');
});

test('a model that cannot write a plan is not asked forever', async () => {
  const agent = repeating(100);
  const references = {
    tools: [],
    inherited: null,
    hasModel: () => true,
    hasTest: () => true,
    faultIn: () => Promise.resolve(null),
  };
  await expect(proposePlan(signal, agent, 'Write a plan', references)).rejects.toThrow('12 times');
  expect(agent.made).toBe(12);
});
