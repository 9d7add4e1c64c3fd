import { expect, test } from 'vitest';
import type { RecordedStep } from '../../runtime/spec/recording.ts';
import { hello, partsOf } from './wire/endpoint.fixture.ts';
import { replayOf, type ReplayDeps } from './replay-answer.ts';

const step: RecordedStep = {
  parts: [
    { type: 'reasoning', text: 'Two words.' },
    { type: 'text', text: 'I will  look 🌧.' },
    { type: 'call', tool: 'rain:table', arguments: '{"n": 3.0}' },
  ],
};

function deps(more: Partial<ReplayDeps> = {}): ReplayDeps & { waits: number[] } {
  let n = 0;
  const waits: number[] = [];
  return {
    waits,
    newId: () => `id${(n += 1)}`,
    wait: (_signal, ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...more,
  };
}

test('an answer is played in order, in pieces, with new ids for its calls', async () => {
  const used = deps();
  const ask = replayOf(step, used);
  const usage = { input: null, cached: null, output: null, reasoning: null };
  expect(await partsOf(ask)).toEqual([
    { type: 'reasoning', id: 'id1', delta: 'Two' },
    { type: 'reasoning', id: 'id1', delta: ' words.' },
    { type: 'part-ended', id: 'id1' },
    { type: 'text', id: 'id2', delta: 'I' },
    { type: 'text', id: 'id2', delta: ' will' },
    { type: 'text', id: 'id2', delta: '  look' },
    { type: 'text', id: 'id2', delta: ' 🌧.' },
    { type: 'part-ended', id: 'id2' },
    { type: 'call-delta', id: 'id3', wire: 'rain:table', delta: '{"n":' },
    { type: 'call-delta', id: 'id3', wire: 'rain:table', delta: ' 3.0}' },
    { type: 'call', id: 'id3', wire: 'rain:table', arguments: '{"n": 3.0}' },
    { type: 'ended', finish: 'calls', usage },
  ]);
  expect(await partsOf(ask)).toHaveLength(12);
  const last = replayOf({ parts: [{ type: 'text', text: 'Done.' }] }, deps());
  expect((await partsOf(last)).at(-1)).toEqual({ type: 'ended', finish: 'stop', usage });
});

test('a long text is played completely within a limited time', async () => {
  const used = deps();
  const text = `${'word '.repeat(5000)}${'x'.repeat(100)}\n\n`;
  const parts = await partsOf(replayOf({ parts: [{ type: 'text', text }] }, used));
  expect(parts.map((part) => (part.type === 'text' ? part.delta : '')).join('')).toBe(text);
  expect(used.waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(3001);
});

test('an abort stops playing', async () => {
  const reason = new Error('stopped');
  const used = deps({ wait: () => Promise.reject(reason) });
  await expect(partsOf(replayOf(step, used))).rejects.toBe(reason);
  const { signal } = new AbortController();
  await expect(partsOf(replayOf(step, deps()), hello, AbortSignal.abort(reason))).rejects.toBe(
    reason,
  );
  expect(signal.aborted).toBe(false);
});
