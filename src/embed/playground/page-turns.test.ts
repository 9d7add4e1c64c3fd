/** Tests when an idle playground stops Python because others on its page use theirs. */

import { expect, test, vi } from 'vitest';
import { maxOthers, PageTurns } from './page-turns.ts';

/** A page whose playgrounds receive each other's messages at once. */
function page(): () => { turns: PageTurns; ended: ReturnType<typeof vi.fn> } {
  const all: FakeChannel[] = [];
  class FakeChannel {
    onmessage: BroadcastChannel['onmessage'] = null;

    postMessage(data: unknown): void {
      for (const each of all)
        if (each !== this)
          each.onmessage?.call({} as BroadcastChannel, new MessageEvent('message', { data }));
    }
  }
  return () => {
    const channel = new FakeChannel();
    all.push(channel);
    const turns = new PageTurns(channel);
    const ended = vi.fn();
    turns.onEnd(ended);
    return { turns, ended };
  };
}

const done = (): Promise<void> => Promise.resolve();

test('an idle playground stops Python once enough others have used theirs', async () => {
  const open = page();
  const first = open();
  const others = Array.from({ length: maxOthers }, () => open());
  await first.turns.use(done);
  for (const { turns } of others) {
    expect(first.ended).not.toHaveBeenCalled();
    await turns.use(done);
  }
  expect(first.ended).toHaveBeenCalledTimes(1);
  expect(others.at(-1)?.ended).not.toHaveBeenCalled();
});

test('a playground that is used repeatedly does not stop others', async () => {
  const open = page();
  const [first, second] = [open(), open()];
  await first.turns.use(done);
  for (let n = 0; n < 2 * maxOthers; n += 1) await second.turns.use(done);
  expect(first.ended).toHaveBeenCalledTimes(0);
});

test('others do not stop Python during a call, only after it', async () => {
  const open = page();
  const first = open();
  let end = (_: string): void => undefined;
  const running = first.turns.use(() => new Promise<string>((resolve) => (end = resolve)));
  for (let n = 0; n < maxOthers; n += 1) await open().turns.use(done);
  expect(first.ended).not.toHaveBeenCalled();
  end('result');
  expect(await running).toBe('result');
  expect(first.ended).toHaveBeenCalledTimes(1);
});

test('a Python whose call has failed is idle like any other', async () => {
  const open = page();
  const first = open();
  await expect(first.turns.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  for (let n = 0; n < maxOthers; n += 1) await open().turns.use(done);
  expect(first.ended).toHaveBeenCalledTimes(1);
});
