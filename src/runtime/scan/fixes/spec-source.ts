/** Finds tool specs and functions in the text of a tool file, as far as they are written out. */

import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';

/** The keys of a tool spec, with their meanings. The loader defines the keys; a test compares them. */
export const specKeys: Readonly<Record<string, string>> = {
  name: '"module:function", where module is the file’s name',
  description: 'what the tool does; tells the model when to use it',
  parameters: 'JSON Schema of the arguments, with type "object"',
  handler: 'the function to call',
  label: 'name shown to users',
  timeout_s: 'time limit of a call, in seconds',
  requires_approval: 'whether Cloche asks you before a call',
  concurrency_safe: 'whether calls in a session may run at the same time',
  stateless: 'whether it keeps no state between calls',
  background_safe: 'whether a background prompt may use it',
  interrupt: '"cancel" or "block"',
  deferred: 'whether the model sees its schema only on request',
  prompt_hint: 'a line for the system prompt',
  prompt_guides: 'lines for the system prompt',
  examples: 'list of example arguments',
  returns: 'JSON Schema of the result',
  annotations: 'MCP annotations, such as readOnlyHint',
  app: 'HTML file of the folder that shows the results',
};

export interface DictEntry {
  readonly key: string;
  readonly keyNode: SyntaxNode;
  readonly value: SyntaxNode;
}

/** A dict as it is written. */
export interface WrittenDict {
  readonly node: SyntaxNode;
  readonly entries: readonly DictEntry[];
}

export interface WrittenParameter {
  readonly name: string;
  /** The annotation; empty if there is none. */
  readonly annotation: string;
  /** The default; null if there is none. */
  readonly fallback: string | null;
}

export interface WrittenFunction {
  readonly name: string;
  /** Parameters that can be passed by name. */
  readonly parameters: readonly WrittenParameter[];
  /** The docstring without quotes and indentation; empty if there is none. */
  readonly docstring: string;
}

export class SpecSource {
  readonly text: string;
  readonly #tree;

  constructor(text: string) {
    this.text = text;
    this.#tree = parser.parse(text);
  }

  /** The spec that contains a position: the outermost dict there with a key of a spec. */
  specAt(offset: number): WrittenDict | null {
    let found: WrittenDict | null = null;
    for (
      let node: SyntaxNode | null = this.#tree.resolveInner(offset, 1);
      node !== null;
      node = node.parent
    ) {
      if (node.name !== 'DictionaryExpression') continue;
      const dict = this.dict(node);
      if (dict.entries.some(({ key }) => required.includes(key))) found = dict;
    }
    return found;
  }

  /** The spec that has this name written in it; null if there is none, or several. */
  specNamed(name: string): WrittenDict | null {
    const found: WrittenDict[] = [];
    this.#tree.iterate({
      enter: ({ name: kind, node }) => {
        if (kind !== 'DictionaryExpression') return;
        const dict = this.dict(node);
        const entry = this.entry(dict, 'name');
        if (entry === undefined || this.string(entry.value) !== name) return;
        if (this.entry(dict, 'handler') !== undefined) found.push(dict);
      },
    });
    return found.length === 1 ? (found[0] ?? null) : null;
  }

  dict(node: SyntaxNode): WrittenDict {
    const entries: DictEntry[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      const colon = child.nextSibling;
      const value = colon?.nextSibling;
      if (child.name !== 'String' || colon?.name !== ':' || !value) continue;
      entries.push({ key: this.string(child) ?? '', keyNode: child, value });
      child = value;
    }
    return { node, entries };
  }

  entry(dict: WrittenDict | null, key: string): DictEntry | undefined {
    return dict?.entries.find((one) => one.key === key);
  }

  /** The dict that is written as the value of a key. */
  dictOf(dict: WrittenDict | null, key: string): WrittenDict | null {
    const value = this.entry(dict, key)?.value;
    return value?.name === 'DictionaryExpression' ? this.dict(value) : null;
  }

  /** The value of a plain string literal; null for any other. */
  string(node: SyntaxNode): string | null {
    const found = /^("""|'''|"|')([^]*)\1$/.exec(this.of(node));
    return node.name === 'String' && found?.[2] !== undefined && !found[2].includes('\\')
      ? found[2]
      : null;
  }

  of({ from, to }: { from: number; to: number }): string {
    return this.text.slice(from, to);
  }

  /** Functions of the module, in order. */
  functions(): WrittenFunction[] {
    const found: WrittenFunction[] = [];
    for (let node = this.#tree.topNode.firstChild; node !== null; node = node.nextSibling) {
      const def = node.name === 'DecoratedStatement' ? node.getChild('FunctionDefinition') : node;
      if (def?.name === 'FunctionDefinition') found.push(this.#function(def));
    }
    return found;
  }

  #function(node: SyntaxNode): WrittenFunction {
    const name = node.getChild('VariableName');
    const list = node.getChild('ParamList');
    const first = node.getChild('Body')?.getChild('ExpressionStatement');
    const isFirst = first?.prevSibling?.name === ':';
    const doc = isFirst ? first.getChild('String') : null;
    return {
      name: name === null ? '' : this.of(name),
      parameters: list === null ? [] : this.#parameters(list),
      docstring: doc === null ? '' : plainDocstring(this.string(doc) ?? ''),
    };
  }

  #parameters(list: SyntaxNode): WrittenParameter[] {
    let found: WrittenParameter[] = [];
    for (let node = list.firstChild; node !== null; node = node.nextSibling) {
      // Parameters before a slash can be passed by position only.
      if (node.name === '/' || this.of(node) === '/') found = [];
      if (node.name !== 'VariableName' || /^\*+$/.test(node.prevSibling?.name ?? '')) continue;
      let after = node.nextSibling;
      const type = after?.name === 'TypeDef' ? after : null;
      if (type !== null) after = after?.nextSibling ?? null;
      const fallback = after?.name === 'AssignOp' ? after.nextSibling : null;
      found.push({
        name: this.of(node),
        annotation: type === null ? '' : this.of(type).replace(/^:\s*/, ''),
        fallback: fallback === null ? null : this.of(fallback),
      });
      if (fallback !== null) node = fallback;
    }
    return found;
  }
}

const required = ['name', 'description', 'parameters', 'handler'];

function plainDocstring(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const indents = rest
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const indent = indents.reduce((least, one) => Math.min(least, one), Infinity);
  return [first.trim(), ...rest.map((line) => line.slice(Math.min(indent, line.length)).trimEnd())]
    .join('\n')
    .trim();
}
