/** Sessions stay in their columns while the address is still that of new ones. */

import { expect, test } from 'vitest';
import type { FakeSession } from '../sessions.fixture.ts';
import { fakeSessions } from '../sessions.fixture.ts';
import { SideSessions, type SideDeps } from './side-sessions.svelte.ts';

function twoNew() {
  const released: string[] = [];
  const { liveSessions } = fakeSessions([]);
  const deps = {
    liveSessions: { ...liveSessions, release: (id: string) => released.push(id) },
    events: () => Promise.resolve([]),
    ui: { announcer: { say: () => undefined } },
    playbackHasEnded: () => false,
  } as unknown as SideDeps;
  const side = new SideSessions(deps);
  side.follow(['new', 'new']);
  const begin = (index: number): void => {
    const session = side.open[index]?.control as unknown as FakeSession;
    session.set({ state: { selection: { tools: [], names: [] } } });
  };
  const shown = () => side.sides.map(({ session }) => session?.id ?? null);
  return { side, released, begin, shown };
}

test('a new session that begins a moment after the others keeps its column', () => {
  const { side, released, begin, shown } = twoNew();
  const [first, second] = shown();
  begin(0);
  expect(side.ids).toEqual([first, 'new']);
  side.follow(side.ids);
  expect(shown()).toEqual([first, second]);
  begin(1);
  side.follow(side.ids);
  expect([shown(), side.ids, released]).toEqual([[first, second], [first, second], []]);
});

test('a session that begins just before the address of the others is followed keeps its column', () => {
  const { side, released, begin, shown } = twoNew();
  const [first, second] = shown();
  begin(0);
  const { ids } = side;
  begin(1);
  side.follow(ids);
  expect([shown(), side.ids, released]).toEqual([[first, second], [first, second], []]);
});

test('sessions that have begun are not shown as new ones', () => {
  const { side, begin, shown } = twoNew();
  const before = shown();
  begin(0);
  begin(1);
  side.follow(side.ids);
  side.follow(['new', 'new']);
  expect(shown().filter((id) => before.includes(id))).toEqual([]);
  // A column that is added to sessions that have begun is empty until the user chooses a session.
  begin(0);
  begin(1);
  side.follow(side.ids);
  side.follow([...side.ids, 'new']);
  expect(shown()[2]).toBe(null);
});
