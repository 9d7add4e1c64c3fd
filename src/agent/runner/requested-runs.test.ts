import { expect, test } from 'vitest';
import { Policies } from '../../runtime/grants/policies.ts';
import { Questions, type Question, type Reply } from '../../runtime/grants/questions.ts';
import { planNeeds } from './plan-needs.ts';
import { FakeBrowser, FakePage, task } from './plan-runs.fixture.ts';
import { emptyState } from '../session/reduce.ts';
import type { Asker, Plan, PlanModel } from '../../runtime/spec/plan.ts';
import { RequestedRuns } from './requested-runs.ts';

const plan: Plan = { goal: 'a goal', tasks: [task('a')] };
const named = (extension: string, file = `${extension}.py`): Asker => ({ extension, file });
const other = named('other');

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
  // The id of the folder is known a moment later.
  page.open('stored', 'id');
  expect(await page.asksFor('visit')).toBe(false);
  page.open('b', 'b');
  expect(await page.asksFor('visit')).toBe(true);
  page.open('a', 'a');
  expect(await page.asksFor('no')).toBe(true);
  page.open('b again', 'b');
  expect(await page.asksFor('no')).toBe(false);
});

test('an answer for pages does not cover extensions, which are asked about each time', async () => {
  const page = opened();
  page.open('stored', 'id');
  expect(await page.asksFor('visit')).toBe(true);
  expect(await page.asksFor('no', { extension: other })).toBe(true);
  expect(await page.asksFor('always', { extension: 'page' })).toBe(false);
  page.open('again', 'id 2');
  expect(await page.asksFor('always')).toBe(true);
  expect(await page.asksFor('once', { extension: other })).toBe(true);
  expect(await page.asksFor('once', { extension: other })).toBe(true);
  // Control: pages are not asked about again.
  expect(await page.asksFor('no')).toBe(false);
});

test('an extension that the user refuses for good does not ask again; pages and other extensions do', async () => {
  const page = opened();
  page.open('stored', 'id');
  expect(await page.asksFor('never', { extension: named('one') })).toBe(true);
  await expect(page.request(plan, named('one'))).rejects.toThrow(
    'does not let this extension run plans',
  );
  expect(await page.asksFor('no', { extension: named('two') })).toBe(true);
  expect(await page.asksFor('no')).toBe(true);
});

test('a plan that reads a file is asked about, whatever was answered before', async () => {
  const page = opened();
  page.open('stored', 'id');
  const reads = {
    goal: 'a goal',
    tasks: [{ ...task('a'), inputs: { key: { file: 'keys.txt' } } }],
  };
  expect(await page.asksFor('always')).toBe(true);
  expect(await page.asksFor('once', { asked: reads })).toBe(true);
  expect(await page.asksFor('once', { asked: reads })).toBe(true);
  // Control: another plan is not asked about.
  expect(await page.asksFor('no')).toBe(false);
});

test('a question that was not answered is asked again after a reload, with who asks, in its folder only', async () => {
  const browser = new FakeBrowser();
  const before = opened(browser);
  before.open('stored', 'id');
  expect(await before.request(plan, other)).toMatchObject({ tool: 'other', kind: 'plan', plan });
  before.kill();
  const page = opened(browser);
  page.open('elsewhere', 'other id');
  await page.loaded();
  expect(page.asked()).toEqual([]);
  page.open('stored', 'id');
  await expect.poll(page.asked).toMatchObject([{ tool: 'other', caller: 'extension', plan }]);
  // The question leaves with its folder, and returns with it.
  page.open('elsewhere', 'other id');
  await expect.poll(page.asked).toEqual([]);
  page.open('stored again', 'id');
  await expect.poll(page.asked).toMatchObject([{ tool: 'other' }]);
  expect(page.begun()).toBe(0);
  page.answer('once');
  await expect.poll(page.begun).toBe(1);
});

test('after “Not now” nothing is asked or begun until the user resumes the run', async () => {
  const browser = new FakeBrowser();
  const before = opened(browser);
  before.open('stored', 'id');
  await before.request(plan, 'page');
  before.answer('no');
  await expect.poll(() => before.runs.list()[0]?.phase).toBe('stopped');
  const page = opened(browser);
  page.open('stored', 'id');
  await page.loaded();
  const [run] = page.runs.list();
  expect([page.asked(), page.begun(), run?.askedBy, run?.phase]).toEqual([
    [],
    0,
    'page',
    'stopped',
  ]);
  await page.runs.resume(run?.id ?? '');
  await expect.poll(() => page.runs.list()[0]?.phase).toBe('done');
  expect(page.runs.list()[0]?.askedBy).toBe(null);
});

test.each(['', ' ', 'POST api/runs', 'page'])(
  'an extension named “%s” does not pass as a page',
  async (name) => {
    const page = opened();
    page.open('stored', 'id');
    expect(await page.asksFor('always')).toBe(true);
    expect(await page.request(plan, named(name, 'x.py'))).toMatchObject({
      caller: 'extension',
      tool: name,
      file: 'x.py',
    });
    // Control: a page may run plans.
    expect((await page.run(plan)).isWaiting).toBe(false);
  },
);

test('an extension that is refused stays refused under another name; one in another file is asked about', async () => {
  const page = opened();
  page.open('stored', 'id');
  expect(await page.asksFor('never', { extension: named('one', 'x.py') })).toBe(true);
  await expect(page.request(plan, named('two', 'x.py'))).rejects.toThrow('does not let this');
  expect(await page.asksFor('no', { extension: named('one', 'y.py') })).toBe(true);
});

test('after a reload, the question names the tools that the run will use, not those of the session since', async () => {
  const browser = new FakeBrowser();
  const before = opened(browser);
  before.open('stored', 'id');
  before.inherit(['files:read']);
  expect(await before.request(plan, other)).toMatchObject({ needs: { tools: ['files:read'] } });
  before.kill();
  const page = opened(browser);
  page.inherit(['files:delete']);
  page.open('stored', 'id');
  await expect.poll(page.asked).toMatchObject([{ needs: { tools: ['files:read'] } }]);
});

test('a folder that is opened while the needs of a plan are found is not asked about it, nor gets its run', async () => {
  const page = opened();
  page.open('allows', 'one');
  expect(await page.asksFor('always')).toBe(true);
  page.open('first', 'two');
  page.during(() => page.open('allows', 'one'));
  const run = await page.run(plan);
  expect([run.folderId, run.isWaiting, page.asked()]).toEqual(['two', true, []]);
  page.open('first again', 'two');
  await expect.poll(page.asked).toMatchObject([{ callId: run.id }]);
});

/** A page on which plans are requested. */
function opened(browser = new FakeBrowser()) {
  const fake = new FakePage(browser);
  const { runs } = fake;
  let folderId = '';
  let inherited: readonly string[] | null = null;
  let meanwhile = (): Promise<void> => Promise.resolve();
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const policies = new Policies({
    store: {
      get: () => Promise.resolve(undefined),
      put: () => Promise.resolve(),
      observe: () => undefined,
    },
    isLocked: false,
    onStorageFailure: report,
    report,
  });
  const questions = new Questions({
    whyUnaskable: () => null,
    after: () => () => undefined,
    report,
  });
  const modelOf = (): PlanModel => ({ name: 'a model', from: '' });
  const requested = new RequestedRuns({
    policies,
    questions,
    runs,
    report,
    currentFolder: {
      get reference() {
        return { folder: 'tools', folderId };
      },
    },
    folder: { settled: () => Promise.resolve() },
    sources: {
      needs: async (asked, _session, own = null) => {
        await meanwhile();
        return planNeeds(asked, { tools: ['all'], inherited: own }, modelOf);
      },
      ofSession: () =>
        Promise.resolve({ tools: inherited ?? [], model: null, state: emptyState('s') }),
    },
  });
  const request = (asked: Plan, asker: Asker): ReturnType<RequestedRuns['request']> =>
    requested.request(asked, inherited === null ? '' : 's', asker);
  const answer = (reply: Reply): void => {
    const [question] = questions.list();
    if (question !== undefined) questions.answer(question.id, reply);
  };
  return {
    runs,
    answer,
    /** Sets the tools of the session. */
    inherit: (names: readonly string[]): void => {
      inherited = names;
    },
    /** Does something while a plan's needs are found. */
    during: (work: () => void): void => {
      meanwhile = async () => {
        meanwhile = () => Promise.resolve();
        await Promise.resolve();
        work();
      };
    },
    kill: () => fake.kill(),
    /** Resolves when the stored runs are loaded, and the questions about them are asked. */
    loaded: async () => {
      await runs.loaded;
      await new Promise((resolve) => setTimeout(resolve));
    },
    asked: () => questions.list(),
    /** The number of sub-agents that have begun. */
    begun: () => browser.sessions.size,
    /** @param key differs for each opened folder */
    open: (key: string, id: string | undefined): void => {
      folderId = id ?? '';
      policies.follow(key, id);
    },
    /** Requests a run. @returns what the user is asked */
    request: async (asked: Plan, extension: Asker): Promise<Question | undefined> => {
      await request(asked, extension);
      return questions.list()[0];
    },
    run: (asked: Plan) => request(asked, 'page'),
    /** Requests a run. @returns whether the user is asked, who then gives the reply */
    asksFor: async (
      reply: Reply,
      { asked = plan, extension = 'page' }: { asked?: Plan; extension?: Asker } = {},
    ): Promise<boolean> => {
      const { isWaiting, id } = await request(asked, extension);
      const [question] = questions.list();
      expect(question !== undefined).toBe(isWaiting);
      answer(reply);
      const refuses = reply === 'no' || reply === 'never';
      await expect.poll(() => runs.get(id)?.phase).toBe(refuses && isWaiting ? 'stopped' : 'done');
      return isWaiting;
    },
  };
}
