/** Playing a recording message by message. */

import { expect, test, vi } from 'vitest';
import { newCall } from '../../runtime/spec/call.ts';
import { replayProvider, type Recording } from '../../runtime/spec/recording.ts';
import { calledToolName } from '../session/session-state.ts';
import { asks, FakeAgent, registeredTool, says, send, success } from './agent.fixture.ts';
import { agentPage } from './live-sessions.fixture.ts';
import type { LiveSession } from './live-session.ts';
import { playRecording } from './playback.ts';
import { RecordedAnswers } from './recorded-answers.ts';

const recording: Recording = {
  format: 'cloche-recording',
  version: 1,
  title: 'Example',
  scripted: true,
  tools: ['m:f'],
  turns: [
    {
      message: [{ type: 'text', text: 'Go' }],
      steps: [
        { parts: [{ type: 'call', tool: 'm:f', arguments: '{"n": 1.0}' }] },
        { parts: [{ type: 'text', text: 'It went.' }] },
      ],
    },
    {
      message: [{ type: 'text', text: 'Again' }],
      steps: [{ parts: [{ type: 'text', text: 'Done.' }] }],
    },
  ],
};
const never = new AbortController().signal;

/** A model that gives the recorded answer to any request. */
function playing(agent: FakeAgent): void {
  agent.script = [asks(['m__f', '{"n": 1.0}']), says('It went.'), says('Done.')];
}

test('each message is sent once the previous turn has ended', async () => {
  const agent = new FakeAgent();
  agent.onCall = () => Promise.resolve(success('live'));
  playing(agent);
  const talk = agent.begin();
  await playRecording(never, talk, recording);
  expect(agent.calls).toMatchObject([{ tool: 'm:f', arguments: '{"n": 1.0}' }]);
  const steps = talk.state.entries.flatMap((entry) => (entry.kind === 'step' ? [entry.parts] : []));
  expect(steps.map(([part]) => (part?.type === 'text' ? part.text : part?.type))).toEqual([
    'call',
    'It went.',
    'Done.',
  ]);
  expect(talk.state.entries.filter(({ kind }) => kind === 'message')).toHaveLength(2);
});

test('a stopped recording sends nothing more, and continues from there', async () => {
  const agent = new FakeAgent();
  playing(agent);
  const talk = agent.begin();
  agent.onCall = () => new Promise(() => undefined);
  const stop = new AbortController();
  const played = playRecording(stop.signal, talk, recording);
  await vi.waitFor(() => {
    expect(agent.calls).toHaveLength(1);
  });
  stop.abort();
  await played;
  expect(talk.state.entries.filter(({ kind }) => kind === 'message')).toHaveLength(1);
});

test('a session with a program is recorded, and playing it runs the program and each of its calls once', async () => {
  const agent = new FakeAgent();
  agent.programs = true;
  agent.tools = ['m:f', 'm:g', 'm:h'].map((name) => registeredTool(name));
  const ran: unknown[] = [];
  agent.onProgram = async (signal, { call, code: text, keep }, owner) => {
    ran.push([text, keep]);
    for (const tool of ['m:g', 'm:h']) {
      const nested = newCall('program', tool, '{"n": 1.0}', { parent: call.id });
      owner.onBegan?.(nested);
      owner.onEnded?.(nested, await owner.call(signal, nested));
    }
    return success('the sum');
  };
  let ids = 0;
  const recorded = new RecordedAnswers({
    newId: () => `r${(ids += 1)}`,
    wait: () => Promise.resolve(),
  });
  const scripted = agent.pageDeps().providers;
  const { sessions } = agentPage(agent, {
    recorded,
    providers: {
      ...scripted,
      ask: (ref) =>
        ref.provider === replayProvider ? recorded.answering(ref.model) : scripted.ask(ref),
    },
  });
  // Earlier versions had this name of the argument.
  const args = '{"code": "await m.g(n=1.0)", "keep": true}';
  agent.script = [asks(['run_python', args]), asks(['m__f', '{"n": 2}']), says('Done.')];
  const talk = sessions.create();
  await send(talk, 'Go');
  const live = agent.calls.splice(0).map(({ tool, caller }) => [tool, caller]);
  expect(live).toEqual([
    ['m:g', 'program'],
    ['m:h', 'program'],
    ['m:f', 'model'],
  ]);

  const { file } = await sessions.record(talk.id);
  const saved = await sessions.recordingIn(file);
  // The program makes its calls when it is played, so they are not recorded as calls of the model.
  const calls = saved.turns.flatMap(({ steps }) =>
    steps.flatMap(({ parts }) => parts.filter(({ type }) => type === 'call')),
  );
  expect(calls).toMatchObject([
    { tool: 'run_python', arguments: args, result: { text: 'the sum' } },
    { tool: 'm:f', arguments: '{"n": 2}' },
  ]);
  const played = sessions.play(saved);
  await vi.waitFor(() => expect(sessions.isPlaying(played.id)).toBe(false));
  const program = ['await m.g(n=1.0)', true];
  expect(ran).toEqual([program, program]);
  expect(agent.calls.map(({ tool, caller }) => [tool, caller])).toEqual(live);
  const nestedOf = ({ state }: LiveSession): unknown[] =>
    [...state.calls.values()].flatMap(({ asked, nested = [] }) =>
      nested.map(({ tool, arguments: given, result }) => [
        calledToolName(asked),
        tool,
        given,
        result?.textResultForLlm,
      ]),
    );
  expect(nestedOf(played)).toEqual([
    ['run_python', 'm:g', '{"n": 1.0}', '{"n": 1.0}'],
    ['run_python', 'm:h', '{"n": 1.0}', '{"n": 1.0}'],
  ]);
  expect(nestedOf(played)).toEqual(nestedOf(talk));
});
