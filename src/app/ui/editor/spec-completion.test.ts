import { CompletionContext } from '@codemirror/autocomplete';
import { python } from '@codemirror/lang-python';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { specKeys } from '../../../runtime/scan/fixes/spec-source.ts';
import { completeSpecKeys } from './spec-completion.ts';

/** The keys that are offered at the bar. */
function offered(text: string, explicit = false): string[] | null {
  const at = text.indexOf('|');
  const state = EditorState.create({ doc: text.replace('|', ''), extensions: [python()] });
  const found = completeSpecKeys(new CompletionContext(state, at, explicit));
  return found?.options.map(({ displayLabel = '' }) => displayLabel) ?? null;
}
const all = Object.keys(specKeys);

test.each([
  ['an empty spec', 'TOOL_SPECS = [{"|"}]', all],
  ['a spec with a key', 'TOOL_SPECS = [{"name": "a:f", "|"}]', all.filter((key) => key !== 'name')],
  ['a dict with a handler', 'SPEC = {"handler": f, n|}', all.filter((key) => key !== 'handler')],
  ['the second spec', 'TOOL_SPECS = [{"name": "a:f"}, {"|"}]', all],
])('keys of a spec are offered in %s', (_, text, keys) => {
  expect(offered(text)).toEqual(keys);
});

test.each([
  ['the value of a key', 'TOOL_SPECS = [{"name": "|"}]'],
  ['the schema in a spec', 'TOOL_SPECS = [{"parameters": {"|"}}]'],
  ['another dict', 'DATA = [{"|"}]'],
  ['a place without a word', 'TOOL_SPECS = [{ | }]'],
])('nothing is offered in %s', (_, text) => {
  expect(offered(text)).toBe(null);
});

test('keys are offered without a word if they are asked for', () => {
  expect(offered('TOOL_SPECS = [{ | }]', true)).toEqual(all);
});
