/** Completes the functions under which a program calls tools, and their parameters. */

import {
  insertCompletionText,
  pickedCompletion,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { SyntaxNode } from '@lezer/common';
import { nodeBefore } from './node-before.ts';

/** A function of a program, and its signature in the first line of its documentation. */
export interface CompletedFunction {
  readonly module: string;
  readonly function: string;
  readonly parameters: readonly string[];
  readonly doc: string;
}

/** @param functions read at each completion, since the tools may change */
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
