import { expect, test, vi } from 'vitest';
import { ToolError } from '../../../../runtime/spec/error.ts';
import type { SessionHead } from '../../../../runtime/spec/session.ts';
import { SessionList } from './session-list.svelte.ts';

function head(id: string): SessionHead {
  return {
    id,
    title: `Title ${id}`,
    titled: 'by-message',
    folder: 'tools',
    folderId: 'f',
    createdAt: 1,
    changedAt: 1,
    events: 3,
    messages: 1,
    model: null,
    forkOf: null,
  };
}

function fakeControl(heads: SessionHead[]) {
  let emit: (heads: readonly SessionHead[]) => void = () => undefined;
  const control = {
    list: () => heads,
    put: (added: SessionHead) => {
      heads = [...heads, added];
      emit(heads);
    },
    loaded: Promise.resolve(),
    observe: (listener: typeof emit) => {
      emit = listener;
      return () => (emit = () => undefined);
    },
    remove: (id: string) => {
      const before = heads;
      heads = heads.filter((each) => each.id !== id);
      emit(heads);
      return () => {
        heads = before;
        emit(heads);
      };
    },
    rename: () => Promise.resolve(),
    events: () => Promise.resolve([]),
    search: (_signal: AbortSignal, text: string) =>
      Promise.resolve(
        heads
          .filter(({ title }) => title.includes(text))
          .map((found) => ({ head: found, excerpt: { n: 4, text: 'It is b.', from: 6, to: 7 } })),
      ),
    read: () => Promise.reject(new ToolError('bad-input', 'Line 3 is no event.', 'Export anew.')),
  };
  return { stored: control, liveSessions: control };
}

const ids = (list: SessionList) => list.shown.map(({ id }) => id);

test('the list follows the stored sessions, and says when it has loaded', async () => {
  const list = new SessionList();
  expect([ids(list), list.loaded]).toEqual([[], false]);
  list.connect(fakeControl([head('a'), head('b')]));
  await Promise.resolve();
  expect([ids(list), list.loaded]).toEqual([['a', 'b'], true]);
});

test('changes that follow each other are shown together, and what the user does at once', () => {
  vi.useFakeTimers();
  const list = new SessionList();
  const control = fakeControl([head('a'), head('b')]);
  list.connect(control);
  control.stored.put(head('c'));
  expect(ids(list)).toEqual(['a', 'b', 'c']);
  control.stored.put(head('d'));
  expect(ids(list)).toEqual(['a', 'b', 'c']);
  vi.advanceTimersByTime(250);
  expect(ids(list)).toEqual(['a', 'b', 'c', 'd']);
  list.remove(head('a'));
  expect(ids(list)).toEqual(['b', 'c', 'd']);
  list.undo();
  expect(ids(list)).toEqual(['a', 'b', 'c', 'd']);
  vi.useRealTimers();
});

test('a search lists its matches, and an empty search all sessions', async () => {
  vi.useFakeTimers();
  const list = new SessionList();
  list.connect(fakeControl([head('a'), head('b')]));
  list.search('Title b');
  expect(list.searching).toBe(true);
  await vi.runAllTimersAsync();
  expect([ids(list), list.searching]).toEqual([['b'], false]);
  expect([list.excerptOf('b')?.n, list.excerptOf('a'), list.all.length]).toEqual([4, null, 2]);
  list.search('');
  expect(list.excerptOf('b')).toBe(null);
  expect(ids(list)).toEqual(['a', 'b']);
  vi.useRealTimers();
});

test('a deleted session disappears at once, and can be restored', () => {
  const list = new SessionList();
  list.connect(fakeControl([head('a'), head('b')]));
  list.remove(head('a'));
  expect([ids(list), list.removed?.id]).toEqual([['b'], 'a']);
  list.undo();
  expect([ids(list), list.removed]).toEqual([['a', 'b'], null]);
});

test('undo is offered for a limited time', () => {
  vi.useFakeTimers();
  const list = new SessionList();
  list.connect(fakeControl([head('a')]));
  list.remove(head('a'));
  vi.advanceTimersByTime(60_000);
  expect(list.removed).toBe(null);
  vi.useRealTimers();
});

test('an error is shown with its reason', async () => {
  const list = new SessionList();
  const { stored, liveSessions } = fakeControl([]);
  list.connect({ stored, liveSessions });
  await list.attempt(() => stored.read());
  expect(list.fault).toEqual({ message: 'Line 3 is no event.', hint: 'Export anew.' });
});

test('the title of a stored session is known, and that of an unknown one is null', () => {
  const list = new SessionList();
  list.connect(fakeControl([head('a'), { ...head('b'), title: '' }]));
  expect([list.titleOf('a'), list.titleOf('b'), list.titleOf('c')]).toEqual([
    'Title a',
    'Untitled session',
    null,
  ]);
});
