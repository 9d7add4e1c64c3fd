import { expect, test } from 'vitest';
import { happenings, Storm } from './run-storm.fixture.ts';

const runs = 100;

test('each task ends once and no effect happens twice, whatever happens', async () => {
  const happened = new Set<string>();
  for (let seed = 1; seed <= runs; seed += 1) {
    const storm = new Storm(seed);
    await storm.pass();
    storm.verify();
    await storm.verifySessions();
    for (const what of storm.happened) happened.add(what);
  }
  const calls = ['cancel', 'crash', 'deny'];
  expect([...happened].sort()).toEqual([...calls, ...happenings].sort());
}, 120_000);

test('the storm notices a runner that forgets what was done', async () => {
  const storm = new Storm(7, { forgets: true });
  await storm.pass();
  expect(() => storm.verify()).toThrow('happened more than once');
});
