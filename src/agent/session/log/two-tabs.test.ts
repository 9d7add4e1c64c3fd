/** Two tabs on one session: one writes, the other follows, and can take over. */

import { expect, test, vi } from 'vitest';
import type { SessionFact } from '../../../runtime/spec/session.ts';
import { add, openPage, type TestPage } from './session-log.fixture.ts';
import { SessionLog } from './session-log.ts';
import type { SessionPages } from './session-claim.ts';
import { FakeBrowser } from './session-store.fixture.ts';
import { message, stamped, wholeTurn } from '../session.fixture.ts';

interface Tabs {
  readonly browser: FakeBrowser;
  readonly writer: SessionLog;
  readonly follower: SessionLog;
  readonly first: TestPage;
  readonly second: TestPage;
  /** The log of the tab that writes. */
  readonly pages: SessionPages;
}

const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function twoTabs(facts: readonly SessionFact[], exclusive = true): Promise<Tabs> {
  const browser = new FakeBrowser();
  const pages = browser.page(exclusive);
  const first = openPage(browser, pages);
  const writer = SessionLog.begin(first.deps, 's');
  add(writer, facts);
  await writer.written();
  const second = openPage(browser, browser.page(exclusive));
  const follower = await SessionLog.open(second.deps, 's', () => 'reload');
  return { browser, writer, follower, first, second, pages };
}

test('the other tab follows, and adds nothing', async () => {
  const { writer, follower, browser } = await twoTabs(wholeTurn.slice(0, 6));
  const received = vi.fn();
  follower.observe(received);
  expect([writer.writes, follower.writes, follower.append(message('x'))]).toEqual([
    true,
    false,
    false,
  ]);
  add(writer, wholeTurn.slice(6));
  await writer.written();
  await later();
  expect([follower.state, follower.events]).toEqual([writer.state, writer.events]);
  expect([received.mock.calls.length > 0, browser.texts('s').length]).toEqual([true, 13]);
});

test('a streaming step is visible in other tabs, whenever they were opened', async () => {
  const { writer, follower, second } = await twoTabs(wholeTurn.slice(0, 7));
  await writer.draft('step-1', [{ part: 0, type: 'text', text: 'I ' }]);
  await writer.draft('step-1', [{ part: 0, type: 'text', text: 'lo' }]);
  const late = await SessionLog.open({ ...second.deps }, 's', () => 'reload');
  await writer.draft('step-1', [{ part: 0, type: 'text', text: 'ok' }]);
  await later();
  const following = { stepId: 'step-1', parts: [{ type: 'text', text: 'I look' }] };
  expect([writer.following, follower.following, late.following]).toEqual([
    null,
    following,
    following,
  ]);
  add(writer, wholeTurn.slice(7, 8));
  await writer.written();
  await later();
  expect([follower.following, late.following, late.state]).toEqual([null, null, writer.state]);
});

test('a missed message is replaced by a read of the store', async () => {
  const { writer, follower, browser, pages } = await twoTabs(wholeTurn.slice(0, 6));
  const send = vi.spyOn(pages, 'send').mockImplementation(() => undefined);
  add(writer, wholeTurn.slice(6, 7));
  await writer.draft('step-1', [{ part: 0, type: 'text', text: 'missed' }]);
  await writer.written();
  send.mockRestore();
  await writer.draft('step-1', [{ part: 0, type: 'text', text: ', heard' }]);
  await later();
  expect(follower.following?.parts).toEqual([{ type: 'text', text: 'missed, heard' }]);
  add(writer, wholeTurn.slice(7));
  await writer.written();
  await later();
  expect([follower.state, browser.texts('s').length]).toEqual([writer.state, 13]);
});

test('forged messages do no harm', async () => {
  const { writer, follower, browser } = await twoTabs(wholeTurn);
  const stranger = browser.page();
  const [forged] = stamped([message('forged')], 13);
  stranger.send({ type: 'events', session: 's', from: 13, events: ['{"n":13}'] });
  stranger.send({ type: 'events', session: 's', from: 900, events: [JSON.stringify(forged)] });
  stranger.send({ type: 'events', session: 'other', from: 13, events: [JSON.stringify(forged)] });
  stranger.send({ type: 'draft', session: 's', stepId: 'step-2', piece: 0, grown: '[]' });
  stranger.send({ type: 'draft', session: 's', stepId: 'none', piece: 7, grown: '{}' });
  await later();
  expect([writer.state.head.events, follower.state, follower.following]).toEqual([
    13,
    writer.state,
    null,
  ]);
});

test('when a tab takes over, the running turn is lost, and the other tab stops and follows', async () => {
  const { writer, follower } = await twoTabs(wholeTurn.slice(0, 9));
  const received = vi.fn();
  writer.observe(received);
  await follower.takeOver();
  expect([writer.writes, follower.writes, received.mock.calls.length > 0]).toEqual([
    false,
    true,
    true,
  ]);
  expect([writer.append(message('late')), await writer.claim()]).toEqual([false, false]);
  follower.append(message('Once more', 'turn-2'));
  await follower.written();
  await later();
  expect(follower.events.slice(9).map(({ type }) => type)).toEqual([
    'call-ended',
    'turn-ended',
    'python-anew',
    'message',
  ]);
  expect([writer.state, writer.writes]).toEqual([follower.state, false]);
});

test('the last events of the losing tab are kept before those of the other one', async () => {
  const { writer, follower, browser } = await twoTabs(wholeTurn.slice(0, 6));
  await follower.takeOver();
  await follower.written();
  const last = stamped([{ type: 'prompt', text: 'of the robbed tab' }], follower.events.length);
  browser.beforeWrite = () => {
    browser.beforeWrite = () => undefined;
    browser.events.set(`s ${last[0]!.n}`, JSON.stringify(last[0]));
  };
  follower.append(message('ours', 'turn-2'));
  follower.append({ type: 'turn-began', turnId: 'turn-2' });
  await later();
  await follower.written();
  await later();
  expect(follower.events.slice(last[0]!.n).map(({ n, type }) => [n, type])).toEqual([
    [last[0]!.n, 'prompt'],
    [last[0]!.n + 1, 'message'],
    [last[0]!.n + 2, 'turn-began'],
  ]);
  expect(browser.texts('s')).toEqual(follower.events.map((event) => JSON.stringify(event)));
  expect(writer.state).toEqual(follower.state);
});

test('another tab can write when the writing tab is gone', async () => {
  const { writer, follower } = await twoTabs(wholeTurn);
  expect(await follower.claim()).toBe(false);
  await writer.close();
  expect([follower.writes, await follower.claim(), follower.writes]).toEqual([false, true, true]);
  follower.append(message('more', 'turn-2'));
  expect(follower.events.slice(13).map(({ type }) => type)).toEqual(['python-anew', 'message']);
});

test('without locks both tabs write, and the second one becomes the follower', async () => {
  const { writer, follower, browser } = await twoTabs(wholeTurn.slice(0, 6), false);
  expect([writer.writes, follower.writes]).toEqual([true, true]);
  await follower.written();
  writer.append(message('second', 'turn-3'));
  await later();
  expect([writer.writes, follower.writes, writer.state]).toEqual([false, true, follower.state]);
  expect(browser.texts('s')).toEqual(follower.events.map((event) => JSON.stringify(event)));
});

test('a session that was deleted meanwhile stays visible', async () => {
  const { writer, follower, browser } = await twoTabs(wholeTurn);
  await writer.close();
  browser.events.clear();
  expect([await follower.claim(), follower.state, follower.writes]).toEqual([
    true,
    writer.state,
    true,
  ]);
  follower.append(message('more'));
  await follower.written();
  expect(browser.texts('s')).toEqual([]);
});

test('the writing tab stores a title that another tab gives', async () => {
  const { writer, follower, browser, second } = await twoTabs(wholeTurn);
  second.deps.pages.send({ type: 'title', session: 's', title: ' Weather \n again ' });
  await later();
  await writer.written();
  await later();
  expect([writer.state.head.title, follower.state.head.title, browser.texts('s').length]).toEqual([
    'Weather again',
    'Weather again',
    14,
  ]);
});

test('a session that was removed in another tab says so', async () => {
  const { writer, follower, browser } = await twoTabs(wholeTurn);
  const stranger = browser.page();
  stranger.send({ type: 'removed', session: 's' });
  await later();
  expect([writer.removed, follower.removed]).toEqual([true, true]);
  stranger.send({ type: 'restored', session: 's' });
  await later();
  expect([writer.removed, follower.removed]).toEqual([false, false]);
});

test('two requests at once take over once', async () => {
  const { writer, follower } = await twoTabs(wholeTurn.slice(0, 9));
  await Promise.all([follower.takeOver(), follower.claim(), follower.takeOver()]);
  expect(follower.events.slice(9).map(({ type }) => type)).toEqual([
    'call-ended',
    'turn-ended',
    'python-anew',
  ]);
  expect(writer.writes).toBe(false);
});

test('a tab that is closed while it takes over claims nothing', async () => {
  const { follower, browser } = await twoTabs(wholeTurn.slice(0, 9));
  const taking = follower.takeOver();
  await Promise.all([taking, follower.close()]);
  expect([follower.writes, browser.texts('s').length]).toEqual([false, 9]);
});

test('if storage fails during a takeover, the tab continues with the events that it knows', async () => {
  const { writer, follower, browser, first, second } = await twoTabs(wholeTurn.slice(0, 7));
  await writer.draft('step-1', [{ part: 0, type: 'text', text: 'I look' }]);
  await later();
  browser.failure = new Error('No storage.');
  await follower.takeOver();
  expect(follower.events.slice(7)).toMatchObject([
    { type: 'step-ended', finish: 'cut', parts: [{ type: 'text', text: 'I look' }] },
    { type: 'turn-ended', end: 'lost' },
  ]);
  await later();
  expect([follower.writes, second.failures.length, first.reported]).toEqual([
    true,
    1,
    [browser.failure],
  ]);
});

test('a step that ends during the read of its draft is not shown as in progress', async () => {
  const { writer, follower, browser, second } = await twoTabs(wholeTurn.slice(0, 7));
  await writer.draft('step-1', [{ part: 0, type: 'text', text: 'a' }]);
  await later();
  const gone = browser.page();
  gone.send({ type: 'draft', session: 's', stepId: 'step-1', piece: 7, grown: '[]' });
  add(writer, wholeTurn.slice(7, 8));
  await writer.written();
  await later();
  expect([follower.following, follower.state.head.events, second.failures]).toEqual([null, 8, []]);
});
