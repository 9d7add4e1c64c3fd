/** Programs in sessions: when they are offered, what is logged of them, and how they end. */

import { expect, test, vi } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { newCall, type ToolCall } from '../../runtime/spec/call.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { ProgramOwner } from '../programs/nested-calls.ts';
import { closingFacts } from '../session/log/closing.ts';
import { sessionTrace } from '../session/trace/trace.ts';
import { asks, FakeAgent, registeredTool, says, send, success } from './agent.fixture.ts';

const code = '{"code": "await m.f()", "reuse_variables": true}';

/** A session with four tools. */
function begin(agent = new FakeAgent()) {
  agent.programs = true;
  agent.tools = ['m:f', 'm:g', 'm:h', 'm:i'].map((name) => registeredTool(name));
  return { agent, talk: agent.begin() };
}

function nestedCall(parent: string, id: string): ToolCall {
  return newCall('program', 'm:f', '{"n": 1}', { id, parent });
}

/** Makes one call as a program does. */
async function callOnce(
  owner: ProgramOwner,
  signal: AbortSignal,
  parent: string,
  id = 'n1',
): Promise<ToolResult> {
  const call = nestedCall(parent, id);
  owner.onBegan?.(call);
  const result = await owner.call(signal, call);
  owner.onEnded?.(call, result);
  return result;
}

function offered({ requests }: FakeAgent): readonly string[] {
  return requests.at(-1)?.tools.map(({ name }) => name) ?? [];
}

test('programs are offered from three tools on, unless the session or the folder has them off', async () => {
  for (const [tools, ofFolder, ofSession, expected] of [
    [['m:f', 'm:g', 'm:h'], true, null, true],
    [['m:f', 'm:g'], true, null, false],
    [['m:f', 'm:g', 'm:h'], false, null, false],
    [['m:f', 'm:g', 'm:h'], true, false, false],
    [['m:f', 'm:g', 'm:h'], false, true, true],
  ] as const) {
    const { agent, talk } = begin();
    agent.programs = ofFolder;
    talk.select(tools);
    if (ofSession !== null) talk.selection.usePrograms(ofSession);
    expect(talk.selection.programs).toBe(expected);
    agent.script = [says('One.')];
    await send(talk, 'Go');
    expect(offered(agent).includes('run_python')).toBe(expected);
    expect(talk.state.selection?.programs === true).toBe(expected);
    expect(() => talk.selection.usePrograms(true)).toThrow(/locked/);
  }
});

test('a sub-agent has programs only where that is chosen', async () => {
  const { agent } = begin();
  const task = { run: 'r', id: 't', output: null };
  for (const chosen of [false, true]) {
    const talk = agent.begin(task);
    if (chosen) talk.selection.usePrograms(true);
    agent.script = [asks(['finish', '{"result": 1}']), says('Done.')];
    await send(talk, 'Go');
    expect(offered(agent).includes('run_python')).toBe(chosen);
  }
});

test('a program is refused in a session that has none', async () => {
  const { agent, talk } = begin();
  talk.selection.usePrograms(false);
  agent.onProgram = vi.fn();
  agent.script = [asks(['run_python', code]), says('Sorry.')];
  await send(talk, 'Go');
  expect(agent.onProgram).not.toHaveBeenCalled();
  expect(agent.refused).toEqual([['run_python', 'LookupError: there is no tool run_python']]);
});

test('the calls of a program are in the log and in the state, below its own call', async () => {
  const { agent, talk } = begin();
  agent.onCall = (_, call) => Promise.resolve(success('x'.repeat(5_000) + call.arguments));
  agent.onProgram = async (signal, { call, code: text, keep }, owner) => {
    expect([text, keep, owner.key]).toEqual(['await m.f()', true, talk.id]);
    expect(owner.tools.map(({ name }) => name)).toEqual(['m:f', 'm:g', 'm:h', 'm:i']);
    await callOnce(owner, signal, call.id);
    return success('all');
  };
  agent.script = [asks(['run_python', code]), says('Done.')];
  await send(talk, 'Go');
  const [program] = [...talk.state.calls.values()];
  expect(program).toMatchObject({ phase: 'ended', result: { textResultForLlm: 'all' } });
  expect(program?.nested).toMatchObject([{ id: 'n1', tool: 'm:f', arguments: '{"n": 1}' }]);
  const [nested] = program?.nested ?? [];
  // The call log has the whole text.
  expect(nested?.result?.textResultForLlm).toMatch(/^x{2000} …$/);
  const types = agent.logs.at(-1)?.events.map(({ type }) => type) ?? [];
  expect(types.filter((type) => type.startsWith('nested') || type.startsWith('call'))).toEqual([
    'call-began',
    'nested-began',
    'nested-ended',
    'call-ended',
  ]);
  const [turn] = sessionTrace(agent.logs.at(-1)?.events ?? []);
  const calls = turn?.spans.filter(({ kind }) => kind === 'call') ?? [];
  expect(calls).toMatchObject([
    { name: 'run_python', parent: null },
    { name: 'm:f', parent: program?.asked.id, id: 'n1' },
  ]);
});

test('a program gets the variables of the one before it by either name of the argument, also in a stored session', async () => {
  const { agent, talk } = begin();
  const kept: boolean[] = [];
  agent.onProgram = (_, { keep }) => {
    kept.push(keep);
    return Promise.resolve(success('ran'));
  };
  const ways = [
    { keep: true },
    { keep: false },
    { reuse_variables: true },
    { reuse_variables: false, keep: true },
    { reuse_variables: true, keep: false },
    { reuse_variables: null, keep: true },
    {},
    { keep: 'yes' },
  ];
  agent.script = [
    asks(...ways.map((way) => ['run_python', JSON.stringify({ code: '1', ...way })] as const)),
    says('Done.'),
  ];
  await send(talk, 'Go');
  expect(kept).toEqual([true, false, true, false, true, true, false, false]);
  // The model sees its earlier calls, and copies one.
  await Promise.all(agent.logs.map((log) => log.close()));
  const later = new FakeAgent(agent.browser, 1);
  later.tools = agent.tools;
  later.onProgram = agent.onProgram;
  const again = await later.open(talk.id);
  later.script = [
    ({ messages }) => {
      expect(JSON.stringify(messages)).toContain('keep');
      return asks(['run_python', '{"code": "1", "keep": true}']);
    },
    says('Done.'),
  ];
  await send(again, 'Again');
  expect(kept.slice(ways.length)).toEqual([true]);
});

test('the arguments of a program’s calls are whole in the log, up to a limit for all of them', async () => {
  const { agent, talk } = begin();
  const args = JSON.stringify({ text: 'x'.repeat(200_000) });
  agent.onProgram = (_, { call }, owner) => {
    for (const id of ['n1', 'n2', 'n3']) {
      const nested = { ...nestedCall(call.id, id), arguments: args };
      owner.onBegan?.(nested);
      owner.onEnded?.(nested, success('1'));
    }
    return Promise.resolve(success('all'));
  };
  agent.script = [asks(['run_python', code]), says('Done.')];
  await send(talk, 'Go');
  const [program] = [...talk.state.calls.values()];
  const logged = program?.nested?.map((one) => one.arguments) ?? [];
  expect(logged.slice(0, 2)).toEqual([args, args]);
  expect(logged[2]).toMatch(/^\{"text":"x{1991} …$/);
});

test('a tool allowed for the session by the call of a program is allowed from then on', async () => {
  const { agent, talk } = begin();
  agent.onProgram = (_, { call }, owner) => {
    owner.onBegan?.(nestedCall(call.id, 'n1'));
    talk.answered('n1', 'm:f', { approval: 'session', reason: '' });
    owner.onEnded?.(nestedCall(call.id, 'n1'), success('1'));
    return Promise.resolve(success('all'));
  };
  agent.script = [asks(['run_python', code]), says('Done.')];
  await send(talk, 'Go');
  expect(talk.approvals.allowedTools).toEqual(['m:f']);
});

test('Stop reaches the program, and its calls have ended before the turn', async () => {
  const { agent, talk } = begin();
  agent.onCall = (signal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(failure('cancelled', 'Cancelled.')));
    });
  agent.onProgram = async (signal, { call }, owner) => {
    await callOnce(owner, signal, call.id);
    return failure('cancelled', 'The program was cancelled.');
  };
  agent.script = [asks(['run_python', code])];
  const sent = send(talk, 'Go');
  await vi.waitFor(() => expect(agent.calls).toHaveLength(1));
  talk.stop();
  await sent;
  const [program] = [...talk.state.calls.values()];
  expect(program?.nested?.map(({ result }) => result?.error)).toEqual(['cancelled']);
  expect(program?.result?.error).toBe('cancelled');
});

test('a page that is lost during a program leaves no call of it open', async () => {
  const { agent, talk } = begin();
  let lose: (result: ToolResult) => void = () => undefined;
  agent.onProgram = (_, { call }, owner) => {
    owner.onBegan?.(nestedCall(call.id, 'n1'));
    return new Promise((resolve) => (lose = resolve));
  };
  agent.script = [asks(['run_python', code])];
  const sent = send(talk, 'Go');
  await vi.waitFor(() => expect([...talk.state.calls.values()][0]?.nested).toHaveLength(1));
  const facts = closingFacts(talk.state, { why: 'lost', partsOf: () => [], newId: () => 'x' });
  expect(facts.map(({ type }) => type)).toEqual(['nested-ended', 'call-ended', 'turn-ended']);
  expect(facts[0]).toMatchObject({ callId: 'n1', result: { error: 'crashed' } });
  talk.stop();
  lose(failure('cancelled', ''));
  await sent;
});
