import { expect, test } from 'vitest';
import { Policies } from '../../grants/policies.ts';
import { Questions } from '../../grants/questions.ts';
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
