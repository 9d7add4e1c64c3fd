/** Compactors of extensions: their threshold, what they replace, and what happens when they fail. */

import { expect, test } from 'vitest';
import { FakeAgent, model, says, send, usage } from './agent.fixture.ts';
import type { CompactionResult, Compactor } from './compactors.ts';

const none = { input: null, cached: null, output: null, reasoning: null };
const words = (text: string) =>
  ({ role: 'user', parts: [{ type: 'text', text }] }) as const satisfies object;

function compactor(
  compact: () => Promise<CompactionResult>,
  threshold = 0,
): Compactor & { readonly calls: number } {
  let calls = 0;
  return {
    name: 'short',
    threshold,
    from: 'short.py',
    get calls() {
      return calls;
    },
    compact: () => {
      calls += 1;
      return compact();
    },
  };
}

const fails = (): Promise<never> => Promise.reject(new Error('broken'));
const keeps = (text: string): Promise<CompactionResult> =>
  Promise.resolve({ summary: text, messages: [words(text)], usage: none });

test('the messages of the last compactor replace the older ones, also after a reload', async () => {
  const agent = new FakeAgent();
  agent.hooks.compactors.register(compactor(() => keeps('not this')));
  agent.hooks.compactors.register(compactor(() => keeps('KEPT')));
  const talk = agent.begin();
  await send(talk, 'One');
  await send(talk, 'Two');
  const asked = agent.requests.length;
  expect(await talk.compact()).toBe('done');
  expect(agent.requests).toHaveLength(asked);
  expect(talk.state.entries.at(-1)).toMatchObject({
    kind: 'compacted',
    summary: 'KEPT',
    from: 'short.py',
  });
  await send(talk, 'Three');
  const texts = JSON.stringify(agent.requests.at(-1)?.messages);
  expect(texts).toContain('KEPT');
  expect(texts).not.toContain('One');
  expect(texts).not.toContain('Summary of the conversation');
  expect(texts).toContain('Two');
});

test('a threshold in tokens compacts a model whose context is unknown', async () => {
  const agent = new FakeAgent();
  const short = compactor(() => keeps('KEPT'), 50);
  const end = agent.hooks.compactors.register(short);
  const talk = agent.begin();
  for (const text of ['One', 'Two', 'Three']) await send(talk, text);
  // Each answer counts 110 tokens, so the context is above the threshold from the second message on.
  expect(short.calls).toBeGreaterThan(0);
  expect(JSON.stringify(agent.requests.at(-1)?.messages)).toContain('KEPT');
  end();
  const calls = short.calls;
  await send(talk, 'Four');
  expect(short.calls).toBe(calls);
});

test('if a compactor fails, Cloche summarises; after three failures it is not called for a while', async () => {
  const agent = new FakeAgent();
  const broken = compactor(fails);
  agent.hooks.compactors.register(broken);
  const talk = agent.begin();
  await send(talk, 'One');
  for (let n = 0; n < 5; n += 1) {
    await send(talk, `More ${n}`);
    agent.script = [says(`Summary ${n}`)];
    expect(await talk.compact()).toBe('done');
    expect(talk.state.compaction?.summary).toBe(`Summary ${n}`);
  }
  expect(broken.calls).toBe(3);
  expect(agent.reported).toEqual([new Error('broken'), new Error('broken'), new Error('broken')]);
  agent.time += 10 * 60_000;
  await send(talk, 'Later');
  expect(await talk.compact()).toBe('done');
  expect(broken.calls).toBe(4);
});

test('a success ends the row of failures', async () => {
  const agent = new FakeAgent();
  let fail = true;
  const moody = compactor(() => (fail ? fails() : keeps('KEPT')));
  agent.hooks.compactors.register(moody);
  const talk = agent.begin();
  await send(talk, 'One');
  for (const next of [true, true, false, true, true, false]) {
    fail = next;
    await send(talk, 'More');
    await talk.compact();
  }
  expect(moody.calls).toBe(6);
});

test('Cloche’s own summary is sent as before', async () => {
  const agent = new FakeAgent();
  const talk = agent.begin();
  await send(talk, 'One');
  await send(talk, 'Two');
  agent.script = [says('Short.')];
  expect(await talk.compact()).toBe('done');
  const { compaction } = talk.state;
  expect([compaction?.summary, compaction?.messages]).toEqual(['Short.', undefined]);
  expect([talk.state.usage.input, model.model]).toEqual([(usage.input ?? 0) * 3, 'large']);
});
