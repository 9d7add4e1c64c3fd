/** Sessions whose tab closed during work, or whose log is damaged. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../../runtime/call/results.ts';
import { add, openPage } from './session-log.fixture.ts';
import { SessionLog } from './session-log.ts';
import { FakeBrowser } from './session-store.fixture.ts';
import { askedCall, message, wholeTurn } from '../session.fixture.ts';

const streaming = wholeTurn.slice(0, 7);
const calling = wholeTurn.slice(0, 9);

test('a tab that closes during a step loses nothing that it has shown', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, streaming);
  await first.draft('step-1', [{ part: 0, type: 'text', text: 'I lo' }]);
  await first.draft('step-1', [
    { part: 0, type: 'text', text: 'ok' },
    { part: 1, type: 'call', call: askedCall('call-1') },
    { part: 2, type: 'writing-call', wire: 'weather__today', arguments: '{"ci' },
  ]);
  await first.written();
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  await second.written();
  // Until then, the page that closed holds the session.
  expect([second.writes, second.events.length, await second.claim()]).toEqual([false, 7, false]);
  await first.close();
  expect(await second.claim()).toBe(true);
  const writing = {
    type: 'call',
    id: 'id-1',
    askedId: 'id-1',
    wire: 'weather__today',
    tool: 'weather:today',
    arguments: '{"ci',
  };
  const notMade = failure(
    'cancelled',
    'The page was closed or reloaded before weather:today was called.',
  );
  expect(second.events.slice(7).map(({ n: _, at: __, ...fact }) => fact)).toEqual([
    {
      type: 'step-ended',
      stepId: 'step-1',
      finish: 'cut',
      cost: null,
      ms: 0,
      parts: [{ type: 'text', text: 'I look' }, askedCall('call-1'), writing],
      usage: { input: null, cached: null, output: null, reasoning: null },
    },
    { type: 'call-ended', callId: 'call-1', result: notMade },
    { type: 'call-ended', callId: 'id-1', result: notMade },
    { type: 'turn-ended', turnId: 'turn-1', end: 'lost' },
  ]);
  await second.written();
  expect([browser.drafts.size, browser.texts('s').length]).toEqual([0, 11]);
});

/** A page whose timers stand still, as those of a hidden page do, and whose events are stored only when `end` is called. */
function hiddenPage(browser: FakeBrowser) {
  const { deps } = openPage(browser);
  let end = (): void => undefined;
  const store: typeof deps.store = {
    ...deps.store,
    append: async (...given) => {
      await new Promise<void>((resolve) => (end = resolve));
      return deps.store.append(...given);
    },
  };
  return { deps: { ...deps, store }, end: () => end() };
}

const passed = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('the draft of a step is stored after its beginning, for which it does not wait longer than necessary', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const browser = new FakeBrowser();
    const { deps, end } = hiddenPage(browser);
    const first = SessionLog.begin(deps, 's');
    add(first, streaming.slice(0, 6));
    end();
    await passed();
    end();
    await passed();
    add(first, streaming.slice(6));
    await passed();
    expect(browser.texts('s')).toHaveLength(6);
    const drafts = [
      first.draft('step-1', [{ part: 0, type: 'text', text: 'I lo' }]),
      first.draft('step-1', [{ part: 0, type: 'text', text: 'ok' }]),
    ];
    await passed();
    expect([browser.texts('s').length, browser.drafts.size]).toEqual([6, 0]);
    end();
    await Promise.all(drafts);
    // The page is discarded.
    const after = browser.afterCrash();
    const second = await SessionLog.open(openPage(after).deps, 's', () => 'reload');
    expect(second.events.slice(6).map(({ type }) => type)).toEqual([
      'step-began',
      'step-ended',
      'turn-ended',
    ]);
    expect(second.events[7]).toMatchObject({ parts: [{ type: 'text', text: 'I look' }] });
  } finally {
    vi.useRealTimers();
  }
});

test('a draft that waits for the beginning of its step is not stored after the end of the step', async () => {
  const browser = new FakeBrowser();
  const { deps, end } = hiddenPage(browser);
  const log = SessionLog.begin(deps, 's');
  add(log, streaming);
  const drafted = log.draft('step-1', [{ part: 0, type: 'text', text: 'a' }]);
  add(log, wholeTurn.slice(7));
  for (let n = 0; n < 5; n += 1) {
    end();
    await passed();
  }
  await drafted;
  expect([browser.texts('s').length, browser.drafts.size]).toEqual([wholeTurn.length, 0]);
});

test('a draft stays complete if another tab has written in place of the beginning of its step', async () => {
  const browser = new FakeBrowser();
  const { deps } = openPage(browser);
  let isStepStored = true;
  const store: typeof deps.store = {
    ...deps.store,
    draft: (piece) => {
      isStepStored &&= browser.texts('s').join('').includes('step-began');
      return deps.store.draft(piece);
    },
    // Events that the other tab has written arrive after the first pieces.
    events: (...given) => passed().then(() => deps.store.events(...given)),
  };
  const first = SessionLog.begin({ ...deps, store }, 's');
  add(first, streaming.slice(0, 6));
  await first.written();
  browser.events.set(
    's 6',
    JSON.stringify({ n: 6, at: 2_000, type: 'titled', title: 'New', by: 'user' }),
  );
  add(first, streaming.slice(6));
  const drafts = [
    first.draft('step-1', [{ part: 0, type: 'text', text: 'I lo' }]),
    first.draft('step-1', [{ part: 0, type: 'text', text: 'ok' }]),
  ];
  await Promise.all(drafts);
  expect(isStepStored).toBe(false);
  // On a busy machine, reading what the other tab has written takes several tasks, and nothing is written meanwhile.
  await vi.waitFor(() => expect(browser.texts('s')).toHaveLength(streaming.length + 1));
  const second = await SessionLog.open(openPage(browser.afterCrash()).deps, 's', () => 'reload');
  expect(second.events.slice(6).map(({ type }) => type)).toEqual([
    'titled',
    'step-began',
    'step-ended',
    'turn-ended',
  ]);
  expect(second.events[8]).toMatchObject({ parts: [{ type: 'text', text: 'I look' }] });
});

test('a log that closes while it reads what another tab has written stores its own events first', async () => {
  const browser = new FakeBrowser();
  const { deps } = openPage(browser);
  let read = (): void => undefined;
  const asked = new Promise<void>((resolve) => (read = resolve));
  let go = (): void => undefined;
  const store: typeof deps.store = {
    ...deps.store,
    events: async (...given) => {
      read();
      await new Promise<void>((resolve) => (go = resolve));
      return deps.store.events(...given);
    },
  };
  const first = SessionLog.begin({ ...deps, store }, 's');
  add(first, wholeTurn.slice(0, 6));
  await first.written();
  browser.events.set(
    's 6',
    JSON.stringify({ n: 6, at: 2_000, type: 'titled', title: 'New', by: 'user' }),
  );
  add(first, wholeTurn.slice(6));
  await asked;
  const closed = first.close();
  await passed();
  go();
  await closed;
  expect(browser.texts('s')).toHaveLength(wholeTurn.length + 1);
});

test('a running call ends as crashed, and Python restarts', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, calling);
  await first.close();
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  expect([second.state.calls.get('call-1')?.result, second.state.turnId]).toEqual([
    failure(
      'crashed',
      'The page was closed or reloaded during the call to weather:today. It is unknown how much of it ran.',
      { stateLost: true },
    ),
    null,
  ]);
  expect(second.state.entries.slice(2).map(({ kind }) => kind)).toEqual([
    'turn-ended',
    'python-anew',
  ]);
  const count = second.events.length;
  await second.close();
  const third = await SessionLog.open(openPage(browser).deps, 's', () => 'folder');
  expect(third.events).toHaveLength(count);
});

test('after a complete turn only the restart of Python is logged, once, with its reason', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, wholeTurn);
  await first.close();
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'folder');
  expect(second.events.slice(wholeTurn.length)).toEqual([
    { n: 13, at: 1_000, type: 'python-anew', why: 'folder' },
  ]);
  expect(second.state.head.changedAt).toBe(first.state.head.changedAt);
});

test('the entries before a damaged one stay, the session continues, and nothing is deleted', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, wholeTurn);
  await first.close();
  const [, behind] = [browser.events.get('s 4'), browser.texts('s').slice(5)];
  browser.events.set('s 4', '{"n":4,"at":1,"type":"titled"');
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  expect(second.problem).toBe(
    'Entry 5 of this session’s log is damaged: It is not JSON. The entries before it are shown. The rest was set aside, not deleted.',
  );
  expect(second.events).toEqual(first.events.slice(0, 4));
  second.append(message('Once more', 'turn-2'));
  await second.written();
  expect([browser.texts('s').length, browser.quarantined]).toEqual([
    5,
    ['{"n":4,"at":1,"type":"titled"', ...behind],
  ]);
  browser.events.clear();
  browser.events.set('s 0', 7);
  await second.close();
  await expect(SessionLog.open(openPage(browser).deps, 's', () => 'reload')).rejects.toMatchObject({
    code: 'storage',
    message: 'Its log is damaged: It is not JSON.',
  });
});

test('a lost entry counts as damage too', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, wholeTurn);
  await first.close();
  browser.events.delete('s 4');
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  expect([second.events.length, second.problem?.slice(0, 82)]).toEqual([
    4,
    'Entry 5 of this session’s log is damaged: Its number is 5, not 4. The entries befo',
  ]);
});

test('open calls of a stopped turn stay as they are', async () => {
  const browser = new FakeBrowser();
  const first = SessionLog.begin(openPage(browser).deps, 's');
  add(first, [
    ...wholeTurn.slice(0, 8),
    { type: 'turn-ended', turnId: 'turn-1', end: 'stopped' },
    { type: 'turn-began', turnId: 'turn-2' },
  ]);
  await first.close();
  const second = await SessionLog.open(openPage(browser).deps, 's', () => 'reload');
  expect(second.events.slice(10)).toEqual([
    { n: 10, at: 1_000, type: 'turn-ended', turnId: 'turn-2', end: 'lost' },
  ]);
});
