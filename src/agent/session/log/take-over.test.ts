/** Concurrent takeovers of a session. */

import { expect, test, vi } from 'vitest';
import type { SessionFact } from '../../../runtime/spec/session.ts';
import { add, openPage } from './session-log.fixture.ts';
import { SessionLog } from './session-log.ts';
import { FakeBrowser } from './session-store.fixture.ts';
import { message, stamped, wholeTurn } from '../session.fixture.ts';

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function threeTabs(
  facts: readonly SessionFact[],
): Promise<{ browser: FakeBrowser; tabs: [SessionLog, SessionLog, SessionLog] }> {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, facts);
  await first.written();
  const open = (): Promise<SessionLog> =>
    SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  return { browser, tabs: [first, await open(), await open()] };
}

test('when two tabs take over at once, one of them writes, and the turn ends once', async () => {
  const { browser, tabs } = await threeTabs(wholeTurn.slice(0, 9));
  const [first, second, third] = tabs;
  await Promise.all([second.takeOver(), third.takeOver()]);
  await Promise.all(tabs.map((tab) => tab.written()));
  await later();
  expect(tabs.map(({ writes }) => writes)).toEqual([false, false, true]);
  expect(browser.texts('s')).toEqual(third.events.map((event) => JSON.stringify(event)));
  expect(third.events.slice(9).map(({ type }) => type)).toEqual([
    'call-ended',
    'turn-ended',
    'python-anew',
  ]);
  expect([first.state, second.state]).toEqual([third.state, third.state]);
});

test('a tab that loses its claim during a rebase adds nothing', async () => {
  const { browser, tabs } = await threeTabs(wholeTurn);
  const [, second, third] = tabs;
  await second.takeOver();
  await second.written();
  const n = second.events.length;
  const [last] = stamped([{ type: 'prompt', text: 'of the first tab' }], n);
  browser.beforeWrite = () => {
    browser.beforeWrite = () => undefined;
    browser.events.set(`s ${n}`, JSON.stringify(last));
    void third.takeOver();
  };
  second.append(message('never written', 'turn-2'));
  await later();
  await third.written();
  // The read runs in slices, however long it takes.
  await vi.waitFor(() => {
    expect(second.state).toEqual(third.state);
  });
  expect([second.writes, third.writes, third.events.length]).toEqual([false, true, n + 1]);
  expect([second.state, browser.texts('s').length]).toEqual([third.state, n + 1]);
});

test('a session in memory stays visible even if another tab writes the stored one', async () => {
  const { browser, tabs } = await threeTabs(wholeTurn.slice(0, 6));
  const [first, second] = tabs;
  browser.failure = new Error('No storage.');
  add(first, wholeTurn.slice(6));
  await first.written();
  browser.failure = null;
  await second.takeOver();
  second.append(...Array.from({ length: 10 }, () => message('elsewhere', 'turn-2')));
  await second.written();
  await later();
  expect([first.writes, first.events.length, second.writes]).toEqual([false, 13, true]);
});
