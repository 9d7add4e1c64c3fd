/** Completes the keys of tool specs. */

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { SyntaxNode } from '@lezer/common';
import { specKeys } from '../../../runtime/scan/fixes/spec-source.ts';
import { nodeBefore } from './node-before.ts';

const values: Readonly<Record<string, string>> = {
  parameters: '{"type": "object", "properties": {}, "required": []}',
  examples: '[{}]',
  annotations: '{}',
  prompt_guides: '[]',
};

/** Offers the keys that the spec at the cursor does not have yet. */
export function completeSpecKeys(context: CompletionContext): CompletionResult | null {
  const { state, pos } = context;
  const word = context.matchBefore(/["']?\w*/);
  const from = word?.from ?? pos;
  if (!context.explicit && (word === null || word.text === '')) return null;
  const dict = dictAt(nodeBefore(state, pos), from);
  if (dict === null || !isSpec(dict, state.doc.toString())) return null;
  const before = state.sliceDoc(dict.from, from).trimEnd().at(-1);
  if (before !== '{' && before !== ',') return null;
  const used = new Set(keysOf(dict, (node) => state.sliceDoc(node.from, node.to)));
  const quote = /^["']/.exec(word?.text ?? '')?.[0] ?? '"';
  const options = Object.entries(specKeys)
    .filter(([key]) => !used.has(key))
    .map(([key, detail]): Completion => {
      return {
        label: `${quote}${key}${quote}`,
        displayLabel: key,
        detail,
        type: 'property',
        // The replaced text depends on the moment when the key is chosen: the user goes on typing in the open list.
        apply: (view, _, start, typed) => {
          const text = view.state;
          // A quote after the cursor belongs to the key.
          const end = text.sliceDoc(typed, typed + 1) === quote ? typed + 1 : typed;
          const hasColon = /^\s*:/.test(text.sliceDoc(end, end + 20));
          const insert = `${quote}${key}${quote}${hasColon ? '' : `: ${values[key] ?? ''}`}`;
          view.dispatch({
            changes: { from: start, to: end, insert },
            selection: { anchor: start + insert.length },
            userEvent: 'input.complete',
          });
        },
      };
    });
  return { from, options, validFor: /^["']?\w*$/ };
}

/** A dict whose only key has no value yet is parsed as a set. */
function dictAt(node: SyntaxNode | null, from: number): SyntaxNode | null {
  for (let at = node; at !== null; at = at.parent)
    if (['DictionaryExpression', 'SetExpression'].includes(at.name) && at.from < from) return at;
  return null;
}

/** Returns whether a dict is an entry of `TOOL_SPECS`, or already has a key of tool specs. */
function isSpec(dict: SyntaxNode, text: string): boolean {
  const list = dict.parent;
  const statement = list?.name === 'ArrayExpression' ? list.parent : null;
  const name = statement?.getChild('VariableName');
  if (name && text.slice(name.from, name.to) === 'TOOL_SPECS') return true;
  return keysOf(dict, (node) => text.slice(node.from, node.to)).includes('handler');
}

function keysOf(dict: SyntaxNode, textOf: (node: SyntaxNode) => string): string[] {
  return dict
    .getChildren('String')
    .filter((node) => node.nextSibling?.name === ':')
    .map((node) => textOf(node).slice(1, -1));
}
