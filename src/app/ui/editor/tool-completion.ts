/** Completes the functions under which a program calls tools. */

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

/** A function of a program, and its signature in the first line of its documentation. */
export interface CompletedFunction {
  readonly module: string;
  readonly function: string;
  readonly doc: string;
}

/** @param functions read at each completion, since the tools may change */
export function completeTools(
  functions: () => readonly CompletedFunction[],
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/);
    if (word === null && !context.explicit) return null;
    const typed = word?.text ?? '';
    const dot = typed.lastIndexOf('.');
    const all = functions();
    const options = dot < 0 ? modulesOf(all) : functionsOf(all, typed.slice(0, dot));
    const from = (word?.from ?? context.pos) + dot + 1;
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
    .map(({ function: label, doc }) => ({
      label,
      detail: (doc.split('\n', 1)[0] ?? '').replace(/^async def \w+/, '').slice(0, 200),
      type: 'function',
      apply: `${label}(`,
    }));
}
