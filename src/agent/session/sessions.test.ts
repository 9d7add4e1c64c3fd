/** All sessions of a browser: opening, copying, files, names. */

import { expect, test, vi } from 'vitest';
import type { Sessions } from './sessions.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import { FakeBrowser } from './log/session-store.fixture.ts';
import { message, model, wholeTurn } from './session.fixture.ts';
import { clock, fill, filled, how, later, titles, openPage } from './sessions.fixture.ts';

test('a session without a message is not listed and not stored', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = sessions.create({ ...how, replays: 'a recording' });
  log.append({ type: 'model', model });
  await log.written();
  sessions.release(log.id);
  await later();
  expect([log.state.replays, sessions.list(), browser.heads.size, browser.events.size]).toEqual([
    'a recording',
    [],
    0,
    0,
  ]);
});

test('the end of a call that has run is stored at once, later events after a short wait or when the page closes', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = sessions.create(how);
  const missing = (): number => log.events.length - browser.events.size;
  fill(log, wholeTurn.slice(1, 9));
  await log.written();
  fill(log, wholeTurn.slice(9, 10));
  await later();
  expect([log.events.at(-1)?.type, missing()]).toEqual(['call-ended', 0]);
  fill(log, wholeTurn.slice(10, 12));
  await later();
  expect(missing()).toBe(2);
  sessions.flush();
  await later();
  expect(missing()).toBe(0);
});

test('an open session is one object, and can be opened again at once', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = await filled(sessions);
  fill(log, wholeTurn.slice(5));
  expect(await sessions.open(log.id)).toBe(log);
  sessions.release(log.id);
  const [again, same] = await Promise.all([sessions.open(log.id), sessions.open(log.id)]);
  expect([again === same, again === log, again.writes]).toEqual([true, false, true]);
  // The session's interpreter still exists.
  expect(again.events.at(-1)).toMatchObject({ type: 'turn-ended' });
  sessions.release(log.id);
  sessions.pythonRestarted('other-folder');
  const third = await sessions.open(log.id);
  expect(third.events.at(-1)).toMatchObject({ type: 'python-anew', why: 'other-folder' });
  await expect(sessions.open('nowhere')).rejects.toMatchObject({ code: 'not-found' });
});

test('a copy is a separate session', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = sessions.create(how);
  fill(log);
  const copy = await sessions.fork(log.id, 8);
  await copy.written();
  sessions.release(log.id);
  await later();
  const fromStore = await sessions.fork(log.id, 3);
  await fromStore.written();
  expect([copy.writes, copy.state.turnId, copy.state.head.forkOf, titles(sessions)]).toEqual([
    true,
    null,
    log.id,
    [
      'How is the weather in Oslo? (fork)',
      'How is the weather in Oslo? (fork)',
      'How is the weather in Oslo?',
    ],
  ]);
  const next = await openPage(browser).sessions.events(copy.id);
  expect(next).toEqual(copy.events);
  await expect(sessions.fork(log.id, 99)).rejects.toMatchObject({ code: 'bad-input' });
  await expect(sessions.fork('nowhere', 0)).rejects.toMatchObject({ code: 'not-found' });
});

test('copying a long session does not block the page', async () => {
  const { sessions } = openPage(new FakeBrowser());
  const log = sessions.create(how);
  const turns = Array.from({ length: 1_500 }, (_, turn) => message(`text ${turn}`, `turn-${turn}`));
  log.append(...turns);
  // Each reading of the clock ends a slice, however fast the machine is.
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 9));
  let drawn = 0;
  let drawing = setImmediate(function again() {
    drawn += 1;
    drawing = setImmediate(again);
  });
  const copy = await sessions.fork(log.id, 1_500);
  clearImmediate(drawing);
  clock.mockRestore();
  expect([copy.events.length, copy.state.head.messages, drawn > 3]).toEqual([1_501, 1_500, true]);
});

test('a session is renamed: open here, not open, or open elsewhere', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const other = openPage(browser).sessions;
  await other.loaded;
  const log = await filled(sessions);
  await sessions.rename(log.id, ' Weather\n1 ');
  expect(titles(sessions)).toEqual(['Weather 1']);
  await other.rename(log.id, 'Weather 2');
  await later();
  expect([titles(sessions), titles(other), log.writes]).toEqual([
    ['Weather 2'],
    ['Weather 2'],
    true,
  ]);
  sessions.release(log.id);
  await later();
  await other.rename(log.id, 'Weather 3');
  await later();
  expect([titles(sessions), titles(other), browser.texts(log.id).length]).toEqual([
    ['Weather 3'],
    ['Weather 3'],
    6,
  ]);
  // The session did not stay open.
  expect((await sessions.open(log.id)).writes).toBe(true);
  await expect(sessions.rename(log.id, ' ')).rejects.toMatchObject({ code: 'bad-input' });
});

test('a session that is opened while it is renamed stays open', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = await filled(sessions);
  sessions.release(log.id);
  const [, opened] = await Promise.all([sessions.rename(log.id, 'x'), sessions.open(log.id)]);
  expect([opened.writes, opened.append(message('more'))]).toEqual([true, true]);
});

test('an exported session is imported as a new session', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = sessions.create(how);
  fill(log);
  const { file } = await sessions.export(log.id);
  const other = openPage(browser).sessions;
  await other.loaded;
  const head = await imported(sessions, file);
  await later();
  const title = 'How is the weather in Oslo? (imported)';
  // An imported session comes first in the list, whenever it was created.
  expect([head.id === log.id, head, titles(other)]).toEqual([
    false,
    {
      ...log.state.head,
      id: head.id,
      folderId: '',
      title,
      events: log.events.length + 2,
      changedAt: clock.now,
    },
    [title, 'How is the weather in Oslo?'],
  ]);
  const again = await sessions.open(head.id);
  expect(again.events.slice(-2)).toMatchObject([{ type: 'python-anew', why: 'import' }, { title }]);
  expect(again.state.entries.slice(0, 3)).toHaveLength(3);
  expect(again.state.selection).toEqual(log.state.selection);
});

test('an imported session plays no recording, which its file could hide', async () => {
  const { sessions } = openPage(new FakeBrowser());
  const log = sessions.create({ ...how, replays: 'a recording' });
  fill(log);
  const { file } = await sessions.export(log.id);
  expect(await file.text()).toContain('a recording');
  const { state, store } = await sessions.read(file);
  const { id } = await store();
  expect([state.replays, (await sessions.open(id)).state.replays]).toEqual([null, null]);
});

test('an imported session with a running turn keeps its title, and its turn ends as stopped', async () => {
  const { sessions } = openPage(new FakeBrowser());
  const log = sessions.create(how);
  fill(log, wholeTurn.slice(1, 9));
  const { file } = await sessions.export(log.id);
  const other = openPage(new FakeBrowser()).sessions;
  const { id, title } = await imported(other, file);
  const { events } = await other.open(id);
  expect([title, events.slice(-4)]).toMatchObject([
    'How is the weather in Oslo?',
    [
      { type: 'call-ended', result: { resultType: 'failure' } },
      { type: 'turn-ended', end: 'stopped' },
      { type: 'python-anew', why: 'import' },
      { type: 'titled' },
    ],
  ]);
});

test('work in a session that was deleted and restored ends with that reason', async () => {
  const { sessions } = openPage(new FakeBrowser());
  const log = sessions.create(how);
  fill(log, wholeTurn.slice(1, 9));
  await log.written();
  const undo = sessions.remove(log.id);
  sessions.release(log.id);
  await later();
  undo();
  const { events } = await sessions.open(log.id);
  expect(events.slice(-2)).toMatchObject([
    { type: 'call-ended', result: { error: expect.stringContaining('cancelled') as string } },
    { type: 'turn-ended', end: 'stopped' },
  ]);
});

test('an import that fails stores nothing', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  await expect(imported(sessions, new Blob(['{}']))).rejects.toMatchObject({ code: 'bad-input' });
  const log = sessions.create(how);
  log.append(message('x'.repeat(50_000)));
  const { file } = await sessions.export(log.id);
  await log.written();
  const strict = openPage(browser, {
    limits: { eventChars: 10_000, sessionFileBytes: 1_000_000, foundSessions: 10 },
  }).sessions;
  await expect(imported(strict, file)).rejects.toMatchObject({ code: 'bad-input' });
  await expect(imported(strict, file)).rejects.toThrow(
    /^Entry 2 of the file: The session cannot store a message/,
  );
  browser.beforeWrite = () => {
    throw new Error('The disk is full.');
  };
  await expect(imported(sessions, file)).rejects.toMatchObject({
    code: 'storage',
    message: 'The session could not be stored: The disk is full.',
  });
  expect([browser.heads.size, browser.removed.size, sessions.list().length]).toEqual([1, 0, 1]);
});

test('a file that is too large to import is saved with a warning', async () => {
  const limits = { eventChars: 100_000, sessionFileBytes: 3_000, foundSessions: 10 };
  const { sessions } = openPage(new FakeBrowser(), { limits });
  const log = sessions.create(how);
  log.append(message('short'));
  expect(await sessions.export(log.id)).toMatchObject({ problem: null });
  log.append(message('x'.repeat(4_000)));
  const { file, problem } = await sessions.export(log.id);
  expect(file.size).toBeGreaterThan(4_000);
  await expect(imported(sessions, file)).rejects.toThrow(problem ?? 'There is none.');
});

test('an import that is interrupted is deleted at the next visit', async () => {
  const browser = new FakeBrowser();
  const { sessions } = openPage(browser);
  const log = await filled(sessions);
  const { file } = await sessions.export(log.id);
  const marks: number[][] = [];
  browser.beforeWrite = () => marks.push([...browser.removed.values()]);
  await imported(sessions, file);
  expect([marks, browser.removed.size]).toEqual([[[0]], 0]);
});

test('an imported session is announced before another tab can claim it', async () => {
  const browser = new FakeBrowser();
  const pages = browser.page();
  const happened: string[] = [];
  const { sessions } = openPage(browser, {
    pages: {
      ...pages,
      take: async (...asked) => {
        const giveBack = await pages.take(...asked);
        return async () => {
          happened.push('free');
          await giveBack?.();
        };
      },
      send: (reported) => happened.push(reported.type),
    },
  });
  const log = sessions.create(how);
  const { file } = await sessions.export(log.id);
  await imported(sessions, file);
  expect(happened).toEqual(['restored', 'head', 'free']);
});

test('a search waits for the stored sessions', async () => {
  const browser = new FakeBrowser();
  await filled(openPage(browser).sessions, 'Trains to Oslo');
  const { sessions } = openPage(browser);
  const found = await sessions.search(new AbortController().signal, 'oslo trains');
  expect(found.map(({ head }) => head.title)).toEqual(['Trains to Oslo']);
});

test('storage failures are reported, and sessions stay in memory', async () => {
  const browser = new FakeBrowser();
  browser.failure = new Error('No storage.');
  const { sessions, failures } = openPage(browser);
  await sessions.loaded;
  const log = await filled(sessions);
  sessions.release(log.id);
  expect([titles(sessions), await sessions.open(log.id)]).toEqual([['How is the weather?'], log]);
  const copy = await sessions.fork(log.id, 1);
  expect(copy.events.map(({ type }) => type)).toEqual(['created', 'message', 'titled']);
  expect((await sessions.export(log.id)).file.size).toBeGreaterThan(100);
  await copy.written();
  expect(failures).toEqual([
    'Could not read saved sessions: No storage.',
    ...Array<string>(2).fill(
      'This session can no longer be saved: No storage. It continues here until you close the tab. Export it to keep it.',
    ),
  ]);
  await expect(sessions.events('other')).rejects.toMatchObject({ code: 'storage' });
});

async function imported(into: Sessions, file: Blob): Promise<SessionHead> {
  return (await into.read(file)).store();
}
