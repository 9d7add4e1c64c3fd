/** The list of sessions: order, removal and undo. */

import { expect, test, vi } from 'vitest';
import { FakeBrowser } from './log/session-store.fixture.ts';
import { message } from './session.fixture.ts';
import { clock, filled, later, titles, openPage } from './sessions.fixture.ts';

test('the newest change comes first, in this page, in others and at the next visit', async () => {
  const browser = new FakeBrowser();
  const one = openPage(browser).sessions;
  const other = openPage(browser).sessions;
  const reported = vi.fn();
  const dispose = other.observe((heads) => {
    reported(heads.map(({ title }) => title));
  });
  await other.loaded;
  const first = await filled(one, 'first');
  await filled(one, 'second');
  await later();
  first.append(message('again', 'turn-2'));
  await first.written();
  await later();
  const next = openPage(browser).sessions;
  await next.loaded;
  expect([titles(one), titles(other), titles(next)]).toEqual([
    ['first', 'second'],
    ['first', 'second'],
    ['first', 'second'],
  ]);
  expect(reported.mock.lastCall).toEqual([['first', 'second']]);
  dispose();
  const before = reported.mock.calls.length;
  await filled(one, 'third');
  await later();
  expect([reported.mock.calls.length, titles(other)[0]]).toEqual([before, 'third']);
});

test('a removed session disappears at once, can be restored, and is deleted after a while', async () => {
  const browser = new FakeBrowser();
  const { sessions, pass } = openPage(browser);
  const other = openPage(browser);
  await other.sessions.loaded;
  const log = await filled(sessions);
  sessions.release(log.id);
  await later();
  const undo = sessions.remove(log.id);
  await later();
  await expect(sessions.open(log.id)).rejects.toMatchObject({ code: 'not-found' });
  expect([titles(sessions), titles(other.sessions)]).toEqual([[], []]);
  undo();
  undo();
  await pass();
  expect([titles(sessions), titles(other.sessions), browser.removed.size]).toEqual([
    ['How is the weather?'],
    ['How is the weather?'],
    0,
  ]);
  const late = sessions.remove(log.id);
  await pass();
  late();
  expect([titles(sessions), browser.heads.size, browser.events.size, browser.removed.size]).toEqual(
    [[], 0, 0, 0],
  );
});

test('undo works until the session is deleted', async () => {
  const browser = new FakeBrowser();
  const { sessions, pass } = openPage(browser);
  const log = await filled(sessions);
  sessions.release(log.id);
  await later();
  const undo = sessions.remove(log.id);
  const passing = pass();
  undo();
  await passing;
  expect([titles(sessions), browser.heads.size]).toEqual([['How is the weather?'], 1]);
});

test('a restored session is not deleted by a tab that missed the message', async () => {
  const browser = new FakeBrowser();
  const one = openPage(browser);
  const log = await filled(one.sessions);
  one.sessions.release(log.id);
  await later();
  const undo = one.sessions.remove(log.id);
  await later();
  const deaf = openPage(browser, { pages: { ...browser.page(), observe: () => () => false } });
  await deaf.sessions.loaded;
  undo();
  await later();
  // Removed again, it is deleted when the new time for undo has elapsed.
  const again = one.sessions.remove(log.id);
  await later();
  await deaf.pass();
  expect([browser.heads.size, titles(deaf.sessions)]).toEqual([1, []]);
  again();
  await later();
  const late = openPage(browser, { pages: { ...browser.page(), observe: () => () => false } });
  browser.removed.set(log.id, 1);
  await late.sessions.loaded;
  browser.removed.clear();
  await late.pass();
  await one.pass();
  expect([browser.texts(log.id).length, titles(late.sessions), titles(one.sessions)]).toEqual([
    3,
    ['How is the weather?'],
    ['How is the weather?'],
  ]);
});

test('a session that was removed in an earlier visit is deleted when its time for undo has elapsed', async () => {
  const browser = new FakeBrowser();
  const first = openPage(browser).sessions;
  const log = await filled(first);
  first.release(log.id);
  await later();
  first.remove(log.id);
  await later();
  const waits: number[] = [];
  const soon = openPage(browser, { after: (ms) => waits.push(ms) });
  await soon.sessions.loaded;
  expect([titles(soon.sessions), waits.length, waits[0]! > 59_000, browser.heads.size]).toEqual([
    [],
    1,
    true,
    1,
  ]);
  clock.now += 100_000;
  const next = openPage(browser, {
    after: (ms, then) => {
      waits.push(ms);
      then();
    },
  });
  await next.sessions.loaded;
  await later();
  expect([waits[1], browser.heads.size, browser.events.size]).toEqual([0, 0, 0]);
});

test('a session that is open in another tab shows that it was removed, and is not deleted', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const other = openPage(browser);
  const log = await filled(sessions);
  await other.sessions.loaded;
  const undo = other.sessions.remove(log.id);
  await later();
  await other.pass();
  expect([log.removed, browser.heads.size, titles(sessions)]).toEqual([true, 1, []]);
  log.append(message('goes on', 'turn-2'));
  undo();
  await later();
  await log.written();
  expect([log.removed, browser.texts(log.id).length]).toEqual([false, 4]);
});

test('a damaged head is rebuilt from the log, and a session without a log is not listed', async () => {
  const browser = new FakeBrowser();
  const log = await filled(openPage(browser).sessions);
  browser.heads.set(log.id, '{"id":"other"}');
  browser.heads.set('empty', 7);
  const { sessions } = openPage(browser);
  await sessions.loaded;
  expect(sessions.list()).toEqual([log.state.head]);
});

test('a head from another tab is accepted only if it is valid and of that session', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = await filled(sessions, 'first');
  const stranger = browser.page();
  const { head } = log.state;
  const forged = JSON.stringify({ ...head, id: 'other', title: 'forged' });
  stranger.send({ type: 'head', session: log.id, head: forged });
  stranger.send({ type: 'head', session: log.id, head: '{"title":"forged"}' });
  await later();
  expect(sessions.list()).toEqual([head]);
});
