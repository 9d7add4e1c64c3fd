/** Sessions in a real database with real channels, with pages that open and close. */

import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionHead } from '../../runtime/spec/session.ts';
import { replaySession } from '../session/reduce.ts';
import {
  created,
  factOf,
  lastKind,
  message,
  stamped,
  wholeTurn,
} from '../session/session.fixture.ts';
import { Sessions } from '../session/sessions.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import { openDatabase } from '../../runtime/storage/db.ts';
import { FakeLocks } from '../../runtime/async/locks.fixture.ts';
import { openSessionPages } from './session-pages.ts';
import { openSessionStore } from './session-store.ts';

let count = 0;
const path = (): string => `/whole-${String((count += 1))}/`;

function openPage(base: string, locks: FakeLocks): { sessions: Sessions; troubles: unknown[] } {
  const database = openDatabase(base, () => undefined);
  const troubles: unknown[] = [];
  const sessions = new Sessions({
    store: openSessionStore(() => database),
    pages: openSessionPages(locks, base),
    limits: defaultLimits,
    providers: { nameOf: (id) => id, idOf: (name) => name },
    now: () => 5_000,
    newId: () => `id-${(count += 1)}`,
    after: () => undefined,
    report: (thrown) => troubles.push(thrown),
    onStorageFailure: (text) => troubles.push(text),
  });
  return { sessions, troubles };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

test('a page that closes during a turn leaves everything to the next one', async () => {
  const base = path();
  const first = openPage(base, new FakeLocks()).sessions;
  const log = first.create({ folder: 'tools', folderId: '' });
  for (const fact of wholeTurn.slice(1, 7)) log.append(fact);
  await log.draft('step-1', [{ part: 0, type: 'text', text: 'I ' }]);
  await log.draft('step-1', [{ part: 0, type: 'text', text: 'look' }]);
  await log.written();
  // Locks are released when their page closes.
  const { sessions, troubles } = openPage(base, new FakeLocks());
  await sessions.loaded;
  const [head] = sessions.list();
  const again = await sessions.open(log.id);
  expect([head, again.events.slice(0, 7)]).toEqual([log.state.head, log.events]);
  expect(again.state.entries.slice(1)).toMatchObject([
    { kind: 'step', finish: 'cut', parts: [{ type: 'text', text: 'I look' }] },
    { kind: 'turn-ended', end: 'lost' },
  ]);
  expect(troubles).toEqual([]);
});

test('a session has the same state at the next visit, whatever happens in it', async () => {
  const base = path();
  const choices = fc.array(fc.tuple(fc.nat(lastKind), fc.nat(3), fc.nat(4)), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(choices, async (facts) => {
      const first = openPage(base, new FakeLocks()).sessions;
      const log = first.create({ folder: 'tools', folderId: '' });
      log.append(message('kept'), ...facts.map(factOf));
      await log.written();
      const events = await openPage(base, new FakeLocks()).sessions.events(log.id);
      expect(replaySession(log.id, events)).toEqual(log.state);
    }),
    { numRuns: 30 },
  );
});

test('a page sees what another one writes, until it takes over', async () => {
  const base = path();
  const locks = new FakeLocks();
  const one = openPage(base, locks);
  const other = openPage(base, locks);
  const writer = one.sessions.create({ folder: 'tools', folderId: '' });
  for (const fact of wholeTurn.slice(1, 9)) writer.append(fact);
  await writer.written();
  const follower = await other.sessions.open(writer.id);
  expect(follower.writes).toBe(false);
  writer.append(...wholeTurn.slice(9, 11));
  await writer.written();
  await writer.draft('step-2', [{ part: 0, type: 'text', text: 'Nobody' }]);
  await until(() => follower.following !== null);
  expect([follower.events, follower.following?.parts]).toEqual([
    writer.events,
    [{ type: 'text', text: 'Nobody' }],
  ]);
  await follower.takeOver();
  await until(() => !writer.writes);
  follower.append(message('Once more', 'turn-2'));
  await follower.written();
  await until(() => writer.events.length === follower.events.length);
  expect([writer.state, one.troubles, other.troubles]).toEqual([follower.state, [], []]);
  expect(follower.events.slice(11).map(({ type }) => type)).toEqual([
    'step-ended',
    'turn-ended',
    'python-anew',
    'message',
  ]);
});

test('a long session is loaded completely', async () => {
  const base = path();
  const { sessions } = openPage(base, new FakeLocks());
  const facts = [created, ...Array.from({ length: 2_500 }, (_, n) => message(`m ${n}`, `t-${n}`))];
  const file = JSON.stringify({ format: 'cloche-session', version: 1, events: stamped(facts) });
  const head = await imported(sessions, new Blob([file]));
  const log = await sessions.open(head.id);
  expect([head.messages, log.state.entries.length, log.writes]).toEqual([2_500, 2_500, true]);
});

async function imported(into: Sessions, file: Blob): Promise<SessionHead> {
  return (await into.read(file)).store();
}
