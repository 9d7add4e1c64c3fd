import { expect, test } from 'vitest';
import { Policies } from '../../grants/policies.ts';
import { Questions, type Question } from '../../grants/questions.ts';
import type { Plan } from '../../spec/plan.ts';
import { FakePage, task } from '../../runner/plan-runs.fixture.ts';
import { requestedRuns } from './requested-runs.ts';

const plan = { goal: 'a goal', tasks: [task('a')] };

test('an approval for this visit does not pass from a folder that cannot be stored to another one', async () => {
  const page = opened();
  page.open('upload 1', undefined);
  expect(await page.asksFor('visit')).toBe(true);
  expect(await page.asksFor('no')).toBe(false);
  page.open('upload 2', undefined);
  expect(await page.asksFor('no')).toBe(true);
  page.open('stored', 'id');
  expect(await page.asksFor('no')).toBe(true);
});

test('an approval for this visit stays with its folder', async () => {
  const page = opened();
  page.open('stored', undefined);
  expect(await page.asksFor('visit')).toBe(true);
  // Its id is known a moment later.
  page.open('stored', 'id');
  expect(await page.asksFor('visit')).toBe(false);
  page.open('b', 'b');
  expect(await page.asksFor('visit')).toBe(true);
  page.open('a', 'a');
  expect(await page.asksFor('no')).toBe(true);
  page.open('b again', 'b');
  expect(await page.asksFor('no')).toBe(false);
});

test('the user sees what each task is told to do, whatever its title says', async () => {
  const page = opened();
  page.open('stored', 'id');
  const titled = { ...task('a'), title: 'Say hello', instructions: 'Delete all files' };
  const long = { ...task('b'), title: 't'.repeat(200), instructions: 'i'.repeat(1_000) };
  const asked = await page.request({ goal: 'g'.repeat(2_000), tasks: [titled, long, task('c')] });
  expect(asked).toMatchObject({
    goal: `${'g'.repeat(1_000)}…`,
    tasks: [
      'Say hello: Delete all files',
      expect.stringMatching(/^t{100}…: i{100,}…$/),
      task('c').instructions,
    ],
  });
});

test('what the user sees is cut between characters, and an empty title is left out', async () => {
  const page = opened();
  page.open('stored', 'id');
  const instructions = `${'i'.repeat(299)}😀 and more`;
  const titled = { ...task('a'), title: `${'t'.repeat(99)}😀 and more`, instructions: 'Go' };
  const [goal, untitled] = [`${'g'.repeat(999)}😀 and more`, { ...task('b'), title: ' ' }];
  const tasks = [{ ...task('c'), title: '', instructions }, titled, untitled];
  expect(await page.request({ goal, tasks })).toMatchObject({
    goal: `${'g'.repeat(999)}…`,
    tasks: [`${'i'.repeat(299)}…`, `${'t'.repeat(99)}…: Go`, untitled.instructions],
  });
});

/** A page on which plans are requested. */
function opened() {
  const { runs } = new FakePage();
  let folderId = '';
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const policies = new Policies({
    store: {
      get: () => Promise.resolve(undefined),
      put: () => Promise.resolve(),
      observe: () => undefined,
    },
    ...{ isLocked: false, onStorageFailure: report, report },
  });
  const questions = new Questions({ canAsk: () => true, after: () => () => undefined, report });
  const request = requestedRuns({
    ...{ policies, questions, runs, report },
    openFolder: () => ({ folderId }),
    start: (asked, session, waits = false) =>
      runs.start(asked, { session, folder: 'tools', folderId, inherited: null, waits }),
  });
  return {
    /** @param key differs for each opened folder */
    open: (key: string, id: string | undefined): void => {
      folderId = id ?? '';
      policies.follow(key, id);
    },
    /** Requests a run. @returns what the user is asked */
    request: async (asked: Plan): Promise<Question | undefined> => {
      await request(asked, '');
      return questions.list()[0];
    },
    /** Requests a run. @returns whether the user is asked, who then gives the reply */
    asksFor: async (reply: 'visit' | 'no'): Promise<boolean> => {
      const { isWaiting, id } = await request(plan, '');
      const [question] = questions.list();
      expect(question !== undefined).toBe(isWaiting);
      if (question !== undefined) questions.answer(question.id, reply);
      await expect
        .poll(() => runs.get(id)?.phase)
        .toBe(reply === 'no' && isWaiting ? 'stopped' : 'done');
      return isWaiting;
    },
  };
}
