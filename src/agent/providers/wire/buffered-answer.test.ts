import { expect, test, vi } from 'vitest';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';
import { Answer } from './buffered-answer.ts';

function text(delta: string): ModelPart {
  return { type: 'text', id: '0', delta };
}

test('parts that have arrived are handed over together, once each and in order', async () => {
  let goOn: () => void = () => undefined;
  const hold = (): Promise<void> => new Promise((resolve) => (goOn = resolve));
  const answer = new Answer(
    (async function* () {
      yield text('a');
      yield text('b');
      await hold();
      yield text('c');
      await hold();
    })(),
  );
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await answer.next()).toEqual({ parts: [text('a'), text('b')], end: null });
  const next = answer.next();
  goOn();
  expect(await next).toEqual({ parts: [text('c')], end: null });
  goOn();
  expect(await answer.next()).toEqual({ parts: [], end: { error: null } });
});

test('parts that follow within a frame are handed over with the first, and with the end', async () => {
  const answer = new Answer(
    (async function* () {
      for (const delta of ['a', 'b', 'c']) {
        await new Promise((resolve) => setImmediate(resolve));
        yield text(delta);
      }
    })(),
  );
  expect(await answer.next()).toEqual({
    parts: ['a', 'b', 'c'].map(text),
    end: { error: null },
  });
});

test('a silent answer yields an empty result within seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let goOn: () => void = () => undefined;
    const answer = new Answer(
      (async function* () {
        await new Promise<void>((resolve) => (goOn = resolve));
        yield text('a');
      })(),
    );
    for (let n = 0; n < 100; n += 1) {
      const next = answer.next();
      await vi.advanceTimersByTimeAsync(9_000);
      expect(await next).toEqual({ parts: [], end: null });
    }
    const next = answer.next();
    goOn();
    expect(await next).toMatchObject({ parts: [text('a')] });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('the end of an answer is reported after its last parts', async () => {
  const fault = new ModelError('cut', 'It broke off.', 'Go on.', 5);
  for (const [thrown, error] of [
    [fault, { fault: 'cut', message: 'It broke off.', hint: 'Go on.', retryAfterMs: 5 }],
    [new TypeError('odd'), { fault: 'provider', message: 'odd', retryAfterMs: null }],
  ] as const) {
    const answer = new Answer(
      // eslint-disable-next-line @typescript-eslint/require-await
      (async function* () {
        yield text('a');
        throw thrown;
      })(),
    );
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await answer.next()).toEqual({ parts: [text('a')], end: { error } });
  }
});

test('reading pauses while the page is busy', async () => {
  let read = 0;
  const answer = new Answer(
    // eslint-disable-next-line @typescript-eslint/require-await
    (async function* () {
      for (read = 1; read <= 5_000; read += 1) yield text(String(read));
    })(),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(read).toBe(1_000);
  let reported = 0;
  for (;;) {
    const { parts, end } = await answer.next();
    reported += parts.length;
    if (end !== null) break;
  }
  expect(reported).toBe(5_000);
});
