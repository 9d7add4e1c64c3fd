import { CompletionContext } from '@codemirror/autocomplete';
import { python } from '@codemirror/lang-python';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import { specKeys } from '../../../runtime/scan/fixes/spec-source.ts';
import { completeSpecKeys, completeTools } from './completion.ts';

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
])('a program is offered %s', (_, text, labels) => {
  expect(offered(text)).toEqual(labels);
});

test('modules are offered on request without a word', () => {
  expect([offered('|'), offered('|', true)]).toEqual([null, ['weather', 'maps']]);
});

/** The keys that are offered at the bar. */
function offeredKeys(text: string, explicit = false): string[] | null {
  const at = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [python()] });
  const found = completeSpecKeys(new CompletionContext(state, at, explicit));
  return found?.options.map(({ displayLabel = '' }) => displayLabel) ?? null;
}
/** All keys of a spec. */
const all = Object.keys(specKeys);

test.each([
  ['an empty spec', 'TOOL_SPECS = [{"|"}]', all],
  ['a spec with a key', 'TOOL_SPECS = [{"name": "a:f", "|"}]', all.filter((key) => key !== 'name')],
  ['a dict with a handler', 'SPEC = {"handler": f, n|}', all.filter((key) => key !== 'handler')],
  [
    'a spec that was not parsed yet',
    `${'# A long comment\n'.repeat(220)}TOOL_SPECS = [{"|"}]`,
    all,
  ],
  ['the second spec', 'TOOL_SPECS = [{"name": "a:f"}, {"|"}]', all],
])('keys of a spec are offered in %s', (_, text, keys) => {
  expect(offeredKeys(text)).toEqual(keys);
});

/** The text after a key was chosen in the list that opened at the bar, when more had been typed in the meantime. */
function chosen(text: string, typed: string, key: string): string {
  const at = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [python()] });
  const found = completeSpecKeys(new CompletionContext(state, at, false));
  const option = found?.options.find(({ displayLabel }) => displayLabel === key);
  let now = state.update({ changes: { from: at, insert: typed } }).state;
  const view = {
    get state() {
      return now;
    },
    dispatch: (spec: TransactionSpec) => (now = now.update(spec).state),
  } as unknown as EditorView;
  if (!found || option === undefined || typeof option.apply !== 'function')
    throw new Error('The key is not offered.');
  option.apply(view, option, found.from, at + typed.length);
  return now.doc.toString();
}

test('a chosen key replaces what was typed, also after the list has opened', () => {
  expect([
    chosen('TOOL_SPECS = [{"|"}]', 'ann', 'annotations'),
    chosen('SPEC = {"handler": f, a|}', 'nn', 'annotations'),
    chosen('SPEC = {"handler": f, n|}', '', 'name'),
  ]).toEqual([
    'TOOL_SPECS = [{"annotations": {}}]',
    'SPEC = {"handler": f, "annotations": {}}',
    'SPEC = {"handler": f, "name": }',
  ]);
});

test.each([
  ['the value of a key', 'TOOL_SPECS = [{"name": "|"}]'],
  ['the schema in a spec', 'TOOL_SPECS = [{"parameters": {"|"}}]'],
  ['another dict', 'DATA = [{"|"}]'],
  ['a place without a word', 'TOOL_SPECS = [{ | }]'],
])('nothing is offered in %s', (_, text) => {
  expect(offeredKeys(text)).toBe(null);
});

test('keys are offered without a word if they are asked for', () => {
  expect(offeredKeys('TOOL_SPECS = [{ | }]', true)).toEqual(all);
});
