import { expect, test } from 'vitest';
import { dedent, nameFor } from './inline-source.ts';

test.each([
  ['', ''],
  ['\n   \n', ''],
  ['x = 1', 'x = 1\n'],
  ['\n    def f():\n        return 1\n\n    y = 2\n  ', 'def f():\n    return 1\n\ny = 2\n'],
  ['\n\tif a:\n\t\tb\n', 'if a:\n\tb\n'],
  ['    a\n\tb', '    a\n\tb\n'],
  ['  first\n    second\r\n  third', 'first\n  second\nthird\n'],
  ['  """\n  text\n\n     kept   \n  """', '"""\ntext\n\n   kept   \n"""\n'],
])('the indentation that all lines share is removed: %j', (text, expected) => {
  expect(dedent(text)).toBe(expected);
});

test('a file without a name gets that of the module that its first tool names', () => {
  expect(nameFor('TOOL_SPECS = [{"name": "weather:now"}, {"name": "b:c"}]')).toBe('weather.py');
  expect([nameFor("{'name' : 'a_1:f'}"), nameFor('{"name": "no"}'), nameFor('')]).toEqual([
    'a_1.py',
    'example.py',
    'example.py',
  ]);
});
