import { expect, test } from 'vitest';
import { saysMore, tracebackLines, tracebackParts } from './traceback-lines.ts';

const traceback = `Traceback (most recent call last):
  File "weather_tools.py", line 4, in get_temperatures
    return lookup(location)
  File "<string>", line 1, in <module>
  File "/tools/data/lookup.py", line 9, in lookup
    return table[name]
KeyError: 'Oslo'`;

test('each File line links to its frame, by full path or path in the folder', () => {
  const frames = [
    { file: 'weather_tools.py', line: 4, name: 'get_temperatures' },
    { file: 'data/lookup.py', line: 9, name: 'lookup' },
  ];
  const lines = tracebackLines(traceback, frames);
  expect(lines.map((line) => line.text).join('\n')).toBe(traceback);
  expect(lines.map((line) => line.frame)).toEqual([
    null,
    frames[0],
    null,
    null,
    frames[1],
    null,
    null,
  ]);
});

test('lines of a recursion have their own frames, in order', () => {
  const text = '  File "a.py", line 2, in f\n  File "a.py", line 2, in f';
  const frames = [
    { file: 'a.py', line: 2, name: 'f' },
    { file: 'a.py', line: 2, name: 'f' },
  ];
  const [first, second] = tracebackLines(text, frames);
  expect([first?.frame === frames[0], second?.frame === frames[1]]).toEqual([true, true]);
});

test('lines without a known frame have no link', () => {
  expect(
    tracebackLines('  File "a.py", line 2, in f', [{ file: 'b.py', line: 2, name: 'f' }])[0]?.frame,
  ).toBe(null);
});

test('a traceback that only repeats the error says nothing', () => {
  expect([
    saysMore('ValidationError: $.n: is required\n', 'ValidationError: $.n: is required'),
    saysMore('', 'timeout'),
    saysMore('Traceback (most recent call last):\nValueError: n\n', 'ValueError: n'),
  ]).toEqual([false, false, true]);
});

test('frames of libraries are split off from those of the folder and from the error', () => {
  const text = `Traceback (most recent call last):
  File "a.py", line 2, in f
    g()
  File "/lib/one.py", line 3, in g
    h()
    ^^^
  File "/lib/two.py", line 4, in h
  File "a.py", line 9, in back
    raise it
ValueError: no
  over two lines`;
  const frames = [
    { file: 'a.py', line: 2, name: 'f' },
    { file: '/lib/one.py', line: 3, name: 'g' },
    { file: 'a.py', line: 9, name: 'back' },
  ];
  const lines = tracebackLines(text, frames);
  const parts = tracebackParts(lines, ({ file }) => file === 'a.py');
  expect(parts.map((part) => [part.lines.length, part.foreign])).toEqual([
    [3, 0],
    [4, 2],
    [4, 0],
  ]);
  expect(parts.flatMap((part) => part.lines)).toEqual(lines);
  // Nothing would be left to see.
  expect(tracebackParts(lines, () => false)).toEqual([{ lines, foreign: 0 }]);
});

test('the frames of a cause and of the exceptions in a group have links, and those of libraries are split off', () => {
  const cause = `Traceback (most recent call last):
  File "a.py", line 2, in f
    loads(text)
  File "/lib/json.py", line 3, in loads
ValueError: no JSON

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "a.py", line 4, in f
RuntimeError: no settings`;
  const group = `  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 5, in g
  |     raise ExceptionGroup("two", found)
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/lib/json.py", line 3, in loads
    | ValueError: no JSON
    +------------------------------------`;
  const frame = (file: string, line: number) => ({ file, line, name: 'f' });
  const library = frame('/lib/json.py', 3);
  const shown = (text: string, own: readonly { file: string; line: number; name: string }[]) => {
    const lines = tracebackLines(text, own);
    const parts = tracebackParts(lines, ({ file }) => file === 'a.py');
    return {
      linked: lines.filter((line) => line.frame?.file === 'a.py').map((line) => line.frame?.line),
      folded: parts.filter((part) => part.foreign > 0).map((part) => part.lines[0]?.text.trim()),
    };
  };
  expect([
    shown(cause, [frame('a.py', 2), library, frame('a.py', 4)]),
    shown(group, [frame('a.py', 5), library]),
  ]).toEqual([
    { linked: [2, 4], folded: ['File "/lib/json.py", line 3, in loads'] },
    { linked: [5], folded: ['|   File "/lib/json.py", line 3, in loads'] },
  ]);
});
