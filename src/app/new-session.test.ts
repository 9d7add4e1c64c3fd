/** What a new session begins with, which may become known only after it is there. */

import { expect, test } from 'vitest';
import { PlayingPage } from './playing.fixture.ts';
import { model, registeredTool } from '../agent/agent.fixture.ts';

const page = (): PlayingPage => new PlayingPage(() => () => expect.fail('Nothing is played.'));
/** Watchers are told with the next picture. */
const nextUpdate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('the usual model is taken once it is known, and not in place of one that was chosen', () => {
  const here = page();
  const fresh = here.conversations.create();
  const chosen = here.conversations.create();
  chosen.useModel({ provider: 'mine', model: 'small' });
  here.defaultModel = model;
  here.defaultModelChanged();
  expect([fresh.state.head.model, chosen.state.head.model]).toEqual([
    model,
    { provider: 'mine', model: 'small' },
  ]);
});

test('who watches a session that has not begun is told of the tools that come', async () => {
  const here = page();
  const fresh = here.conversations.create();
  const seen: (readonly string[])[] = [];
  fresh.observe(() => seen.push(fresh.selected));
  here.agent.tools = [registeredTool('n:new')];
  here.toolsChanged();
  await nextUpdate();
  expect(seen).toEqual([['n:new']]);
});
