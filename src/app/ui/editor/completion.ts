/** What the Python editor completes: the keys of tool specs, and in programs the functions of tools and their parameters. */

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import type { SyntaxNode } from '@lezer/common';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { specKeys } from '../../../runtime/scan/fixes/spec-source.ts';

/** A function of a program, and its signature in the first line of its documentation. */
export interface CompletedFunction {
  readonly module: string;
  readonly function: string;
  readonly parameters: readonly string[];
  readonly doc: string;
}

/** Offers modules, functions and parameters. @param functions read at each completion, since the tools may change */
export function completeTools(
  functions: () => readonly CompletedFunction[],
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/);
    const typed = word?.text ?? '';
    const dot = typed.lastIndexOf('.');
    const from = (word?.from ?? context.pos) + dot + 1;
    const all = functions();
    const parameters = dot < 0 ? parametersAt(context, from, all) : [];
    if (word === null && !context.explicit && parameters.length === 0) return null;
    const names = dot < 0 ? modulesOf(all) : functionsOf(all, typed.slice(0, dot));
    // Before anything is typed, only the parameters open the list by themselves.
    const options = word === null && !context.explicit ? parameters : [...parameters, ...names];
    return options.length === 0 ? null : { from, options, validFor: /^\w*$/ };
  };
}

/** The values that are inserted with a key. */
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

function modulesOf(functions: readonly CompletedFunction[]): readonly Completion[] {
  const modules = [...new Set(functions.map(({ module }) => module))];
  return modules.map((label) => ({ label, detail: 'tools', type: 'namespace' }));
}

function functionsOf(
  functions: readonly CompletedFunction[],
  module: string,
): readonly Completion[] {
  return functions
    .filter((one) => one.module === module)
    .map(({ function: label, parameters, doc }) => ({
      label,
      detail: (doc.split('\n', 1)[0] ?? '').replace(/^async def \w+/, '').slice(0, 200),
      type: 'function',
      apply: (view, picked, from, to) => {
        view.dispatch({
          ...insertCompletionText(view.state, `${label}(`, from, to),
          annotations: pickedCompletion.of(picked),
        });
        if (parameters.length > 0) startCompletion(view);
      },
    }));
}

/** The parameters of the call around an argument, without those that it has already. @param from where the argument begins */
function parametersAt(
  { state, pos }: CompletionContext,
  from: number,
  functions: readonly CompletedFunction[],
): readonly Completion[] {
  const isStart = /[(,]\s*$/.test(state.sliceDoc(Math.max(0, from - 200), from));
  const list = isStart ? argumentsAround(nodeBefore(state, from), pos) : null;
  const call = list?.parent;
  if (!list || !call) return [];
  const callee = state.sliceDoc(call.from, list.from).trim();
  const called = functions.find((one) => `${one.module}.${one.function}` === callee);
  const given = new Set<string>();
  for (let node = list.firstChild; node !== null; node = node.nextSibling)
    if (node.name === 'VariableName' && node.nextSibling?.name === 'AssignOp')
      given.add(state.sliceDoc(node.from, node.to));
  return (called?.parameters ?? [])
    .filter((name) => /^[A-Za-z_]\w*$/.test(name) && !given.has(name))
    .map((name) => ({ label: `${name}=`, type: 'property', boost: 1 }));
}

function argumentsAround(from: SyntaxNode, pos: number): SyntaxNode | null {
  for (let node: SyntaxNode | null = from; node !== null; node = node.parent) {
    const isClosed = node.lastChild?.name === ')' && node.to <= pos;
    if (node.name === 'ArgList') return isClosed ? null : node;
    if (/String|Comment|Lambda|Array|Dictionary|Tuple|Parenthesized/.test(node.name)) return null;
  }
  return null;
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

/** Limit for parsing, in milliseconds: nothing is drawn meanwhile. */
const maxMs = 100;

/**
 * Returns the innermost syntax that ends at a place or contains it. Parses the whole text first, since the
 * editor parses in pauses, and may not have got that far on a busy machine.
 */
function nodeBefore(state: EditorState, pos: number): SyntaxNode {
  return (ensureSyntaxTree(state, state.doc.length, maxMs) ?? syntaxTree(state)).resolveInner(
    pos,
    -1,
  );
}
