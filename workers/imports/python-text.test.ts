import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docstring, FreeNames, functionName, literal, parameterName } from './python-text.ts';

/** The JSON of what Python makes of an expression. */
function evaluated(expressions: readonly string[]): unknown {
  const program =
    'import ast, json, sys\nprint(json.dumps([ast.literal_eval(one) for one in json.load(sys.stdin)]))';
  const input = JSON.stringify(expressions);
  return JSON.parse(execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }));
}

test('Python reads the same values from the source, which has no invisible characters', () => {
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
      fc.constantFrom('"""', '\\', '\u202e\u200b', "'''\n", '{x}', '\u2028', '𝒳'),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ minLength: 1 }), tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  const values = fc.sample(json, 40);
  const sources = values.map((value) => literal(value));
  expect(evaluated(sources)).toEqual(values);
  for (const source of sources) expect(source).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028]/u);
  expect(literal(12345678901234567890n)).toBe('12345678901234567890');
});

test('a docstring stays one string, and its lines are short', () => {
  const texts = [
    'a "quoted"',
    '"""',
    'x\\',
    'tab\tand \u202e',
    'word '.repeat(60),
    'a\r\nb\n\n"',
    '"',
    'x\\"',
    '\\\\""""',
  ];
  const sources = texts.map((text) => docstring(text, 4));
  const read = evaluated(sources);
  expect(read).toEqual(
    expect.arrayContaining([
      'a "quoted"',
      '"""',
      'x\\',
      'tab    and \u202e',
      '"',
      'x\\"',
      '\\\\""""',
    ]),
  );
  expect(Math.max(...(sources[4] ?? '').split('\n').map(({ length }) => length))).toBeLessThan(101);
  expect(sources.join('')).not.toContain('\u202e');
});

test('names are legal in Python, and hide nothing that a handler needs', () => {
  expect(
    ['listPets', 'GET_/pets/{id}', 'list', 'class', 'Größe', '日本', '2fa', ''].map(functionName),
  ).toEqual(['list_pets', 'get_pets_id', 'list_', 'class_', 'grosse', 'call', 'n2fa', 'call']);
  expect(['X-Trace', 'filter[a]', 'from', 'context', '_id', 'list'].map(parameterName)).toEqual([
    'X_Trace',
    'filter_a',
    'from_',
    'context_',
    'id',
    'list',
  ]);
  expect(functionName('x'.repeat(200))).toHaveLength(48);
  // Texts for which the expressions would take minutes.
  expect(functionName(`${'A'.repeat(1_000_000)}1`)).toHaveLength(48);
  expect(parameterName(`a${'_'.repeat(1_000_000)}b`)).toBe('a');
  const names = new FreeNames(['a', 'a_2']);
  expect([names.take('a'), names.take('a'), names.take('b')]).toEqual(['a_3', 'a_4', 'b']);
});
