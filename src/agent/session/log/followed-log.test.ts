/** Following another tab's log while messages and reads overlap. */

import { expect, test, vi } from 'vitest';
import type { SessionMessage } from '../../../runtime/protocol/session-pages.ts';
import { FollowedLog } from './followed-log.ts';
import { LogContents } from './log-contents.ts';
import { FakeBrowser } from './session-store.fixture.ts';
import type { SessionStore } from './session-store.ts';
import { stamped, wholeTurn } from '../session.fixture.ts';

const events = stamped(wholeTurn);
const texts = events.map((event) => JSON.stringify(event));
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

interface Bench {
  readonly browser: FakeBrowser;
  readonly contents: LogContents;
  readonly followed: FollowedLog;
  readonly reported: () => number;
}

/** A store with the first events. */
function bench(
  stored: number,
  over: (store: SessionStore) => Partial<SessionStore> = () => ({}),
): Bench {
  const browser = new FakeBrowser();
  texts.slice(0, stored).forEach((text, n) => browser.events.set(`s ${n}`, text));
  const contents = new LogContents('s');
  const onChange = vi.fn();
  const store = browser.store();
  const followed = new FollowedLog({
    session: 's',
    store: { ...store, ...over(store) },
    contents,
    onChange,
  });
  return { browser, contents, followed, reported: () => onChange.mock.calls.length };
}

function reported(from: number, to: number): Extract<SessionMessage, { type: 'events' }> {
  return { type: 'events', session: 's', from, events: texts.slice(from, to) };
}

function draft(piece: number, text: string): Extract<SessionMessage, { type: 'draft' }> {
  const grown = JSON.stringify([{ part: 0, type: 'text', text }]);
  return { type: 'draft', session: 's', stepId: 'step-1', piece, grown };
}

test('messages that arrive during a read cause another read', async () => {
  let during = (): void => undefined;
  const { browser, contents, followed } = bench(5, (store) => ({
    events: async (...asked) => {
      const found = await store.events(...asked);
      during();
      return found;
    },
  }));
  during = () => {
    during = () => undefined;
    browser.events.set('s 5', texts[5]);
    followed.receive(reported(5, 6));
  };
  expect([await followed.read('all'), contents.events]).toEqual([true, events.slice(0, 6)]);
});

test('known events are skipped, and a gap is read from the store', async () => {
  const { browser, contents, followed } = bench(4);
  await followed.read('all');
  followed.receive(reported(2, 6));
  expect(contents.events).toEqual(events.slice(0, 6));
  texts.slice(0, 9).forEach((text, n) => browser.events.set(`s ${n}`, text));
  followed.receive(reported(8, 9));
  expect(contents.events).toHaveLength(6);
  await turn();
  expect(contents.events).toEqual(events.slice(0, 9));
});

test('a gap that cannot be read for the moment is read later', async () => {
  const { browser, contents, followed } = bench(6);
  await followed.read('all');
  browser.failure = new Error('busy');
  followed.receive(reported(8, 9));
  await turn();
  browser.failure = null;
  texts.forEach((text, n) => browser.events.set(`s ${n}`, text));
  followed.receive(reported(9, 10));
  await turn();
  expect(contents.events).toEqual(events);
});

test('draft pieces of an ended step are ignored', async () => {
  const { followed, reported: changes } = bench(8);
  await followed.read('all');
  const before = changes();
  followed.receive(draft(0, 'late'));
  await turn();
  expect([followed.step, changes()]).toEqual([null, before]);
});

test('a draft read is ignored if its step ends meanwhile', async () => {
  let answer = (_: readonly unknown[]): void => undefined;
  const { followed } = bench(7, () => ({
    drafts: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  }));
  const reading = followed.read('all');
  await turn();
  answer([]);
  await reading;
  followed.receive(draft(3, 'missed something'));
  await turn();
  followed.receive(reported(7, 8));
  answer([draft(0, 'a').grown, draft(1, 'b').grown]);
  await turn();
  expect(followed.step).toBeNull();
});

test('a damaged draft piece ends the draft, and a repeated one adds nothing', async () => {
  const { browser, followed } = bench(7);
  browser.drafts.set('s step-1', [draft(0, 'a').grown, '{}', draft(2, 'c').grown]);
  await followed.read('all');
  followed.receive(draft(0, 'a'));
  await turn();
  expect(followed.step).toEqual({ stepId: 'step-1', parts: [{ type: 'text', text: 'a' }] });
});

test('a deleted log keeps the events that were read before', async () => {
  const { browser, contents, followed } = bench(6);
  await followed.read('all');
  browser.events.clear();
  expect([await followed.read('all'), contents.events]).toEqual([false, events.slice(0, 6)]);
});
