/** Messages of the user to sub-agents that do not work at that moment: their session opens, or their result is checked. */

import { expect, test } from 'vitest';
import { FakeBrowser, FakePage, task } from './plan-runs.fixture.ts';
import type { RunFact } from './run-record.ts';
import { retryMessage, userNote } from './task-messages.ts';

const checked = [task('a', [], { retries: 5, check: { expression: 'True' } })];

test('a message during a check goes along with the message for the next attempt', async () => {
  const page = new FakePage();
  const faults = ['small', 'large'];
  page.check = () => {
    const fault = faults.shift() ?? null;
    if (fault === 'small') {
      expect(page.runs.steer(id, 'a', 'In French')).toBe(0);
      expect(page.runs.steer(id, 'other', 'Not for a')).toBe(0);
    }
    return Promise.resolve(fault);
  };
  const { id } = await page.start({ tasks: checked });
  expect((await page.ended(id)).phase).toBe('done');
  expect(received(page).slice(1)).toEqual([
    `${retryMessage('small')}\n\n${userNote('In French')}`,
    retryMessage('large'),
  ]);
});

test('a message while the session opens goes along with the first message', async () => {
  const page = new FakePage();
  let open: () => void = () => undefined;
  page.onBegin = () =>
    new Promise((resolve) => {
      open = resolve;
    });
  const { id } = await page.start({ tasks: checked });
  await later();
  expect(page.runs.steer(id, null, 'In French')).toBe(0);
  open();
  expect((await page.ended(id)).phase).toBe('done');
  expect(received(page)).toHaveLength(1);
  expect(received(page)[0]?.endsWith(`Do a\n\n${userNote('In French')}`)).toBe(true);
});

test('a message while the beginning of an attempt is stored does not come before its first message', async () => {
  const page = new FakePage();
  page.runs.observe(({ tasks, messages }) => {
    if (tasks.get('a')?.phase !== 'running' || messages.length > 0) return;
    expect(page.runs.steer(id, null, 'In French')).toBe(0);
  });
  const begun = page.start({ tasks: checked });
  const id = 'id-1';
  await begun;
  expect((await page.ended(id)).phase).toBe('done');
  expect(received(page)).toHaveLength(1);
  expect(received(page)[0]).toContain(`Do a\n\n${userNote('In French')}`);
  expect(page.reported).toEqual([]);
});

test('a message that a sub-agent received while it worked is not sent again', async () => {
  const page = new FakePage();
  let faults = 1;
  page.check = () => Promise.resolve((faults -= 1) >= 0 ? 'small' : null);
  page.behave = (_, { received: all }) => {
    if (all.length === 1) expect(page.runs.steer(id, null, 'In French')).toBe(1);
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({ tasks: checked });
  expect((await page.ended(id)).phase).toBe('done');
  expect(received(page).slice(1)).toEqual(['In French', retryMessage('small')]);
});

test('after a reload, a sub-agent gets what it has not received, and only that', async () => {
  const page = new FakePage();
  page.behave = (_, { received: all }) => {
    if (all.length === 1) page.runs.steer(id, null, 'In French');
    return { end: 'finished', output: '1' };
  };
  page.check = () => new Promise(() => undefined);
  const { id } = await page.start({ tasks: checked });
  await later();
  // The same words, a second time.
  page.runs.steer(id, null, 'In French');
  page.runs.steer(id, null, 'And short');
  await later();
  page.kill();
  const next = new FakePage(page.browser);
  const faults = ['small', 'large'];
  next.check = () => Promise.resolve(faults.shift() ?? null);
  await next.runs.loaded;
  await next.runs.resume(id);
  expect((await next.ended(id)).phase).toBe('done');
  expect(received(next).slice(1)).toEqual([
    'In French',
    [retryMessage('small'), userNote('In French'), userNote('And short')].join('\n\n'),
    retryMessage('large'),
  ]);
});

test('a message for an interrupted sub-agent is sent when it continues', async () => {
  const page = new FakePage();
  page.behave = async ({ id: name }) => {
    // The run goes on for as long as b works.
    if (name === 'b') {
      await later();
      expect(page.runs.get(id)?.tasks.get('a')?.phase).toBe('stopped');
      page.runs.steer(id, 'a', 'In French');
    }
    return { end: 'interrupted', reason: 'The endpoint is gone' };
  };
  const { id } = await page.start({ tasks: [...checked, task('b')] });
  await page.ended(id);
  page.behave = () => ({ end: 'finished', output: '1' });
  await page.runs.resume(id);
  expect((await page.ended(id)).phase).toBe('done');
  expect(received(page).slice(1)).toEqual([userNote('In French')]);
});

test('a sub-agent that had finished before a crash gets a message with the next attempt', async () => {
  const browser = new FakeBrowser();
  const about = { session: '', folder: 'tools', folderId: 'f', inherited: null };
  const facts: readonly RunFact[] = [
    { type: 'created', plan: { goal: 'g', tasks: checked }, ...about },
    { type: 'task-began', task: 'a', attempt: 1, session: 's' },
    { type: 'steered', task: 'a', text: 'In French' },
  ];
  browser.events.set(
    'r',
    facts.map((fact, n) => JSON.stringify({ ...fact, n, at: n })),
  );
  const last = { end: 'finished', output: '7' } as const;
  const session = { id: 's', task: 'a', received: ['Do a'], last, calls: 0 };
  browser.sessions.set('s', session);
  const page = new FakePage(browser);
  page.check = (_, output) => Promise.resolve(output === '7' ? 'small' : null);
  await page.runs.loaded;
  await page.runs.resume('r');
  expect((await page.ended('r')).phase).toBe('done');
  expect(received(page).slice(1)).toEqual([`${retryMessage('small')}\n\n${userNote('In French')}`]);
});

/** The messages that the sub-agent of task `a` has received, in all of its attempts. */
function received({ browser }: FakePage): readonly string[] {
  return [...browser.sessions.values()].find((session) => session.task === 'a')?.received ?? [];
}

function later(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
