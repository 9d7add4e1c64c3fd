/** When an idle playground ends its Python for others of its page. */

import { expect, test, vi } from 'vitest';
import { maxOthers, PageTurns } from './page-turns.ts';

/** A page, whose playgrounds hear each other at once. */
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

test('an idle Python ends when enough others have used theirs since', async () => {
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

test('one playground that is used again and again ends no other', async () => {
  const open = page();
  const [first, second] = [open(), open()];
  await first.turns.use(done);
  for (let n = 0; n < 2 * maxOthers; n += 1) await second.turns.use(done);
  expect(first.ended).toHaveBeenCalledTimes(0);
});

test('a call is not ended by others, but its Python ends after it', async () => {
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

test('a failed call counts like any other', async () => {
  const { turns } = page()();
  await expect(turns.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
