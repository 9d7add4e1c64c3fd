/**
 * Finds the tools of a playground in its source, before Python runs: typed functions, and specs that are written out as
 * dicts, lists, texts, numbers and words.
 */

import type { PlaygroundFile } from '../../runtime/protocol/embed.ts';
import { isObject } from '../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../runtime/spec/json.ts';
import type { Tool } from '../../runtime/spec/tool.ts';

export type WrittenTool = Pick<Tool, 'name' | 'parameters' | 'examples' | 'takesMore'>;

/** Longer files are not read; characters. */
const maxChars = 200_000;
const maxTools = 100;
/** Characters of a function that are searched for descriptions. */
const maxDocs = 5_000;

/** Returns the tools in the order of the files. Python may find others, and replaces all of them. */
export function findWrittenTools(files: readonly PlaygroundFile[]): readonly WrittenTool[] {
  return files
    .filter(({ path, text }) => path.endsWith('.py') && text.length <= maxChars)
    .flatMap(({ path, text }) => {
      const specs = /^TOOL_SPECS\b[^=\n]*=/m.exec(text);
      const module = path.replace(/^.*\//, '').replace(/\.py$/, '');
      return specs === null
        ? functionsIn(text, module)
        : specsIn(readLiteral(text, specs.index + specs[0].length));
    })
    .slice(0, maxTools);
}

function specsIn(specs: Json | undefined): readonly WrittenTool[] {
  if (!Array.isArray(specs)) return [];
  return specs.flatMap((spec) => {
    if (!isObject(spec)) return [];
    const { name, parameters, examples } = spec;
    if (typeof name !== 'string' || !isObject(parameters)) return [];
    const all = Array.isArray(examples) ? examples.filter(isObject) : [];
    return [{ name, parameters, examples: all }];
  });
}

function functionsIn(text: string, module: string): readonly WrittenTool[] {
  const inner = '(?:[^()]|\\((?:[^()]|\\([^()]{0,200}\\)){0,500}\\)){0,2000}';
  const pattern = new RegExp(
    `^((?:@.*\\n)*)(?:async +)?def +([A-Za-z]\\w*) *\\((${inner})\\)[^:\\n]*:([^]*?)(?=^\\S|(?![^]))`,
    'gm',
  );
  const functions = [...text.matchAll(pattern)].map(
    ([, decorators = '', name = '', parameters = '', body = '']) => ({
      isMarked: /tool/i.test(decorators),
      tool: {
        name: `${module}:${name}`,
        parameters: schemaOf(parameters, body.slice(0, maxDocs)),
        examples: [],
      },
    }),
  );
  // A file that marks its tools has no others.
  const marked = functions.filter(({ isMarked }) => isMarked);
  return (marked.length > 0 ? marked : functions).map(({ tool }) => tool);
}

/** @param written the parameters, as written between the brackets */
function schemaOf(written: string, body: string): JsonObject {
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  for (const parameter of partsOf(written.replace(/#.*$/gm, ''), ',')) {
    const [, name = '', annotation = '', fallback] =
      /^\s*(\w+)\s*(?::([^=]*))?(?:=([^]*))?$/.exec(parameter) ?? [];
    if (name === '' || name === 'self') continue;
    const described = new RegExp(
      `^[ \\t]*(?::param\\s+(?:\\w+\\s+)?)?${name}[ \\t]*(?:\\([^)\\n]*\\))?:[ \\t]*(\\S.*)$`,
      'm',
    );
    const description = described.exec(body)?.[1];
    const value = fallback === undefined ? undefined : readLiteral(fallback, 0);
    properties.push([
      name,
      {
        ...typeOf(annotation.trim()),
        ...(description !== undefined && { description: description.trim() }),
        ...(value !== undefined && value !== null && { default: value }),
      },
    ]);
    if (fallback === undefined) required.push(name);
  }
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

const plain: Readonly<Record<string, string>> = {
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  List: 'array',
  dict: 'object',
  Dict: 'object',
};

function typeOf(annotation: string): JsonObject {
  const bare = annotation.replace(/^(["'])(.*)\1$/s, '$2').replace(/^typing\./, '');
  const choices = partsOf(bare, '|')
    .map((each) => each.trim())
    .filter((each) => each !== 'None');
  const [only = ''] = choices;
  if (choices.length > 1) {
    const types = choices.map((each) => plain[each]).filter((each) => each !== undefined);
    return types.length === choices.length ? { type: types } : {};
  }
  const [, generic = '', inside = ''] = /^(?:typing\.)?(\w+)(?:\[([^]*)\])?$/.exec(only) ?? [];
  if (generic === 'Optional') return typeOf(inside);
  if (generic === 'Annotated') return typeOf(partsOf(inside, ',')[0]?.trim() ?? '');
  if (generic === 'Literal') {
    const values = readLiteral(`[${inside}]`, 0);
    return Array.isArray(values) ? { enum: values } : {};
  }
  const type = plain[generic];
  if (type === undefined) return {};
  return type === 'array' && inside !== '' ? { type, items: typeOf(inside.trim()) } : { type };
}

/** Splits a text at a character that is outside of brackets and quotes. */
function partsOf(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    if (char === separator && depth === 0 && quote === '') {
      parts.push(part);
      part = '';
    } else part += char;
  }
  return [...parts, part].filter((each) => each.trim() !== '');
}

/** Deeper values are not read. */
const maxDepth = 60;

const words: Readonly<Record<string, Json>> = { True: true, False: false, None: null };

/**
 * Reads the value that begins at an offset. A member or item that is not written out, such as a name or a call, is
 * left out.
 * @returns undefined if the value itself is not written out
 */
export function readLiteral(text: string, offset: number): Json | undefined {
  return new LiteralReader(text, offset).value(0);
}

class LiteralReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#at = offset;
  }

  /** Reads a whole expression, up to the comma or bracket that ends it. */
  value(depth: number): Json | undefined {
    if (depth > maxDepth) {
      this.#skip();
      return undefined;
    }
    this.#space();
    const value = this.#start(depth);
    this.#space();
    // The value is a part of a longer expression.
    if (depth > 0 && !/^(?:[,:)\]}]|$)/.test(this.#text.slice(this.#at, this.#at + 1))) {
      this.#skip();
      return undefined;
    }
    return value;
  }

  #start(depth: number): Json | undefined {
    const first = this.#text.charAt(this.#at);
    if (first === '{') return this.#dict(depth);
    if (first === '[' || first === '(') return this.#list(depth, first);
    const text = this.#string();
    if (text !== undefined) return text;
    const number = this.#match(/-?\d[\d_]*(?:\.\d*)?(?:e[+-]?\d+)?/iy);
    if (number !== '') return Number(number.replaceAll('_', ''));
    const word = this.#match(/(?:True|False|None)\b/y);
    if (word === '') this.#skip();
    return words[word];
  }

  #dict(depth: number): Json {
    const members: [string, Json][] = [];
    this.#at += 1;
    while (!this.#passClosing()) {
      const key = this.value(depth + 1);
      if (this.#text.charAt(this.#at) === ':') {
        this.#at += 1;
        const value = this.value(depth + 1);
        if (typeof key === 'string' && value !== undefined) members.push([key, value]);
      }
      this.#comma();
    }
    return Object.fromEntries(members);
  }

  #list(depth: number, opening: string): Json | undefined {
    const items: Json[] = [];
    let commas = 0;
    this.#at += 1;
    while (!this.#passClosing()) {
      const item = this.value(depth + 1);
      if (item !== undefined) items.push(item);
      if (this.#comma()) commas += 1;
    }
    return opening === '(' && commas === 0 ? items[0] : items;
  }

  /** Texts beside each other are one text. */
  #string(): string | undefined {
    let whole: string | undefined;
    for (;;) {
      const opening = this.#match(/[rRuU]?(?:"""|'''|"|')/y);
      if (opening === '') return whole;
      const quote = opening.replace(/^[a-z]/i, '');
      const isRaw = /^r/i.test(opening);
      let part = '';
      while (this.#at < this.#text.length && !this.#text.startsWith(quote, this.#at)) {
        const char = this.#text.charAt(this.#at);
        const next = this.#text.charAt(this.#at + 1);
        if (char === '\\') {
          part += isRaw ? char + next : ({ n: '\n', t: '\t', r: '\r', '\n': '' }[next] ?? next);
          this.#at += 2;
        } else {
          part += char;
          this.#at += 1;
        }
      }
      this.#at += quote.length;
      whole = (whole ?? '') + part;
      this.#space();
    }
  }

  /** Skips an expression that is not written out. */
  #skip(): void {
    let depth = 0;
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === '"' || char === "'") {
        this.#string();
        continue;
      }
      if ('([{'.includes(char)) depth += 1;
      else if (')]}'.includes(char)) depth -= 1;
      if (depth < 0 || (depth === 0 && char === ',')) return;
      this.#at += 1;
    }
  }

  /** Passes a closing bracket. A bracket of another kind, as in broken source, also ends the value. */
  #passClosing(): boolean {
    this.#space();
    if (this.#at >= this.#text.length) return true;
    if (!/[)\]}]/.test(this.#text.charAt(this.#at))) return false;
    this.#at += 1;
    return true;
  }

  #comma(): boolean {
    this.#space();
    if (this.#text.charAt(this.#at) === ',') {
      this.#at += 1;
      return true;
    }
    if (/[)\]}]/.test(this.#text.charAt(this.#at))) return false;
    this.#skip();
    return false;
  }

  #space(): void {
    this.#match(/(?:\s|\\\n|#[^\n]*)*/y);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}
