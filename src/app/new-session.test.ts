/** The settings of a new session, some of which may become known only later. */

import { expect, test, vi } from 'vitest';
import { PlayingPage } from './playing.fixture.ts';
import { model, registeredTool } from '../agent/turn/agent.fixture.ts';

const page = (): PlayingPage => new PlayingPage(() => () => expect.fail('Nothing is played.'));

test('the default model is used once it is known, but does not replace a chosen one', () => {
  const here = page();
  const fresh = here.liveSessions.create();
  const chosen = here.liveSessions.create();
  chosen.useModel({ provider: 'mine', model: 'small' });
  here.defaultModel.current = model;
  here.defaultModel.changed();
  expect([fresh.state.head.model, chosen.state.head.model]).toEqual([
    model,
    { provider: 'mine', model: 'small' },
  ]);
});

test('observers of a session without messages are notified of new tools', async () => {
  const here = page();
  const fresh = here.liveSessions.create();
  const seen: (readonly string[])[] = [];
  fresh.observe(() => seen.push(fresh.selected));
  here.agent.tools = [registeredTool('n:new')];
  here.toolsChanged();
  // Observers are notified in the next frame.
  await vi.waitFor(() => {
    expect(seen).toEqual([['n:new']]);
  });
});
