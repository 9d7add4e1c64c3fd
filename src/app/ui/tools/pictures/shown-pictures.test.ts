import { expect, test, vi } from 'vitest';
import { ShownPictures } from './shown-pictures.ts';

const half = { cost: 0.5, animated: false };

test('the images of a page have a limit together, except for those that the user asks for', () => {
  const pictures = new ShownPictures();
  const taken = Array.from({ length: 16 }, () => pictures.take(half, { isAsked: false }));
  expect(taken.includes(null)).toBe(false);
  expect(pictures.take(half, { isAsked: false })).toBe(null);
  expect(pictures.take(half, { isAsked: true })).not.toBe(null);
});

test('an image that is gone gives its share back, once', () => {
  const pictures = new ShownPictures();
  const [first] = Array.from({ length: 16 }, () => pictures.take(half, { isAsked: false }));
  first?.();
  first?.();
  expect(pictures.take(half, { isAsked: false })).not.toBe(null);
  expect(pictures.take(half, { isAsked: false })).toBe(null);
});

test('small images and animations have a least share', () => {
  const none = { cost: 0, animated: false };
  const small = new ShownPictures();
  for (let n = 0; n < 500; n += 1) small.take(none, { isAsked: false });
  expect(small.take(none, { isAsked: false })).toBe(null);
  const animated = new ShownPictures();
  for (let n = 0; n < 16; n += 1)
    expect(animated.take({ cost: 0, animated: true }, { isAsked: false })).not.toBe(null);
  expect(animated.take({ cost: 0, animated: true }, { isAsked: false })).toBe(null);
});

test('images are drawn one after another, and one that is gone does not hold up the others', async () => {
  const pictures = new ShownPictures();
  const events: string[] = [];
  const stop = new AbortController();
  let end = (): void => {};
  const first = new Promise<void>((resolve) => (end = resolve));
  const draw = (name: string, until?: Promise<unknown>) => async (): Promise<void> => {
    events.push(`${name} begins`);
    await until;
    events.push(`${name} ends`);
  };
  const { signal } = new AbortController();
  const all = [
    pictures.inTurn(signal, draw('a', first)),
    pictures.inTurn(stop.signal, draw('b')),
    pictures.inTurn(signal, draw('c')),
  ];
  stop.abort(new Error('gone'));
  await expect(all[1]).rejects.toThrow('gone');
  await vi.waitFor(() => {
    expect(events).toEqual(['a begins']);
  });
  end();
  await Promise.all([all[0], all[2]]);
  expect(events).toEqual(['a begins', 'a ends', 'c begins', 'c ends']);
});
