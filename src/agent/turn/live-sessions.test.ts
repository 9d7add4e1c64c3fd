/** Sessions that are released and opened again at the same time as other work. */

import { expect, test, vi } from 'vitest';
import { asks, FakeAgent, says, success } from './agent.fixture.ts';
import { agentPage } from './live-sessions.fixture.ts';
import type { LiveSessions, LiveSessionsDeps } from './live-sessions.ts';
import type { LiveSession } from './live-session.ts';

function pageOf(agent: FakeAgent, more: Partial<LiveSessionsDeps> = {}): LiveSessions {
  return agentPage(agent, more).sessions;
}

async function microtasks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await Promise.resolve();
}

async function say(talk: LiveSession, text: string): Promise<void> {
  talk.send([{ type: 'text', text }]);
  await talk.settled();
}

const gaps = [0, 1, 2, 3, 4, 5, 6];

test.each(gaps)(
  'one that is left and opened %i microtasks later can be gone on with',
  async (gap) => {
    const agent = new FakeAgent();
    const page = pageOf(agent);
    const talk = page.create();
    await say(talk, 'Hello');
    page.release(talk.id);
    await microtasks(gap);
    const again = await page.open(talk.id);
    await microtasks(20);
    expect(again.writes).toBe(true);
    await say(again, 'And on');
    expect(again.state.head.messages).toBe(2);
    // The same object is returned while the session is open.
    expect(await page.open(talk.id)).toBe(again);
  },
);

test.each(gaps)(
  'one that is opened %i microtasks after the end of the turn that ran on is not closed',
  async (gap) => {
    const agent = new FakeAgent();
    const page = pageOf(agent);
    const talk = page.create();
    const ends: (() => void)[] = [];
    agent.onCall = () => new Promise((resolve) => ends.push(() => resolve(success('1'))));
    agent.script = [asks(['m__f', '{}']), says('Done.')];
    talk.send([{ type: 'text', text: 'Go' }]);
    await vi.waitFor(() => {
      expect(ends).toHaveLength(1);
    });
    page.release(talk.id);
    ends[0]?.();
    for (let n = 0; n < 1_000 && talk.state.turnId !== null; n += 1) await Promise.resolve();
    await microtasks(gap);
    const again = await page.open(talk.id);
    await microtasks(20);
    expect([again.writes, again.state.turnId]).toEqual([true, null]);
    await say(again, 'And on');
    expect(again.state.head.messages).toBe(2);
  },
);

test('a released session is closed, and a new object when it is opened again', async () => {
  const agent = new FakeAgent();
  const page = pageOf(agent);
  const talk = page.create();
  await say(talk, 'Hello');
  page.release(talk.id);
  await vi.waitFor(() => {
    expect(talk.writes).toBe(false);
  });
  const again = await page.open(talk.id);
  expect([again === talk, again.writes]).toEqual([false, true]);
});

test('a released session plays its recording to the end, and can continue later', async () => {
  const agent = new FakeAgent();
  const page = pageOf(agent);
  agent.script = [says('One.'), says('Two.')];
  const turn = (text: string) => ({
    message: [{ type: 'text', text } as const],
    steps: [{ parts: [{ type: 'text', text } as const] }],
  });
  const talk = page.play({
    format: 'cloche-recording',
    version: 1,
    title: 'A talk',
    scripted: true,
    tools: [],
    turns: [turn('First'), turn('Second')],
  });
  expect(await page.open(talk.id)).toBe(talk);
  page.release(talk.id);
  await vi.waitFor(() => {
    expect(page.isPlaying(talk.id)).toBe(false);
  });
  expect(talk.state.head.messages).toBe(2);
  await vi.waitFor(() => {
    expect(talk.writes).toBe(false);
  });
});

test('a deleted session may call nothing any more, and may again once that is undone', async () => {
  const agent = new FakeAgent();
  const ended: string[] = [];
  const granted: string[] = [];
  const page = pageOf(agent, {
    openSessions: { close: (id) => ended.push(id), open: (id) => granted.push(id) },
  });
  const talk = page.create();
  await say(talk, 'Hello');
  granted.length = 0;
  const undo = page.remove(talk.id);
  expect([ended, granted]).toEqual([[talk.id], []]);
  undo();
  expect(granted).toEqual([talk.id]);
});

test('closing a deleted session leaves no rights behind', async () => {
  const agent = new FakeAgent();
  const rights: string[] = [];
  const page = pageOf(agent, {
    openSessions: { close: () => rights.push('ended'), open: () => rights.push('set') },
  });
  const talk = page.create();
  await say(talk, 'Hello');
  page.remove(talk.id);
  page.release(talk.id);
  await vi.waitFor(() => {
    expect(rights.slice(-2)).toEqual(['set', 'ended']);
  });
});
