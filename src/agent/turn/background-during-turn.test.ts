/** Background prompts during a turn. */

import { expect, test } from 'vitest';
import type { ModelRequest } from '../../runtime/spec/model.ts';
import { answers, asks, FakeAgent, registeredTool, says, send, success } from './agent.fixture.ts';

test('a background prompt during a turn sees a running call, and its result once it has ended', async () => {
  const agent = new FakeAgent();
  agent.tools = [registeredTool('m:f'), registeredTool('m:g', { background_safe: true })];
  const talk = agent.begin();
  const beside: ModelRequest['messages'][] = [];
  const besideAnswers: unknown[] = [];
  const askBeside = async (): Promise<void> => {
    agent.script.unshift(says('I see.'));
    talk.background.start('Is it done?');
    await talk.background.settled();
    beside.push(agent.requests.at(-1)?.messages ?? []);
    besideAnswers.push(answers(agent));
  };
  agent.onCall = async () => {
    await askBeside();
    return success('42');
  };
  agent.script = [asks(['m__f', '{}']), says('Done.')];
  await send(talk, 'Go');
  await askBeside();
  expect(besideAnswers).toMatchObject([
    [
      {
        isError: false,
        parts: [{ text: expect.stringMatching(/^This call is still running/) as string }],
      },
    ],
    [{ isError: false, parts: [{ text: '42' }] }],
  ]);
  expect(beside[0]?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

test('a background prompt finds the tools beyond the providers’ limit by search', async () => {
  const agent = new FakeAgent();
  agent.tools = Array.from({ length: 200 }, (_, n) =>
    registeredTool(`m:f${n}`, { background_safe: n % 40 !== 1 }),
  );
  const talk = agent.begin();
  await send(talk, 'Hello');
  agent.requests.length = 0;
  agent.script = [
    asks(['tool_search', '{"query": "m__f150"}']),
    asks(['m__f150', '{}']),
    says('Found.'),
  ];
  talk.background.start('Look it up');
  await talk.background.settled();
  const names = agent.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(names.map((reported) => reported.length)).toEqual([127, 127, 127]);
  expect(names.map((reported) => reported.includes('m__f150'))).toEqual([false, true, true]);
  expect(names.flat()).not.toContain('m__f41');
  expect(agent.requests[0]?.system).toContain('- m__f150: ');
  expect(agent.calls).toMatchObject([{ tool: 'm:f150' }]);
});
