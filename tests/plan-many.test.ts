/** Two hundred tasks, twenty at a time: the page stays responsive, and has no more interpreters than the machine allows. */

import { runPlan } from './support/press-until.ts';
import { capacityOf } from '../src/runtime/sandbox/interpreter-allocator.ts';
import type { ModelEndpoint } from './support/model-endpoint.ts';
import { addOneModel, adder, call, startOneModel } from './support/one-model.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/shared-page.ts';
import { expectNoStall, expectWithin } from './support/stalls.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startOneModel();
  await shared.open({ 'work.py': adder });
  await addOneModel(shared.page, endpoint);
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  session.expectModelRequests(trouble);
});

/** A plan whose every tenth task needs Python. */
function planOf(count: number): string {
  const tasks = Array.from({ length: count }, (_, n) => ({
    id: `t${n}`,
    instructions: n % 10 === 0 ? 'Use the tool.' : 'Say a number.',
  }));
  return JSON.stringify({ goal: `${count} tasks`, parallel: 20, tasks });
}

test('200 tasks run, 20 at a time, and the page does not stall', async ({ page }) => {
  test.setTimeout(300_000);
  endpoint.habits.otherwise = ({ body }) => {
    const { messages } = body as { messages: { role: string }[] };
    const text = JSON.stringify(messages);
    const needsTool = text.includes('Use the tool') && messages.at(-1)?.role !== 'tool';
    return {
      calls: [needsTool ? call('work__add', { a: 1, b: 2 }) : call('finish', { result: 3 })],
    };
  };
  const shownNumbers: number[] = [];
  const shownLimits = new Set<number>();
  const run = async (count: number): Promise<void> => {
    await page.goto('./#/plans/new');
    await page.getByRole('textbox', { name: 'Plan', exact: true }).fill(planOf(count));
    await runPlan(page);
    const shown = page.getByText(/^Python: \d+ of at most \d+ interpreters/);
    const [, running, max] = /(\d+) of at most (\d+)/.exec(await shown.innerText()) ?? [];
    shownNumbers.push(Number(running));
    shownLimits.add(Number(max));
    // A search by text is used, because a search by role takes half of the time limit in a page of this size.
    const done = page.getByText(`Done, ${count} of ${count}`);
    await expect(done).toBeVisible({ timeout: 200_000 });
  };
  // The first run loads the code of plans.
  await run(2);
  await page.evaluate(() => {
    const { interpreters } = globalThis.cloche;
    let max = 0;
    interpreters.observe((views) => {
      // An interpreter without a name is waiting for a task, or is starting.
      max = Math.max(max, views.filter(({ name }) => name !== '').length);
      Object.assign(globalThis, { maxInterpreters: max });
    });
  });
  await expectNoStall(page, () => run(200));
  const seen = await page.evaluate(() => {
    const { deviceMemory, hardwareConcurrency } = navigator as Navigator & {
      deviceMemory?: number;
    };
    const max = Number(Reflect.get(globalThis, 'maxInterpreters'));
    return { max, device: { deviceMemory, hardwareConcurrency } };
  });
  expect(seen.max).toBeGreaterThan(1);
  // One more interpreter reads the tool files.
  const { deviceMemory = 4, hardwareConcurrency } = seen.device;
  const { max } = capacityOf({ deviceMemory, hardwareConcurrency });
  expect(seen.max).toBeLessThanOrEqual(max + 1);
  expect([...shownLimits]).toEqual([max]);
  expect(Math.max(...shownNumbers)).toBeLessThanOrEqual(max + 1);
});

test(
  'twenty sub-agents that wait for their models are stopped at once',
  { tag: '@timing' },
  async ({ page }) => {
    endpoint.reset();
    endpoint.habits.otherwise = () => 'hang';
    await page.goto('./#/plans/new');
    await page.getByRole('textbox', { name: 'Plan', exact: true }).fill(planOf(30));
    await runPlan(page);
    await page.waitForURL(/plans\/[\w-]{20,}/);
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    const running = (): Promise<number> =>
      page.evaluate(async (run) => {
        const response = await fetch(`api/runs/${run}`);
        const { tasks } = (await response.json()) as { tasks: { state: string }[] };
        return tasks.filter(({ state }) => state === 'running').length;
      }, id);
    await expect.poll(running).toBe(20);
    // Browsers have six connections to a server; the other requests wait for one.
    await expect.poll(() => endpoint.requests.length).toBe(6);
    const stopped = await page.evaluate(async (run) => {
      const from = performance.now();
      const response = await fetch(`api/runs/${run}`, { method: 'DELETE' });
      const ms = performance.now() - from;
      const { tasks } = (await response.json()) as { tasks: { state: string }[] };
      return { ms, states: tasks.map(({ state }) => state) };
    }, id);
    expect(stopped.states.filter((state) => state === 'stopped')).toHaveLength(20);
    expect(stopped.states).not.toContain('running');
    expectWithin(stopped.ms, 100, 'milliseconds until all are recorded as stopped');
  },
);
