/** An open session: storing, reopening and storage failures. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../../runtime/call/results.ts';
import type { ToolError } from '../../../runtime/spec/error.ts';
import { add, openPage } from './session-log.fixture.ts';
import { SessionLog } from './session-log.ts';
import { replaySession } from '../reduce.ts';
import { FakeBrowser } from './session-store.fixture.ts';
import { created, message, model, stamped, wholeTurn } from '../session.fixture.ts';

const calling = wholeTurn.slice(0, 9);

test('appended events are visible at once, notified, and stored from the first message on', async () => {
  const browser = new FakeBrowser();
  const { deps, heads } = openPage(browser);
  const log = SessionLog.begin(deps, 's');
  const reported = vi.fn();
  const dispose = log.observe(reported);
  expect([log.append(...wholeTurn.slice(0, 3)), reported.mock.calls.length]).toEqual([true, 1]);
  await log.written();
  expect([log.events.length, browser.texts('s'), heads]).toEqual([3, [], []]);
  add(log, wholeTurn.slice(3));
  dispose();
  await log.written();
  expect(browser.texts('s')).toEqual(log.events.map((event) => JSON.stringify(event)));
  expect(log.state).toEqual(replaySession('s', log.events));
  expect([heads.at(-1), JSON.parse(String(browser.heads.get('s')))]).toEqual([
    log.state.head,
    log.state.head,
  ]);
  expect([reported.mock.calls.length, log.writes, log.problem]).toEqual([11, true, null]);
});

test('a session is the same after a reload', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, wholeTurn.slice(0, 8));
  add(first, [
    { type: 'call-ended', callId: 'call-1', result: failure('cancelled', 'no') },
    { type: 'turn-ended', turnId: 'turn-1', end: 'done' },
  ]);
  await first.close();
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  expect([second.state, second.writes, second.events]).toEqual([first.state, true, first.events]);
});

test('a missing session is not found, and a failing store is reported', async () => {
  const browser = new FakeBrowser();
  await expect(SessionLog.open(openPage(browser).deps, 's', () => 'reload')).rejects.toMatchObject({
    code: 'not-found',
  });
  browser.failure = new Error('The database is damaged.');
  await expect(SessionLog.open(openPage(browser).deps, 's', () => 'reload')).rejects.toMatchObject({
    code: 'storage',
    message: 'Could not read the session: The database is damaged.',
  });
});

test.each([
  ['full', new DOMException('x', 'QuotaExceededError'), 'The browser’s storage is full.'],
  ['blocked', new Error('Allow this site to keep data.'), 'Allow this site to keep data.'],
])(
  'where storage is %s that is said once, and the session goes on in memory',
  async (_, error, why) => {
    const browser = new FakeBrowser();
    const { deps, failures, heads } = openPage(browser);
    const log = SessionLog.begin(deps, 's');
    add(log, wholeTurn.slice(0, 5));
    await log.written();
    browser.failure = error;
    add(log, wholeTurn.slice(5, 7));
    await log.draft('step-1', [{ part: 0, type: 'text', text: 'a' }]);
    await log.written();
    add(log, wholeTurn.slice(7));
    await log.draft('step-2', [{ part: 0, type: 'text', text: 'b' }]);
    await log.written();
    expect(failures).toEqual([
      `This session can no longer be saved: ${why} It continues here until you close the tab. Export it to keep it.`,
    ]);
    expect([log.state.entries.length, log.writes, heads.at(-1)?.events]).toEqual([3, true, 13]);
    browser.failure = null;
    log.append(message('more'));
    await log.written();
    // A log with a gap would be damaged.
    expect(browser.texts('s')).toHaveLength(5);
  },
);

test('a result that is too large is cut, and a message that is too large is refused', () => {
  const { deps } = openPage(new FakeBrowser());
  const log = SessionLog.begin({ ...deps, limits: { eventChars: 1_000_000 } }, 's');
  add(log, calling);
  const stdout = 'x'.repeat(2_000_000);
  log.append({ type: 'call-ended', callId: 'call-1', result: failure('e', 't', { stdout }) });
  expect(log.state.calls.get('call-1')?.result?.stdout).toBe('x'.repeat(100_000));
  const error = thrownBy(() => log.append({ type: 'turn-began', turnId: 'x' }, message(stdout)));
  expect([error.code, log.events.length, log.state.turnId]).toEqual(['limit', 10, 'turn-1']);
});

test('a result that is too large is stored as far as possible, and each text has a mark at the cut', () => {
  const kept = (eventChars: number, text: string) => {
    const { deps } = openPage(new FakeBrowser());
    const log = SessionLog.begin({ ...deps, limits: { eventChars } }, 's');
    add(log, calling);
    const result = { ...failure('e', text), content: [{ type: 'text', text } as const] };
    log.append({ type: 'call-ended', callId: 'call-1', result });
    const { content = [], textResultForLlm = '' } = log.state.calls.get('call-1')?.result ?? {};
    return [...content.map((part) => ('text' in part ? part.text : '')), textResultForLlm];
  };
  const mark = '\n[Cut here: there were 5,000,000 characters, more than a session stores.]';
  const whole = 'x'.repeat(5_000_000);
  expect(kept(8_000_000, whole)).toEqual([
    `${'x'.repeat(3_200_000)}${mark}`,
    `${'x'.repeat(3_200_000)}${mark}`,
  ]);
  // Each character becomes six in JSON.
  const odd = kept(8_000_000, '\u0001'.repeat(5_000_000));
  expect(odd.map((text) => [text.length, text.endsWith(mark)])).toEqual([
    [100_000 + mark.length, true],
    [200_000 + mark.length, true],
  ]);
});

test('an event that could not be read again is refused', () => {
  const log = SessionLog.begin(openPage(new FakeBrowser()).deps, 's');
  const error = thrownBy(() => log.append(created, { type: 'turn-began', turnId: '' }));
  expect([error.code, error.message, log.events]).toEqual([
    'bad-input',
    'The session cannot store a turn-began: /turnId must NOT have fewer than 1 characters.',
    [],
  ]);
});

function thrownBy(work: () => unknown): ToolError {
  try {
    work();
  } catch (thrown) {
    return thrown as ToolError;
  }
  throw new Error('It threw nothing.');
}

test('events of another session are copied with their times, and stored even without a message', async () => {
  const browser = new FakeBrowser();
  const log = SessionLog.begin(openPage(browser).deps, 's');
  await log.copy([
    { ...created, at: 5 },
    { type: 'model', model, at: 3 },
  ]);
  await log.written();
  expect([log.events, browser.texts('s').length]).toEqual([
    [
      { n: 0, ...created, at: 5 },
      { n: 1, type: 'model', model, at: 3 },
    ],
    2,
  ]);
});

test('a removed session is not written until it is restored', async () => {
  const browser = new FakeBrowser();
  const log = SessionLog.begin(openPage(browser).deps, 's');
  add(log, calling);
  await log.written();
  log.setRemoved(true);
  add(log, wholeTurn.slice(9, 11));
  await log.draft('step-2', [{ part: 0, type: 'text', text: 'a' }]);
  await log.written();
  expect([log.removed, log.events.length, browser.texts('s').length, browser.drafts.size]).toEqual([
    true,
    11,
    9,
    0,
  ]);
  log.setRemoved(false);
  await log.written();
  expect(browser.texts('s')).toEqual(log.events.map((event) => JSON.stringify(event)));
});

test('a closed log accepts nothing', async () => {
  const log = SessionLog.begin(openPage(new FakeBrowser()).deps, 's');
  await log.close();
  expect([log.append(created), log.events, await log.claim()]).toEqual([false, [], false]);
});

test('many events are written in order, in several transactions', async () => {
  const browser = new FakeBrowser();
  const log = SessionLog.begin(openPage(browser).deps, 's');
  const events = stamped([created, ...Array.from({ length: 1_200 }, () => message('x'))]);
  await log.copy(events.map(({ n: _, ...fact }) => fact));
  await log.written();
  expect(browser.texts('s')).toEqual(events.map((event) => JSON.stringify(event)));
});

test('the calls of a program are stored in one transaction', async () => {
  const browser = new FakeBrowser();
  const { deps } = openPage(browser);
  const { store } = deps;
  const sizes: number[] = [];
  const append: typeof store.append = (session, head, events, ended) => {
    sizes.push(events.length);
    return store.append(session, head, events, ended);
  };
  const log = SessionLog.begin({ ...deps, store: { ...store, append } }, 's');
  add(log, calling);
  await log.written();
  sizes.splice(0);
  for (const callId of ['n-1', 'n-2', 'n-3']) {
    const parent = 'call-1';
    log.append({ type: 'nested-began', callId, parent, tool: 'm:f', arguments: '{}' });
    await Promise.resolve();
    log.append({ type: 'nested-ended', callId, parent, result: failure('crashed', 'gone') });
    await Promise.resolve();
  }
  await log.written();
  expect([sizes, browser.texts('s').length]).toEqual([[6], log.events.length]);
});

test('storage that recovers has the whole session, and the problem disappears', async () => {
  const browser = new FakeBrowser();
  const { deps, failures } = openPage(browser);
  const now = { ms: 1_000 };
  const log = SessionLog.begin({ ...deps, now: () => (now.ms += 1) }, 's');
  const reported = vi.fn();
  log.observe(reported);
  add(log, wholeTurn.slice(0, 5));
  await log.written();
  const follower = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  browser.failure = new Error('The database was closed.');
  add(log, wholeTurn.slice(5, 8));
  await log.draft('step-2', [{ part: 0, type: 'text', text: 'a' }]);
  await log.written();
  expect([log.isInStore, log.problem?.slice(0, 33)]).toEqual([
    false,
    'This session can no longer be sav',
  ]);
  browser.failure = null;
  now.ms += 60_000;
  reported.mockClear();
  add(log, wholeTurn.slice(8));
  await log.written();
  expect([log.isInStore, log.problem, failures.length]).toEqual([true, null, 1]);
  // Once for each fact, and once for the recovery.
  expect(reported).toHaveBeenCalledTimes(wholeTurn.length - 8 + 1);
  expect(browser.texts('s')).toEqual(log.events.map((event) => JSON.stringify(event)));
  await log.draft('step-2', [{ part: 0, type: 'text', text: 'b' }]);
  expect(browser.drafts.size).toBe(0);
  await vi.waitFor(() => {
    expect(follower.state).toEqual(log.state);
  });
});

test('a tab that takes over a session from another tab’s memory keeps the events that it knows', async () => {
  const browser = new FakeBrowser();
  const { deps } = openPage(browser);
  const log = SessionLog.begin(deps, 's');
  add(log, wholeTurn.slice(0, 6));
  await log.written();
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  browser.failure = new Error('Busy.');
  add(log, wholeTurn.slice(6));
  await log.written();
  browser.failure = null;
  await second.takeOver();
  second.append(message('elsewhere', 'turn-2'));
  await second.written();
  await log.takeOver();
  log.append(message('and here', 'turn-3'));
  await log.written();
  expect([log.isInStore, log.problem, second.writes]).toEqual([true, null, false]);
  expect(browser.texts('s')).toEqual(log.events.map((event) => JSON.stringify(event)));
});

test('a draft piece that is not stored leaves no gap', async () => {
  const browser = new FakeBrowser();
  const log = SessionLog.begin(openPage(browser).deps, 's');
  add(log, calling);
  await log.written();
  const grown = (text: string) => [{ part: 0, type: 'text', text }] as const;
  await log.draft('step-2', grown('a'));
  log.setRemoved(true);
  await log.draft('step-2', grown('b'));
  log.setRemoved(false);
  await log.draft('step-2', grown('c'));
  expect(browser.drafts.get('s step-2')).toEqual([JSON.stringify(grown('a'))]);
});
