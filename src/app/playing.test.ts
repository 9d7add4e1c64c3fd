/** Sessions that play recordings: each answer in its place, whatever happened in the recorded session. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { recording as isRecording } from 'virtual:cloche/page-validators';
import { failure } from '../runtime/call/results.ts';
import { nextMove, findRecordedCalls } from '../agent/session/recording/playback-position.ts';
import { readRecording, type Recording } from '../runtime/spec/recording.ts';
import { ModelError } from '../runtime/spec/model-error.ts';
import { model, registeredTool, says, send, success } from '../agent/turn/agent.fixture.ts';
import { called, PlayingPage, recordingWith, said, transcript, turn } from './playing.fixture.ts';
import { replayOf } from '../agent/providers/replay-answer.ts';
import { findRecordedAnswer } from '../agent/turn/playback.ts';

const usual = recordingWith(
  turn('Go', called('{"n": 1.0}'), said('It went.')),
  turn('And then?', called('{}'), called('{"n": 2}'), said('Then two.')),
  turn('Thanks', said('You are welcome.')),
);
const ended = { kind: 'turn-ended', end: 'failed', fault: { fault: 'model' } };

/** Returns the recorded results of a session's calls, by their arguments. */
function recordedTexts(recording: Recording, { state }: Parameters<typeof transcriptOf>[0]) {
  const calls = findRecordedCalls(recording, state);
  return [...state.calls].map(([id, { asked }]) => [asked.arguments, calls.get(id)?.result?.text]);
}

function transcriptOf({ state }: { readonly state: Parameters<typeof nextMove>[1] }) {
  return transcript(state);
}

test('a recording plays from its first message to its last answer, and every call gets its own result', async () => {
  const page = new PlayingPage(replayOf);
  const talk = await page.play(usual);
  expect(transcriptOf(talk)).toEqual(transcript(usual));
  expect(recordedTexts(usual, talk)).toEqual([
    ['{"n": 1.0}', '{"n": 1.0}'],
    ['{}', '{}'],
    ['{"n": 2}', '{"n": 2}'],
  ]);
  expect([nextMove(usual, talk.state), page.agent.requests]).toEqual([null, []]);
});

test.each(readdirSync(new URL('../../tools-samples/recordings/', import.meta.url)))(
  'the sample recording %s plays completely',
  async (file) => {
    const path = new URL(`../../tools-samples/recordings/${file}`, import.meta.url);
    const recording = readRecording(readFileSync(path, 'utf8'), isRecording);
    const page = new PlayingPage(replayOf);
    page.agent.tools = recording.tools.map((name) => registeredTool(name));
    const talk = await page.play(recording);
    expect(transcriptOf(talk)).toEqual(transcript(recording));
  },
);

test('a message that steered a turn steers it again, once its calls have ended', async () => {
  const steered = recordingWith(
    turn('Go', called('{"n": 1}', '{"n": 2}')),
    turn('No, wait'),
    turn('Rather this', said('As you wish.')),
    turn('Thanks', said('Gladly.')),
  );
  const page = new PlayingPage(replayOf);
  const aborted: boolean[] = [];
  page.agent.onCall = async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    aborted.push(signal.aborted);
    return success('yes');
  };
  const talk = await page.play(steered);
  expect(transcriptOf(talk)).toEqual(transcript(steered));
  expect(aborted).toEqual([false, false]);
  expect(talk.state.entries).toMatchObject([
    { kind: 'message', steering: false },
    { kind: 'step' },
    { kind: 'message', steering: true },
    { kind: 'message', steering: true },
    { kind: 'step' },
    { kind: 'message', steering: false },
    { kind: 'step' },
  ]);
});

test('all of several answers to one message are played, also without calls', async () => {
  const several = recordingWith(
    turn('Go', said('One.'), said('Two.')),
    turn('Thanks', said('Bye.')),
  );
  const talk = await new PlayingPage(replayOf).play(several);
  expect(talk.state.entries.map(({ kind }) => kind)).toEqual([
    'message',
    'step',
    'step',
    'message',
    'step',
  ]);
});

test('the empty parts of an answer are skipped', async () => {
  const empty = recordingWith(
    turn('Go', { parts: [] }, said(''), called('{}'), { parts: [] }, said('Well.')),
  );
  const talk = await new PlayingPage(replayOf).play(empty);
  expect(transcriptOf(talk)).toEqual([['Go', 'm:f {}', 'Well.']]);
});

test('a message without an answer is sent with the next one; after the last, the recording has ended', async () => {
  const short = recordingWith(turn('Go'), turn('Go, please', called('{}')));
  const talk = await new PlayingPage(replayOf).play(short);
  expect(transcriptOf(talk)).toEqual(transcript(short));
  expect(talk.state.entries.at(-1)).toMatchObject(ended);
  expect(nextMove(short, talk.state)).toBe(null);
});

test('if a recording ends after a failed call, the message names the call and its error', async () => {
  const short = recordingWith(turn('Go', called('{}')));
  const page = new PlayingPage(replayOf);
  page.agent.onCall = () => Promise.resolve(failure('ToolError: No workspace is open.', ''));
  const talk = await page.play(short);
  expect(talk.state.entries.at(-1)).toMatchObject({
    ...ended,
    fault: {
      message:
        'The recording has ended. It has no answer to this failure of m:f: ToolError: No workspace is open.',
    },
  });
});

test.each([
  ['success', '1', failure('No', ''), ' It has no answer to this failure of m:f: No'],
  ['failure', 'No', failure('No', ''), ''],
  // The call succeeds in these rows, but makes a nested call that fails.
  ['success', '1', success('2'), ' It has no answer to this failure of m:g: Gone'],
  ['success', '2', success('2'), ''],
] as const)(
  'a recording that has ended names only calls that failed since: %s %s',
  async (resultType, text, result, named) => {
    const recorded = { resultType, text };
    const call = { type: 'call', tool: 'm:f', arguments: '{}', result: recorded } as const;
    const short = recordingWith(turn('Go', { parts: [call] }));
    const page = new PlayingPage(replayOf);
    page.agent.onCall = () => Promise.resolve(result);
    const { state } = await page.play(short);
    const nested = [
      { id: 'n', tool: 'm:g', at: 0, arguments: '{}', result: failure('Gone', '') },
    ] as const;
    const calls = new Map([...state.calls].map(([id, one]) => [id, { ...one, nested }]));
    expect(() => findRecordedAnswer(short, { ...state, calls }, 's')).toThrow(
      new ModelError('model', `The recording has ended.${named}`, 'Choose a model to continue.'),
    );
  },
);

test('calls of one answer are paired in the order in which they were requested', async () => {
  const parallel = recordingWith(
    turn('Go', called('{"n": 1}', '{"n": 2}', '{"n": 1}'), said('Well.')),
  );
  const page = new PlayingPage(replayOf);
  const waiting: (() => void)[] = [];
  page.agent.onCall = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve(success('yes')));
      if (waiting.length === 3) for (const end of waiting.reverse()) end();
    });
  const talk = await page.play(parallel);
  expect(recordedTexts(parallel, talk)).toEqual([
    ['{"n": 1}', '{"n": 1}'],
    ['{"n": 2}', '{"n": 2}'],
    ['{"n": 1}', '{"n": 1}'],
  ]);
});

test('an answer that fails while playing is played once more', async () => {
  const page = new PlayingPage(replayOf);
  const faults = [new ModelError('overloaded', 'busy'), new ModelError('cut', 'gone')];
  let pieces = 0;
  page.onPiece = () => {
    pieces += 1;
    const fault = pieces > 2 ? faults.shift() : undefined;
    return fault === undefined ? Promise.resolve() : Promise.reject(fault);
  };
  const talk = await page.play(usual);
  expect(talk.state.entries.filter((entry) => entry.kind === 'step' && entry.fault)).toHaveLength(
    2,
  );
  expect(transcriptOf(talk)).toEqual(transcript(usual));
  expect(recordedTexts(usual, talk)[0]).toEqual(['{"n": 1.0}', '{"n": 1.0}']);
});

test('stopped during an answer or a call, it continues to the end', async () => {
  const page = new PlayingPage(replayOf);
  let pieces = 0;
  page.onPiece = (signal) => {
    pieces += 1;
    if (pieces === 4 || pieces === 7) talk.stop();
    return signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve();
  };
  let calls = 0;
  page.agent.onCall = () => {
    calls += 1;
    if (calls === 2) talk.stop();
    return Promise.resolve(success('yes'));
  };
  const talk = page.liveSessions.play(usual);
  await page.over(talk);
  for (let n = 0; n < 3; n += 1) {
    expect(talk.state.entries.at(-1)).toMatchObject({ end: 'stopped' });
    expect(nextMove(usual, talk.state)).toEqual({ type: 'resume' });
    await page.playOn(talk);
  }
  const { entries } = talk.state;
  const whole = entries.filter((entry) => entry.kind === 'step' && entry.finish !== 'cut');
  expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(3);
  expect(
    transcript({
      ...talk.state,
      entries: entries.filter((one) => one.kind === 'message' || whole.includes(one)),
    }),
  ).toEqual(transcript(usual));
  expect(findRecordedCalls(usual, talk.state).size).toBe(3);
});

test('stopped when its turn has no answer left, it continues with the next message', async () => {
  const cut = recordingWith(turn('Go', called('{}')), turn('Thanks', said('Bye.')));
  const page = new PlayingPage(replayOf);
  page.agent.onCall = () => {
    talk.stop();
    return Promise.resolve(success('yes'));
  };
  const talk = page.liveSessions.play(cut);
  await page.over(talk);
  await page.playOn(talk);
  expect(transcriptOf(talk)).toEqual(transcript(cut));
});

test('a turn that is stopped while it continues is not started again', async () => {
  const page = new PlayingPage(replayOf);
  const talk = page.liveSessions.play(usual);
  page.agent.onCall = () => {
    talk.stop();
    return Promise.resolve(success('yes'));
  };
  await page.over(talk);
  const { length } = talk.state.entries;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(talk.state.entries).toHaveLength(length);
});

test('summaries and background prompts are refused while a session plays, and use up no answer', async () => {
  const page = new PlayingPage(replayOf);
  const talk = page.liveSessions.play(usual);
  const refused = 'A recording answers only its own messages.';
  await vi.waitFor(() => {
    expect(talk.state.head.messages).toBeGreaterThan(0);
  });
  talk.background.start('Look it up');
  await vi.waitFor(() => {
    expect(talk.background.ended).toMatchObject([{ ok: false, text: refused }]);
  });
  await page.over(talk);
  await expect(talk.compact()).rejects.toThrow(refused);
  expect(transcriptOf(talk)).toEqual(transcript(usual));
  talk.useModel(model);
  page.agent.script = [says('They went.'), says('Found.')];
  await talk.compact();
  expect(talk.state.compaction?.summary).toBe('They went.');
  expect(page.agent.reported).toEqual([]);
});

test('a summary made meanwhile does not break the order', async () => {
  const page = new PlayingPage(replayOf);
  page.agent.onCall = () => {
    page.liveSessions.stopPlaying(talk.id);
    return Promise.resolve(success('yes'));
  };
  const talk = page.liveSessions.play(usual);
  await page.over(talk);
  await talk.settled();
  await page.playOn(talk);
  await talk.settled();
  const plays = talk.state.head.model ?? model;
  talk.useModel(model);
  page.agent.script = [says('They went.')];
  await talk.compact();
  expect(talk.state.compaction).not.toBe(null);
  talk.useModel(plays);
  await page.playOn(talk);
  expect(transcriptOf(talk)).toEqual(transcript(usual));
});

test('another model may answer in between, and the recording continues where it was', async () => {
  const page = new PlayingPage(replayOf);
  page.agent.onCall = () => {
    talk.stop();
    return Promise.resolve(success('yes'));
  };
  const talk = page.liveSessions.play(usual);
  await page.over(talk);
  page.agent.onCall = () => Promise.resolve(success('yes'));
  const plays = talk.state.head.model ?? model;
  talk.useModel(model);
  page.agent.script = [says('Mine.'), says('Also mine.')];
  talk.resume();
  await talk.settled();
  page.liveSessions.playOn(talk.id);
  page.liveSessions.stopPlaying(talk.id);
  await talk.settled();
  talk.useModel(plays);
  await page.playOn(talk);
  expect(transcriptOf(talk)).toEqual([
    ['Go', 'm:f {"n": 1.0}', 'Mine.'],
    ['And then?', 'Also mine.'],
    ['Thanks', 'You are welcome.'],
  ]);
  expect(findRecordedCalls(usual, talk.state).size).toBe(1);
});

test('a model continues a session whose recording has ended', async () => {
  const page = new PlayingPage(replayOf);
  const talk = await page.play(usual);
  await send(talk, 'More');
  expect(talk.state.entries.at(-1)).toMatchObject(ended);
  talk.useModel(model);
  talk.resume();
  await talk.settled();
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop', fault: null });
});

test('a copy continues to the same end, wherever it was made', async () => {
  const page = new PlayingPage(replayOf);
  const talk = await page.play(usual);
  const { events } = talk.state.head;
  for (let n = 3; n < events; n += 1) {
    const fork = await page.liveSessions.fork(talk.id, n);
    await page.playOn(fork);
    expect(transcriptOf(fork)).toEqual(transcript(usual));
    expect(nextMove(usual, fork.state)).toBe(null);
  }
});

test.each(['m:F', 'F', 'f', 'm__f', 'm.f', 'functions.m:f', '`m:f`', 'm:f()', ' m:f'])(
  'a recording does not run a tool that it calls %j, of which its preview says that it fails',
  async (tool) => {
    const page = new PlayingPage(replayOf);
    const calls = [tool, 'm:f'].map((id) => ({ type: 'call', tool: id, arguments: '{}' }) as const);
    const talk = await page.play(recordingWith(turn('Go', { parts: calls })));
    expect(page.agent.calls.map((call) => call.tool)).toEqual(['m:f']);
    expect([...talk.state.calls.values()]).toMatchObject([
      { asked: { wire: tool, tool: '' }, result: { resultType: 'failure' } },
      { asked: { wire: 'm__f', tool: 'm:f' }, result: { resultType: 'success' } },
    ]);
  },
);
