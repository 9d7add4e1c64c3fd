/** Faults that must not end a session or lose messages. */

import { expect, test } from 'vitest';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { UserPart } from '../../runtime/spec/model.ts';
import { answerText, asks, FakeAgent, says, send, success, usage } from './agent.fixture.ts';
import { maxAnswerChars } from './tool-answer.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const tooLong = new ModelError('context', 'Too long.');

test('an interruption whose message was removed ends no later call', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const aborted: boolean[] = [];
  agent.onCall = (signal) => {
    if (aborted.length === 0) {
      talk.send([{ type: 'text', text: 'Stop that' }]);
      talk.interrupt();
      talk.unsend(talk.live.queue[0]?.id ?? '');
    }
    aborted.push(signal.aborted);
    return Promise.resolve(success('1'));
  };
  agent.script = [asks(['m__f', '{}']), asks(['m__f', '{}'])];
  await send(talk, 'Go');
  await send(talk, 'Go on');
  expect(aborted).toEqual([true, false]);
});

test('a message that is sent after Stop begins the next turn', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => {
    talk.stop();
    talk.send([{ type: 'text', text: 'Something else' }]);
    return Promise.resolve(success('1'));
  };
  agent.script = [asks(['m__f', '{}']), says('Gladly.')];
  await send(talk, 'Go');
  await talk.settled();
  const last = talk.state.entries.at(-1);
  expect(last?.kind === 'step' && last.parts).toMatchObject([{ text: 'Gladly.' }]);
  expect(talk.live.queue).toEqual([]);
});

test('results are shortened for a model without room for them', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => Promise.resolve(success('x'.repeat(maxAnswerChars)));
  agent.script = [asks(['m__f', '{}']), tooLong, tooLong, says('I see.')];
  await send(talk, 'Go');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
  expect(answerText(agent).length).toBeLessThanOrEqual(800);
  expect(answerText(agent)).toContain('read_result');
  expect(agent.requests.at(-1)?.tools.map(({ name }) => name)).toContain('read_result');
});

test('a summary request that is too long is tried again with less text', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => Promise.resolve(success('x'.repeat(maxAnswerChars)));
  agent.script = [asks(['m__f', '{}']), says('One.')];
  await send(talk, 'First');
  agent.script = [says('Two.')];
  await send(talk, 'Second');
  agent.script = [tooLong, says('In short.')];
  expect(await talk.compact()).toBe('done');
  const [long, short] = agent.requests.slice(-2).map((request) => JSON.stringify(request).length);
  expect(short).toBeLessThan((long ?? 0) / 2);
});

test('the model sees the arguments that its call ran with', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = (_, { id }) => {
    talk.answered(id, 'm:f', { approval: 'once', reason: '', arguments: '{"path": "one.txt"}' });
    return Promise.resolve(success('ok'));
  };
  agent.script = [asks(['m__f', '{"path": "all"}'])];
  await send(talk, 'Go');
  expect(answerText(agent)).toContain('The call ran with: {"path": "one.txt"}');
});

test('queued messages stay queued when another tab takes over', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const other = new FakeAgent(agent.browser, 1);
  agent.onCall = async (signal) => {
    talk.stop();
    talk.send([{ type: 'text', text: 'It waits.' }]);
    const heir = await other.open(talk.id);
    await heir.takeOver();
    expect([signal.aborted, talk.writes]).toEqual([true, false]);
    let parts = 0;
    const streams = new Promise<void>((resolve) => {
      talk.observe(() => {
        if (talk.live.phase === 'streaming') resolve();
      });
    });
    // A step that streams in the other tab is visible in this one before it ends.
    other.onPart = () => ((parts += 1) === 1 ? Promise.resolve() : streams);
    heir.send([{ type: 'text', text: 'Mine' }]);
    await streams;
    expect(talk.live.queue).toHaveLength(1);
    await heir.settled();
    return success('1');
  };
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect([talk.live.queue.length, agent.reported]).toEqual([1, []]);
});

test('half a surrogate pair in a result does not break the session', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.onCall = () => Promise.resolve(success(`\ud83d${'😀'.repeat(maxAnswerChars)}`));
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect(answerText(agent).isWellFormed()).toBe(true);
});

test('an endless answer is cut off, and the session can be opened again', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [says('x'.repeat(1_100_000))];
  await send(talk, 'Go');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'turn-ended', end: 'failed' });
  agent.script = [says('Short.')];
  await send(talk, 'Once more');
  expect(talk.state.entries.at(-1)).toMatchObject({ kind: 'step', finish: 'stop' });
});

test('arguments in a code fence are parsed, however many line breaks follow', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  const started = threadMs();
  agent.onCall = () => Promise.resolve(success('1'));
  const fenced = '```json\n{"n": 1}\n```';
  agent.script = [asks(['m__f', fenced], ['m__f', `\`\`\`${'\n'.repeat(400_000)}`])];
  await send(talk, 'Go');
  expect(agent.calls).toMatchObject([{ arguments: '{"n": 1}' }]);
  expect(threadMs() - started).toBeLessThan(2_000);
});

test('the tools of another open folder are not those of the session', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'Hello');
  agent.folderKey = 'another';
  agent.script = [asks(['m__f', '{}'])];
  await send(talk, 'Go');
  expect(agent.calls).toEqual([]);
  expect(answerText(agent)).toContain('the tools folder tools is not open');
  expect(agent.rights?.isSelected('m:f')).toBe(false);
});

test('an answer that a filter blocked is reported as such, and not retried', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [[{ type: 'ended', finish: 'filtered', usage }], says('No.')];
  await send(talk, 'Go');
  expect(talk.state.entries.slice(-2)).toMatchObject([
    { kind: 'step', parts: [], finish: 'filtered', usage, fault: null },
    { kind: 'turn-ended', fault: { message: 'The provider’s content filter ended the answer.' } },
  ]);
  expect(agent.requests).toHaveLength(1);
});

test('an empty answer is retried once, and its usage counts', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [[{ type: 'ended', finish: 'stop', usage }], says('Here.')];
  await send(talk, 'Go');
  expect(talk.state.entries.slice(-2)).toMatchObject([
    {
      kind: 'step',
      finish: 'cut',
      usage,
      fault: { message: 'The model returned an empty answer.' },
    },
    { kind: 'step', finish: 'stop', usage },
  ]);
});

test('an answer that ended for an unknown reason is stored, and the turn says so', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.script = [
    [
      { type: 'text', id: '1', delta: 'Half of' },
      { type: 'ended', finish: 'other', usage },
    ],
  ];
  await send(talk, 'Go');
  expect(talk.state.entries.slice(-2)).toMatchObject([
    { kind: 'step', parts: [{ type: 'text', text: 'Half of' }], finish: 'other', fault: null },
    {
      kind: 'turn-ended',
      end: 'failed',
      fault: {
        message: 'The answer ended for an unknown reason and may be incomplete.',
      },
    },
  ]);
});

test('a following tab accepts no message; one that finds out late keeps the message in its queue', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'Hello');
  const other = await new FakeAgent(agent.browser, 1).open(talk.id);
  expect(() => {
    other.send([{ type: 'text', text: 'From the other page' }]);
  }).toThrow('This session is in use in another tab.');
  talk.send([{ type: 'text', text: 'Lost?' }]);
  const [log] = agent.logs;
  const taken = other.takeOver();
  await talk.settled();
  await taken;
  const said = [talk, other].map(({ state, live }) => [
    state.entries.some((entry) => entry.kind === 'message' && text(entry.parts) === 'Lost?'),
    live.queue.map(({ parts }) => text(parts)),
  ]);
  expect([said, log?.writes]).toEqual([
    [
      [false, ['Lost?']],
      [false, []],
    ],
    false,
  ]);
});

function text(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

test.each([0, 1, 2, 3, 4])(
  'what is sent %i microtasks before another page takes over is in the log, or waits',
  async (gap) => {
    const agent = new FakeAgent();
    const talk = agent.begin();
    await send(talk, 'Hello');
    const other = await new FakeAgent(agent.browser, 1).open(talk.id);
    const taken = other.takeOver();
    for (let n = 0; n < gap; n += 1) await Promise.resolve();
    let refused = false;
    try {
      talk.send([{ type: 'text', text: 'Lost?' }]);
    } catch {
      refused = true;
    }
    await talk.settled();
    await taken;
    const isSaid = other.state.entries.some(
      (entry) => entry.kind === 'message' && text(entry.parts) === 'Lost?',
    );
    const waits = talk.live.queue.map(({ parts }) => text(parts));
    expect([refused, isSaid, waits]).toEqual(
      refused ? [true, false, []] : isSaid ? [false, true, []] : [false, false, ['Lost?']],
    );
  },
);

test('a call that awaited approval when its tab closed did not run, and lost no Python state', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  agent.startsCalls = false;
  const waits = new Promise<void>((resolve) => {
    agent.onCall = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  agent.script = [asks(['m__f', '{}'])];
  talk.send([{ type: 'text', text: 'Go' }]);
  await waits;
  // An answer is stored within 50 ms.
  await new Promise((resolve) => setTimeout(resolve, 150));
  const later = new FakeAgent(agent.browser.afterCrash(), 1);
  talk.dispose();
  const again = await later.open(talk.id);
  await send(again, 'Go on');
  expect(answerText(later)).toBe('The page was closed or reloaded before m:f was called.');
  expect(again.state.entries.map(({ kind }) => kind)).not.toContain('python-anew');
});
