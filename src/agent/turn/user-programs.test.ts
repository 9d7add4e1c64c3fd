/** Programs of the user: which tools they can call, and how they are logged. */

import { expect, test } from 'vitest';
import type { ToolCall } from '../../runtime/spec/call.ts';
import type { ProgramOwner } from '../programs/nested-calls.ts';
import { FakeAgent, registeredTool, send, success } from './agent.fixture.ts';
import { agentPage } from './live-sessions.fixture.ts';
import { UserPrograms } from './user-programs.ts';

const { signal } = new AbortController();

function setup() {
  const agent = new FakeAgent();
  agent.tools = ['m:f', 'm:g', 'm:h'].map((name) => registeredTool(name));
  const { sessions, pageDeps } = agentPage(agent);
  const ran: { readonly call: ToolCall; readonly owner: ProgramOwner; readonly keep: boolean }[] =
    [];
  const { calls, builtIn, registry } = pageDeps;
  const programs = new UserPrograms({
    ...{ calls, builtIn, registry, sessions },
    programs: {
      run: (_, { call, keep }, owner) => {
        ran.push({ call, owner, keep });
        return Promise.resolve(success('ran'));
      },
    },
  });
  const run = async (session: string | null) => {
    const program = { code: 'await m.f()', keep: true, session };
    await programs.run(signal, programs.callOf(program), program);
    return ran.at(-1);
  };
  return { agent, sessions, programs, ran, run };
}

const names = (owner: ProgramOwner | undefined) => owner?.tools.map(({ name }) => name);

test('a program of the folder can call its tools, as a call of the user', async () => {
  const { run } = setup();
  const made = await run(null);
  expect(made?.call).toMatchObject({ caller: 'user', tool: 'run_python', sessionId: '' });
  expect(names(made?.owner)).toEqual(['m:f', 'm:g', 'm:h']);
});

test('a program of a session can call only its locked tools, in its Python', async () => {
  const { agent, sessions, programs, run } = setup();
  const talk = sessions.create();
  talk.useModel({ provider: 'mine', model: 'large' });
  talk.select(['m:f', 'm:g']);
  expect((await run(talk.id))?.call.sessionId).toBe('');
  await send(talk, 'Go');
  agent.tools = [...agent.tools, registeredTool('m:later')];
  const made = await run(talk.id);
  expect(made?.call).toMatchObject({ sessionId: talk.id, sessionKey: talk.id });
  expect(names(made?.owner)).toEqual(['m:f', 'm:g']);
  expect(programs.functions(talk.id).map(({ name }) => name)).toEqual(['m:f', 'm:g']);
  // Variables of the model's programs are others.
  expect(made?.owner.key).not.toBe(talk.id);
});
