import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactArguments } from './exact-arguments.ts';
import { ExactNumbers } from './exact-numbers.ts';

const spelt = [
  '{}',
  '{"n":12345678901234567890,"f":3.0,"e":1E400,"z":-0,"x":1e-7}',
  '{"10":1,"2":{"1":[3.0,"3.0","args"],"0":null}}',
  '{"s":"{\\"args\\":{\\"n\\":1.0}} ]}","args":{"n":1.0},"t":1.0}',
  '{"é\\"":"a\\\\","deep":[[[{"9":[0.10]}]]]}',
];

/** Parses and serialises the text, as an SDK does. */
function through(exact: ExactNumbers, args: string): string {
  const line = exact.mark(`data: {"a":[1.0,"args"],"call":{"args":${args},"more":2.0},"b":3.0}`);
  const value = JSON.parse(line.slice('data: '.length)) as {
    call: { args: unknown; more: unknown };
  };
  expect(value).toMatchObject({ a: [1, 'args'], call: { more: 2 }, b: 3 });
  return exact.restore(JSON.stringify(value.call.args));
}

test('numbers and keys keep their spelling through parsing and serialising', () => {
  const exact = new ExactNumbers('args');
  expect(spelt.map((text) => through(exact, text))).toEqual(spelt);
});

test('any object keeps its spelling', () => {
  const exact = new ExactNumbers('args');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(through(exact, text)).toBe(text);
    }),
  );
});

test('arguments are inserted as they were written, in JSON and in JSON strings', () => {
  const exact = new ExactArguments();
  const body = JSON.stringify({
    input: exact.mark(spelt[1] ?? ''),
    arguments: JSON.stringify(exact.mark(spelt[3] ?? '')),
    text: 'no {"exact-1":0} of ours',
  });
  expect(exact.putIn(body)).toBe(
    `{"input":${spelt[1] ?? ''},"arguments":${JSON.stringify(spelt[3])},"text":"no {\\"exact-1\\":0} of ours"}`,
  );
});

test('arguments that are not an object are wrapped in one', () => {
  const exact = new ExactArguments();
  const texts = ['', ' ', '{"a":', '[1.0]', '7', 'null'];
  const marked = JSON.stringify(texts.map((text) => exact.mark(text)));
  expect(JSON.parse(exact.putIn(marked))).toEqual([
    {},
    {},
    { invalid_json: '{"a":' },
    { invalid_arguments: [1] },
    { invalid_arguments: 7 },
    {},
  ]);
});
