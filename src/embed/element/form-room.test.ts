import { expect, test } from 'vitest';
import { firstHeight } from './form-room.ts';

const text = `"""Tools."""


def count(to: int) -> list:
    """Counts."""
    return list(range(1, to + 1))


def repeat(text: str, times: int = 2, loud: bool = False) -> str:
    """Repeats a text."""
    return (text * times).upper() if loud else text * times
`;
const files = [{ path: 'tools.py', text }];

test('the height is that of the frame, for a mouse and a finger, on a phone and beside the source', () => {
  const heights = (['count', 'repeat'] as const).map((tool) => [
    firstHeight(files, tool, 'full', 358, true),
    firstHeight(files, tool, 'full', 358, false),
    firstHeight(files, tool, 'full', 1248, false),
    firstHeight(files, tool, 'form', 358, true),
    firstHeight(files, tool, 'form', 358, false),
  ]);
  // As measured in the frame, where a form that is alone or beside the source has one border less.
  expect(heights).toEqual([
    [583, 524, 301 + 1, 308 + 1, 263 + 1],
    [799, 680, 424 + 1, 524 + 1, 419 + 1],
  ]);
});

test('a tool that is not found has no form', () => {
  expect(firstHeight(files, 'gone', 'full', 358, false)).toBe(3 + 44 + 255 + 52);
});
