/** Playing a recording message by message. */

import { expect, test, vi } from 'vitest';
import type { Recording } from '../../runtime/spec/recording.ts';
import { asks, FakeAgent, says, success } from './agent.fixture.ts';
import { playRecording } from './playback.ts';

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
