/** Recordings: validation, making them from sessions, and playing positions. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recording as isRecording } from 'virtual:cloche/page-validators';
import { failure } from '../../../runtime/call/results.ts';
import type { AskedCall } from '../../../runtime/spec/model.ts';
import {
  maxRecordingChars,
  readRecording,
  type Recording,
} from '../../../runtime/spec/recording.ts';
import { recordingOf } from './recorded-session.ts';
import { recordingFile, recordingIn } from './recording-files.ts';
import { nextAnswer, findRecordedCalls } from './playback-position.ts';
import type { Entry, SessionCall, SessionState } from '../session-state.ts';

const recording: Recording = {
  format: 'cloche-recording',
  version: 1,
  title: 'A talk',
  scripted: false,
  tools: ['m:f'],
  turns: [
    {
      message: [{ type: 'text', text: 'Go' }],
      steps: [
        {
          parts: [
            { type: 'text', text: 'I go.' },
            {
              type: 'call',
              tool: 'm:f',
              arguments: '{"n": 1.0}',
              result: { resultType: 'success', text: '1' },
            },
          ],
        },
        { parts: [{ type: 'text', text: 'Gone.' }] },
      ],
    },
    { message: [{ type: 'text', text: 'Thanks' }], steps: [] },
  ],
};

const asked: AskedCall = {
  type: 'call',
  id: 'c1',
  askedId: 'a1',
  wire: 'm__f',
  tool: 'm:f',
  arguments: '{"n": 1.0}',
};
const usage = { input: null, cached: null, output: null, reasoning: null };
const step = {
  kind: 'step',
  at: 0,
  turnId: 't1',
  model: { provider: 'replay', model: 'A talk' },
  finish: 'stop',
  usage,
  cost: null,
  ms: 1,
  fault: null,
} as const;

/** A session from which `recording` can be made, or one that plays it. */
function state(): SessionState {
  const all: Entry[] = [
    message(1, 'Go'),
    { ...step, n: 2, stepId: 's1', parts: [{ type: 'text', text: 'I go.' }, asked] },
    { ...step, n: 3, stepId: 's2', parts: [{ type: 'text', text: 'Gone.' }] },
    message(4, 'Thanks'),
  ];
  const call: SessionCall = {
    asked,
    turnId: 't1',
    phase: 'ended',
    approval: null,
    arguments: '{"n": 1.0}',
    result: { ...failure('', '1'), resultType: 'success' },
  };
  return {
    head: { title: 'A talk' },
    entries: all,
    calls: new Map([['c1', call]]),
    selection: { tools: [{ name: 'm:f' }], names: [] },
  } as unknown as SessionState;
}

function message(n: number, text: string): Entry {
  const parts = [{ type: 'text', text }] as const;
  return { kind: 'message', n, at: 0, id: `m${n}`, turnId: 't1', parts, steering: false };
}

test('a session becomes a recording, and its file is read back', () => {
  expect(recordingOf(state())).toEqual(recording);
  expect(readRecording(JSON.stringify(recording), isRecording)).toEqual(recording);
});

test('a failed answer is replaced by the next attempt', () => {
  const failed: Entry = {
    ...step,
    n: 2,
    stepId: 's0',
    finish: 'cut',
    fault: { fault: 'overloaded', message: 'busy' },
    parts: [{ type: 'text', text: 'I' }],
  };
  const whole = state();
  const [first, ...rest] = whole.entries;
  const entries = [first, failed, ...rest] as Entry[];
  expect(recordingOf({ ...whole, entries })).toEqual(recording);
  expect([...findRecordedCalls(recording, { ...whole, entries }).keys()]).toEqual(['c1']);
});

test('an answer is played again if the page was closed before its calls were made', () => {
  const whole = state();
  const [go, first] = whole.entries as [Entry, Entry];
  const end = { kind: 'turn-ended', n: 3, at: 0, end: 'lost', fault: null } as const;
  const next = (error: string, ...entries: Entry[]) => {
    const call = { ...whole.calls.get('c1'), result: failure(error, '') } as SessionCall;
    return nextAnswer(recording, { ...whole, entries, calls: new Map([['c1', call]]) });
  };
  const steps = recording.turns[0]?.steps;
  expect(next('cancelled', go, first, end)).toBe(steps?.[0]);
  expect(next('cancelled', go, first, end, first)).toBe(steps?.[1]);
  // A call that has begun may have done something.
  expect(next('crashed', go, first, end)).toBe(steps?.[1]);
  expect(next('cancelled', go, first, { ...end, end: 'stopped' })).toBe(steps?.[1]);
});

test('a live call is paired with its recorded call', () => {
  expect(findRecordedCalls(recording, state())).toEqual(
    new Map([['c1', recording.turns[0]?.steps[0]?.parts[1]]]),
  );
});

test.each([
  ['no JSON', '{', 'it is damaged or incomplete'],
  ['of another format', '{"format": "x"}', '"format"'],
  ['of a later version', JSON.stringify({ ...recording, version: 2 }), 'version 2'],
  ['of another form', JSON.stringify({ ...recording, turns: [] }), 'the form'],
  ['with a member too many', JSON.stringify({ ...recording, key: 'secret' }), 'the form'],
  ['nested too deeply', `${'['.repeat(40)}${']'.repeat(40)}`, 'nested'],
  ['an array', '[]', '"format"'],
])('a file that is %s is refused', (_, text, why) => {
  expect(() => readRecording(text, isRecording)).toThrow(why);
});

test('a file that is too large for a session is refused with its size', async () => {
  const kept = (chars: number): Recording => ({
    ...recording,
    turns: [{ message: [{ type: 'text', text: 'x'.repeat(chars) }], steps: [] }],
  });
  // In the stored recording, each quote takes two characters.
  const max = maxRecordingChars - JSON.stringify(JSON.stringify(kept(0))).length;
  expect(readRecording(JSON.stringify(kept(max), null, 2), isRecording).turns).toHaveLength(1);
  const long = kept(max + 1);
  const text = JSON.stringify(long);
  expect(() => readRecording(text, isRecording)).toThrow(
    'it has 8000001 characters, and a session can hold 8000000',
  );
  expect((await recordingFile(long)).problem).toMatch(
    /^This recording is too large to play: it has 8000001 /,
  );
  expect((await recordingFile(kept(max))).problem).toBeNull();
});

test('a file is written and read in slices', async () => {
  const turn = (n: number): Recording['turns'][number] => ({
    message: [{ type: 'text', text: `"${String(n)}"\n` }],
    steps: [{ parts: [{ type: 'text', text: 'x'.repeat(1_000) }] }, { parts: [] }],
  });
  const long = { ...recording, turns: Array.from({ length: 2_000 }, (_, n) => turn(n)) };
  for (const one of [recording, long]) {
    const { file } = await recordingFile(one);
    expect(JSON.parse(await file.text())).toEqual(one);
  }
  const ordinary = { ...recording, turns: [turn(1)] };
  const { file } = await recordingFile(ordinary);
  expect(await recordingIn(file, isRecording)).toEqual(ordinary);
  // Parsing these at once would block the page.
  const many = new Blob([`{"x": [${'[],'.repeat(300_000)}[]]}`]);
  await expect(recordingIn(many, isRecording)).rejects.toThrow('more than 200,000 values');
  await expect(recordingIn(new Blob(['{"x": [']), isRecording)).rejects.toThrow('damaged');
  const large = new Blob([' '.repeat(16_000_001)]);
  await expect(recordingIn(large, isRecording)).rejects.toThrow('it has 16000001 characters');
});

test('the sample recordings are valid and labelled as scripted', () => {
  const folder = new URL('../../../../tools-samples/recordings/', import.meta.url);
  const files = readdirSync(folder);
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const read = readRecording(readFileSync(new URL(file, folder), 'utf8'), isRecording);
    expect(read).toMatchObject({
      scripted: true,
      title: expect.stringMatching(/^Scripted example: /) as string,
    });
    const called = read.turns
      .flatMap(({ steps }) => steps)
      .flatMap(({ parts }) => parts.filter(({ type }) => type === 'call'));
    expect(read.tools).toEqual(
      expect.arrayContaining(called.map((part) => ('tool' in part ? part.tool : ''))),
    );
  }
});
