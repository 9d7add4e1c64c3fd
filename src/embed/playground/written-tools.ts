/** Finds the tools of a playground in its source, before Python runs: specs that are written out, and typed functions. */

import type { PlaygroundFile } from '../../runtime/protocol/embed.ts';
import { isObject } from '../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../runtime/spec/json.ts';
import type { Tool } from '../../runtime/spec/tool.ts';
import { readLiteral } from './python-literals.ts';

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
