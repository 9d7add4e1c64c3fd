import { CompletionContext } from '@codemirror/autocomplete';
import { python } from '@codemirror/lang-python';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { completeTools } from './tool-completion.ts';

const functions = [
  {
    module: 'weather',
    function: 'forecast',
    parameters: ['city', 'days', 'no-name'],
    doc: 'async def forecast(city: str, days: int = 3) -> dict\n\nThe weather.',
  },
  { module: 'weather', function: 'now', parameters: [], doc: 'async def now()' },
  { module: 'maps', function: 'find', parameters: ['city'], doc: 'async def find(city: str)' },
];

/** The names that are offered at the `|` in the text. */
function offered(text: string, explicit = false): string[] | null {
  const at = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [python()] });
  const found = completeTools(() => functions)(new CompletionContext(state, at, explicit));
  return found?.options.map(({ label }) => label) ?? null;
}

test.each([
  ['modules', 'x = await we|', ['weather', 'maps']],
  ['the functions of a module', 'x = await weather.|', ['forecast', 'now']],
  ['parameters', 'await weather.forecast(|', ['city=', 'days=']],
  ['parameters, in a call that is closed', 'await weather.forecast(|)\n', ['city=', 'days=']],
  [
    'parameters, beside modules',
    'await weather.forecast(c|',
    ['city=', 'days=', 'weather', 'maps'],
  ],
  ['the other parameters', 'await weather.forecast(city="Oslo", |)', ['days=']],
  ['the parameters of the inner call', 'await weather.forecast(await maps.find(|', ['city=']],
  ['modules as a value', 'await weather.forecast(city=w|', ['weather', 'maps']],
  ['nothing after the call', 'await weather.forecast(city="Oslo")|', null],
  ['nothing in a list', 'await weather.forecast([|', null],
  ['nothing in an unknown call', 'print(|', null],
])('%s', (_, text, labels) => {
  expect(offered(text)).toEqual(labels);
});

test('modules are offered on request without a word', () => {
  expect([offered('|'), offered('|', true)]).toEqual([null, ['weather', 'maps']]);
});
