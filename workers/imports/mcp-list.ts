/** Offers the tools of an MCP list, and writes stubs for the chosen ones, which return the results that were recorded. */

import type {
  ImportChoice,
  ImportItem,
  ImportOutline,
  WrittenImport,
} from '../../src/runtime/protocol/imports.ts';
import {
  asFields,
  isObject,
  isRecord,
  parseJson,
  stringsIn,
  type Fields,
} from '../../src/runtime/spec/guards.ts';
import { deeperThan } from '../../src/runtime/spec/json.ts';
import { moduleName } from './openapi/api-import.ts';
import { Schemas } from './openapi/schemas.ts';
import {
  cut,
  docstring,
  FreeNames,
  functionName,
  literal,
  parameterName,
  pythonText,
} from './python-text.ts';

const maxTools = 10_000;
const maxRecorded = 100;
/** Values that are searched for tools and recorded calls. */
const maxValues = 1_000_000;
const maxLevels = 12;
/** Levels of a message within a text, which the reader of the document has not seen. */
const maxMessageLevels = 200;

interface ListedTool {
  readonly name: string;
  readonly title: unknown;
  readonly description: unknown;
  readonly inputSchema: Fields;
  readonly outputSchema: unknown;
  readonly annotations: unknown;
}

interface RecordedCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** Undefined until the answer is found. */
  result: Fields | undefined;
}

/** The import of one list of tools: its outline for the page, and the file for the chosen tools. */
export class McpImport {
  readonly outline: ImportOutline;
  readonly #tools: readonly ListedTool[];
  readonly #recorded = new Map<string, readonly RecordedCall[]>();

  constructor({ tools, calls }: Found, name: string) {
    this.#tools = [...tools.values()];
    for (const call of calls)
      if (call.result !== undefined)
        this.#recorded.set(
          call.tool,
          [...(this.#recorded.get(call.tool) ?? []), call].slice(0, maxRecorded),
        );
    const names = new FreeNames();
    this.outline = {
      kind: 'mcp',
      title: name === '' ? 'MCP tools' : cut(name, 100),
      format: 'MCP tools',
      module: moduleName(name.replace(/\.\w+$/, ''), 'tools'),
      servers: [],
      items: this.#tools.map((tool, id): ImportItem => {
        const count = this.#recorded.get(tool.name)?.length ?? 0;
        const free = names.take(functionName(tool.name));
        return {
          id,
          name: free,
          label: cut(tool.name, 128),
          summary: cut(tool.title ?? tool.description, 200),
          tags: [count === 0 ? 'no recorded result' : `${count} recorded`],
          refusal: '',
        };
      }),
      notes: [],
    };
  }

  write({ items, module }: ImportChoice): WrittenImport {
    const notes = new Map<number, readonly string[]>();
    const chosen = items.flatMap((id) => {
      const tool = this.#tools[id];
      const item = this.outline.items[id];
      return tool === undefined || item === undefined ? [] : [{ id, tool, name: item.name }];
    });
    const recorded: Record<string, unknown[]> = {};
    const functions: string[] = [];
    const specs: string[] = [];
    const shown = new FreeNames(chosen.map(({ tool }) => tool.name).filter(isLegalName));
    for (const { id, tool, name } of chosen) {
      const toolNotes = new Set<string>();
      const calls = this.#recorded.get(tool.name) ?? [];
      if (calls.length > 0) recorded[name] = calls.map(recordedCall);
      functions.push(stub(tool, name, module, calls.length > 0));
      // The name stays that of the MCP tool where it can.
      const own = isLegalName(tool.name) ? tool.name : shown.take(name);
      specs.push(spec(tool, { shown: own, handler: name, module }, toolNotes));
      notes.set(id, [...toolNotes]);
    }
    const hasRecorded = Object.keys(recorded).length > 0;
    const text = [
      docstring(about(hasRecorded), 0),
      '',
      ...(hasRecorded ? ['import json', '', `RECORDED = ${literal(recorded)}`, ''] : []),
      '',
      functions.join('\n\n'),
      ...(hasRecorded ? ['', recordedHelper] : []),
      '',
      'TOOL_SPECS = [',
      ...specs,
      ']',
      '',
    ].join('\n');
    return { text, notes, origins: [], keys: [] };
  }
}

export interface Found {
  readonly tools: ReadonlyMap<string, ListedTool>;
  readonly calls: readonly RecordedCall[];
}

/** Finds tools and recorded calls wherever they are in a document: a list, an answer, a trace, an export of a client. */
export function findTools(document: unknown): Found {
  const tools = new Map<string, ListedTool>();
  const calls: RecordedCall[] = [];
  /** Calls without an answer, by the id of their message. */
  const waiting = new Map<unknown, RecordedCall>();
  const queue: { readonly value: unknown; readonly level: number }[] = [
    { value: document, level: 0 },
  ];
  // The loop appends to the queue.
  for (const { value, level } of queue) {
    if (!isRecord(value)) continue;
    if (isTool(value) && tools.size < maxTools && !tools.has(value.name)) {
      tools.set(value.name, {
        name: value.name,
        title: value.title,
        description: value.description,
        inputSchema: asFields(value.inputSchema ?? value.input_schema),
        outputSchema: value.outputSchema,
        annotations: value.annotations,
      });
      continue;
    }
    const request = message(value.request ?? value);
    const { name, arguments: args } = asFields(request.params);
    if (request.method === 'tools/call' && typeof name === 'string') {
      const call = { tool: name, arguments: args ?? {}, result: resultOf(message(value.response)) };
      calls.push(call);
      if (call.result === undefined) waiting.set(request.id, call);
    } else if (isRecord(value.result) && waiting.has(value.id)) {
      const call = waiting.get(value.id);
      if (call !== undefined) call.result = resultOf(value);
      waiting.delete(value.id);
    }
    if (level < maxLevels)
      for (const item of Object.values(value))
        if (isRecord(item) && queue.length < maxValues)
          queue.push({ value: item, level: level + 1 });
  }
  return { tools, calls };
}

function isTool(value: Fields): value is Fields & { readonly name: string } {
  const schema = value.inputSchema ?? value.input_schema;
  return (
    typeof value.name === 'string' &&
    value.name !== '' &&
    isRecord(schema) &&
    !Array.isArray(schema)
  );
}

/** A message, which some clients export as text. */
function message(value: unknown): Fields {
  if (typeof value !== 'string') return asFields(value);
  const read = parseJson(value);
  return isObject(read) && !deeperThan(read, maxMessageLevels) ? read : {};
}

/** The result in an answer, or in what a client keeps of it. */
function resultOf(answer: Fields): Fields | undefined {
  if (isRecord(answer.result)) return answer.result;
  return Array.isArray(answer.content) ? answer : undefined;
}

/** A recorded call as the file has it: arguments, and a result or an error. */
function recordedCall({ arguments: args, result = {} }: RecordedCall): unknown {
  const { structuredContent, content, isError } = result;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  const texts = parts.map((part) => asFields(part).text);
  const text = stringsIn(texts).join('\n');
  if (isError === true) return { arguments: args, error: text };
  const value = structuredContent ?? (texts.every((one) => typeof one === 'string') ? text : parts);
  return { arguments: args, result: value };
}

/** The docstring of the file. */
function about(hasRecorded: boolean): string {
  return hasRecorded
    ? 'Placeholders for the tools of an MCP server.\n\nThey return the results that were recorded for the same arguments.'
    : 'Placeholders for the tools of an MCP server, to be written.';
}

/** The function in place of a tool: it returns recorded results, or raises an error that says what to write. */
function stub(tool: ListedTool, name: string, module: string, isRecorded: boolean): string {
  const names = Object.keys(asFields(tool.inputSchema.properties)).slice(0, 100);
  const required = new Set(stringsIn(tool.inputSchema.required));
  const isLegal = names.every((each) => parameterName(each) === each);
  const doc = docstring(descriptionOf(tool), 4);
  if (isRecorded || !isLegal) {
    const body = isRecorded ? `return _recorded("${name}", arguments)` : notWritten(name, module);
    return `def ${name}(**arguments):\n    ${doc}\n    ${body}\n`;
  }
  const parameters = [
    ...names.filter((each) => required.has(each)),
    ...names.filter((each) => !required.has(each)).map((each) => `${each}=None`),
  ];
  return `def ${name}(${parameters.join(', ')}):\n    ${doc}\n    ${notWritten(name, module)}\n`;
}

function notWritten(name: string, module: string): string {
  return `raise NotImplementedError("${name} is not written yet: write it in ${module}.py")`;
}

function descriptionOf({ name, title, description }: ListedTool): string {
  return cut(description, 4_000) || cut(title, 300) || cut(name, 128);
}

/** Whether a tool can keep its name after the colon. */
function isLegalName(name: string): boolean {
  return /^[\w./-]{1,128}$/.test(name);
}

/** The spec of a tool, which is `shown` after the colon of its name, and whose function is `handler`. */
function spec(
  tool: ListedTool,
  { shown, handler, module }: { shown: string; handler: string; module: string },
  notes: Set<string>,
): string {
  const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
  const given = asFields(tool.annotations);
  const annotations = Object.fromEntries(
    hints.flatMap((hint) => (typeof given[hint] === 'boolean' ? [[hint, given[hint]]] : [])),
  );
  const returns = isRecord(tool.outputSchema) ? schemaOf(tool.outputSchema, notes) : null;
  const label = cut(tool.title ?? given.title, 200);
  const members = [
    `"name": ${pythonText(`${module}:${shown}`)}`,
    ...(label === '' ? [] : [`"label": ${pythonText(label)}`]),
    `"description": ${pythonText(descriptionOf(tool))}`,
    `"parameters": ${literal(schemaOf(tool.inputSchema, notes), 8, '"parameters": '.length)}`,
    ...(returns === null ? [] : [`"returns": ${literal(returns, 8, '"returns": '.length)}`]),
    ...(Object.keys(annotations).length === 0 ? [] : [`"annotations": ${literal(annotations, 8)}`]),
    `"handler": ${handler}`,
  ];
  return `    {\n${members.map((member) => `        ${member},\n`).join('')}    },`;
}

/** A schema of a tool as the file has it: complete in itself, and of an object. */
function schemaOf(schema: Fields, notes: Set<string>): Fields {
  const schemas = new Schemas(schema, notes, 1_000);
  const converted = schemas.convert(schema);
  const { definitions } = schemas;
  return {
    ...(isRecord(converted) && converted),
    type: 'object',
    ...(isRecord(converted) && !('properties' in converted) && { properties: {} }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

const recordedHelper = `
def _recorded(tool, arguments):
    """The result that was recorded for these arguments."""
    for call in RECORDED[tool]:
        if call["arguments"] == arguments:
            if "error" in call:
                raise RuntimeError(call["error"])
            return call["result"]
    raise NotImplementedError(
        f"{tool} has no recorded result for these arguments: {json.dumps(arguments)}"
    )
`;
