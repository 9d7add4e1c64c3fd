import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ArgumentPieces } from './argument-pieces.ts';
import { frame, inPieces, utf8 } from './streams.fixture.ts';

function joined(pieces: readonly string[]): string {
  const read = new ArgumentPieces();
  return pieces.map((piece) => read.add(piece)).join('') + read.end();
}

/** The pieces of a text that is cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [0, ...places.map((place) => place % text.length).sort((a, b) => a - b), text.length];
  return at.map((from, index) => text.slice(from, at[index + 1]));
}

test('pieces of any object are joined, whether each is new or repeats all before', () => {
  const object = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 });
  const places = fc.array(fc.nat(), { maxLength: 12 });
  fc.assert(
    fc.property(object, places, (value, where) => {
      const text = JSON.stringify(value);
      const pieces = cut(text, where);
      expect(joined(pieces)).toBe(text);
      const soFar = pieces.map((_, index) => pieces.slice(0, index + 1).join(''));
      // A server that repeats everything repeats a whole object too, which is one call.
      const cumulative = soFar.filter((one, index) => one !== text || soFar.indexOf(one) === index);
      expect(joined(cumulative)).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test.each([
  [['{"a":', '{"a":1}', '}'], '{"a":{"a":1}}'],
  [['{"a":', '{"a":1}}'], '{"a":{"a":1}}'],
  [['{"a":', '{"a":1}'], '{"a":1}'],
  [['{"a":"x', 'x', 'x"}'], '{"a":"xxx"}'],
  [['{', '{"a"', '{"a":1}'], '{"a":1}'],
  [['{"a"', '{"a"', '{"a":1}'], '{"a":1}'],
  [['{"a":"', 'b', 'b', '"}'], '{"a":"bb"}'],
  [[' ', ' ', '{"a":1}'], '  {"a":1}'],
  [['{"a"', '{"a":', '{"a":', '{"a":1}', '{"a":1}'], '{"a":1}'],
  [['{"a":1}', '{"a":1}'], '{"a":1}{"a":1}'],
  [['{}', '{"a":1}'], '{}{"a":1}'],
  [['1', '12'], '112'],
])('%j are %s', (pieces, text) => {
  expect(joined(pieces)).toBe(text);
});

const kinds = ['openai-compatible', 'openai-chat'] as const;
const echo = (id: string): object => ({ id, type: 'function' });
const said = (...tool_calls: object[]): object => ({
  choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }],
});
const piece = (index: number, args: string, more: object = {}): object => ({
  ...more,
  index,
  function: { ...('id' in more ? { name: 'sess__echo' } : {}), arguments: args },
});

test.each(kinds)('%s: arguments that are repeated with each piece are read once', async (kind) => {
  const soFar = ['{', '{"text"', '{"text":"h', '{"text":"hi"}', '{"text":"hi"}'];
  const finish = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
  const answerOf = async (named: boolean) => {
    const frames = soFar.map((args, at) => {
      const more = (id: string): object => (named || at === 0 ? echo(id) : {});
      const other = args.replace('hi', 'bye').replace(/h$/, 'b');
      return said(piece(0, args, more('a')), piece(1, other, more('b')));
    });
    const sent = [...frames, finish].map(frame).join('');
    return inPieces(kind, [utf8(`${sent}data: [DONE]\n\n`)]);
  };
  const calls = [
    ['sess:echo', '{"text":"hi"}'],
    ['sess:echo', '{"text":"bye"}'],
  ];
  expect(await answerOf(false)).toMatchObject({ calls, finish: 'calls' });
  expect(await answerOf(true)).toMatchObject({ calls, finish: 'calls' });
});
