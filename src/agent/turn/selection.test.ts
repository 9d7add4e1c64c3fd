/** The tools that a session begins with. */

import { expect, test } from 'vitest';
import { FakeAgent, registeredTool, send } from './agent.fixture.ts';

const [f, g, h] = ['m:f', 'm:g', 'm:h'].map((name) => registeredTool(name));

function begin(...tools: (typeof f)[]) {
  const agent = new FakeAgent();
  const brings = (...next: (typeof f)[]): void => {
    agent.tools = next.filter((tool) => tool !== undefined);
  };
  brings(...tools);
  return { agent, brings, talk: agent.begin() };
}

test('all tools are selected, including later ones, and then locked', async () => {
  const { brings, talk } = begin();
  expect(talk.selected).toEqual([]);
  brings(f);
  expect(talk.selected).toEqual(['m:f']);
  brings(f, g);
  expect(talk.selected).toEqual(['m:f', 'm:g']);
  await send(talk, 'Hello');
  expect(talk.state.selection?.tools.map(({ name }) => name)).toEqual(['m:f', 'm:g']);
  expect(() => {
    talk.select(['m:f']);
  }).toThrow('The tools of a session are locked after its first message.');
  await send(talk, 'Again');
  expect(talk.selected).toEqual(['m:f', 'm:g']);
});

test('a tool that its server has for apps alone is not selected, even by name', () => {
  const ofServer = (name: string, offeredTo: ('model' | 'app')[]) => ({
    ...registeredTool(name),
    offeredTo,
  });
  const { talk } = begin(f, ofServer('s:app', ['app']), ofServer('s:model', ['model']));
  expect(talk.selected).toEqual(['m:f', 's:model']);
  talk.select(['m:f', 's:app']);
  expect(talk.selected).toEqual(['m:f']);
});

test('a session without a folder uses tools of servers, whatever folder is open', async () => {
  const agent = new FakeAgent();
  agent.folderKey = '';
  const ofServer = { ...registeredTool('s:echo'), server: { id: 's', url: 'http://a.example/' } };
  agent.tools = [ofServer];
  const talk = agent.begin(undefined, { folder: '', folderId: '' });
  await send(talk, 'Hello');
  agent.folderKey = 'f';
  expect(talk.selection.tool('s:echo')).toBe(ofServer);
  expect(agent.rights?.isSelected('s:echo')).toBe(true);
  // A file of the folder that takes the name is another tool.
  agent.tools = [registeredTool('s:echo')];
  expect(talk.selection.tool('s:echo')).toBeUndefined();
  expect(agent.rights?.isSelected('s:echo')).toBe(false);
});

test('a manual choice survives a rescan, and other tools follow the folder', () => {
  const { brings, talk } = begin(f, g);
  talk.select(['m:g']);
  brings();
  expect(talk.selected).toEqual([]);
  brings(f, g, h);
  expect(talk.selected).toEqual(['m:g', 'm:h']);
});

test('choosing none or all also decides about later tools', () => {
  const { brings, talk } = begin(f);
  talk.select([]);
  brings(f, g);
  expect(talk.selected).toEqual([]);
  talk.select(['m:g']);
  brings(f, g, h);
  expect(talk.selected).toEqual(['m:g']);
  talk.select(['m:f', 'm:g', 'm:h']);
  brings(f, g, h, registeredTool('n:i'));
  expect(talk.selected).toEqual(['m:f', 'm:g', 'm:h', 'n:i']);
});

test('all tools of another folder are selected, whatever was chosen before', () => {
  const { agent, talk } = begin(f, g);
  talk.select(['m:g']);
  agent.folderKey = 'other';
  expect(talk.selected).toEqual(['m:f', 'm:g']);
});

test('a fixed choice gains no later tools', () => {
  const { agent, brings, talk } = begin();
  talk.select(['m:f'], { noOthers: true });
  agent.folderKey = 'other';
  brings(f, g);
  expect(talk.selected).toEqual(['m:f']);
});

test('a new session leaves out what the user did not select last, until the user chooses', async () => {
  const agent = new FakeAgent();
  agent.unselected = new Set(['m:f', 'gone:f']);
  const talk = agent.begin();
  expect(talk.selected).toEqual(['m:g']);
  // Tools that the folder adds later are selected.
  agent.tools = [...agent.tools, registeredTool('m:h')];
  expect(talk.selected).toEqual(['m:g', 'm:h']);
  talk.select(['m:f']);
  expect(talk.selected).toEqual(['m:f']);
  const other = agent.begin();
  await send(other, 'Go');
  expect(other.state.selection?.tools.map(({ name }) => name)).toEqual(['m:g', 'm:h']);
});
