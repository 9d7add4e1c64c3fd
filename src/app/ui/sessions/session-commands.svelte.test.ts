import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OpenSession } from './open-session.svelte.ts';
import { sessionCommands } from './session-commands.ts';
import { FakeSession, headOf, message, stateOf } from './sessions.fixture.ts';
import { SessionList } from './list/session-list.svelte.ts';

let focused = 0;
const field = { focus: () => (focused += 1) };

beforeEach(() => {
  focused = 0;
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('document', { getElementById: () => field });
});
afterEach(() => vi.unstubAllGlobals());

function opened(session: FakeSession) {
  const shown = new OpenSession(session, { say: () => undefined });
  const forked: unknown[] = [];
  const list = new SessionList();
  const fork = (...asked: unknown[]): Promise<void> => {
    forked.push(asked);
    return Promise.resolve();
  };
  const compared: string[] = [];
  const compare = (id: string): void => void compared.push(id);
  const all = () =>
    sessionCommands(shown, { list, fork, compare }).filter(({ available }) => available);
  const choose = (words: string): void =>
    all()
      .find((one) => one.words === words)
      ?.choose();
  return { shown, forked, compared, words: () => all().map(({ words }) => words), choose };
}

test('a new session cannot be stopped, renamed or forked', () => {
  const { words } = opened(
    new FakeSession(stateOf({ selection: null, head: headOf('a', { messages: 0 }) })),
  );
  expect(words()).toEqual(['Turn step mode on', 'System prompt']);
});

test('commands stop a turn, switch step mode, and return the focus to the message field', async () => {
  const talk = new FakeSession(stateOf({ head: headOf('a') }));
  talk.set({ live: { phase: 'calling' } });
  const { words, choose } = opened(talk);
  expect(words()).toEqual([
    'Stop turn',
    'Turn step mode on',
    'System prompt',
    'Show the trace',
    'Compare with another session',
    'Rename session',
  ]);
  choose('Turn step mode on');
  expect(words()).toContain('Turn step mode off');
  choose('Stop turn');
  await tick();
  expect([talk.calls, focused]).toEqual([['stop'], 2]);
  expect(words()).not.toContain('Stop turn');
});

test('commands open the title and the prompt for editing, and fork up to the last entry', async () => {
  const talk = new FakeSession(
    stateOf({ head: headOf('a'), entries: [message(4, 'Hello', 't1')] }),
  );
  const { shown, forked, choose } = opened(talk);
  choose('System prompt');
  expect(shown.editing).toBe('prompt');
  choose('Rename session');
  await tick();
  expect(shown.editing).toBe('title');
  choose('Fork session');
  expect(forked).toEqual([['a', 4]]);
});

test('a session that another page writes has no commands that change it', () => {
  const talk = new FakeSession(stateOf({ head: headOf('a') }));
  talk.writes = false;
  expect(opened(talk).words()).toEqual(['Show the trace', 'Compare with another session']);
});
