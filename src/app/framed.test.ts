import { expect, test } from 'vitest';
import { isFramedByOther, type FramedWindow } from './framed.ts';

const ours = 'https://tools.example';
const theirs = 'https://tools.example:8443';

/** The innermost of nested windows, given by the origins that it can read; null where the browser refuses that. */
function nested(...origins: readonly (string | null)[]): FramedWindow {
  const windows: FramedWindow[] = [];
  for (const [depth, origin] of origins.entries()) {
    windows.push({
      get origin() {
        if (origin === null) throw new DOMException('blocked', 'SecurityError');
        return origin;
      },
      get parent() {
        return windows[Math.max(0, depth - 1)]!;
      },
      get top() {
        return windows[0]!;
      },
    });
  }
  return windows.at(-1)!;
}

test('a top-level window, or one with only frames of its own origin around it, is not framed by another origin', () => {
  expect([nested(ours), nested(ours, ours), nested(ours, ours, ours)].map(isFramedByOther)).toEqual(
    [false, false, false],
  );
});

test('every ancestor is judged: one of another origin is enough, wherever it is', () => {
  const framed = [
    nested(null, ours),
    nested(theirs, ours),
    nested(null, ours, ours),
    nested(ours, null, ours),
    nested(ours, theirs, ours, ours),
  ];
  expect(framed.map(isFramedByOther)).toEqual(framed.map(() => true));
});

test('what cannot be judged counts as framed', () => {
  const opaque = nested('null', 'null');
  const self = nested(ours);
  const endless: FramedWindow = {
    origin: ours,
    get parent() {
      return endless;
    },
    top: self,
  };
  const detached: FramedWindow = { ...nested(ours), top: null };
  expect([opaque, endless, detached].map(isFramedByOther)).toEqual([true, true, true]);
});
