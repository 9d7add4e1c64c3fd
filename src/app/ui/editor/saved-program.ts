/** Makes a tool file of a program. */

import { parser } from '@lezer/python';
import { pythonLiteral } from '../../../runtime/spec/python-literal.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';

/** A tool of the folder, and the function under which programs call it. */
export interface CallableTool {
  readonly module: string;
  readonly function: string;
  readonly tool: Pick<
    RegisteredTool,
    'name' | 'handler' | 'source' | 'takesContext' | 'requires_approval'
  >;
}

/**
 * The text of a file with one tool, which runs the program. It calls the functions of other tools directly, and needs
 * approval if one of them does.
 *
 * @param name such as `module:tool`
 */
export function writeProgram(code: string, name: string, tools: readonly CallableTool[]): string {
  const used = tools.filter((one) =>
    new RegExp(String.raw`\b${one.module}\s*\.\s*${one.function}\b`).test(code),
  );
  const modules = [...new Set(used.map((one) => one.module))];
  const asks = used.some(({ tool }) => tool.requires_approval !== false);
  const lines = modules.map((each) => {
    const calledOfModule = used.filter((one) => one.module === each);
    const functions = calledOfModule
      .map((one) => `    ${one.function}=${functionOf(one)},\n`)
      .join('');
    return `${each} = SimpleNamespace(\n${functions})\n`;
  });
  return `"""Runs a program that was written in the console."""

import asyncio
import importlib
import inspect
import json
from types import SimpleNamespace

ToolError = Exception


def _tool(module, function):
    async def call(*args, **kwargs):
        value = getattr(importlib.import_module(module), function)(*args, **kwargs)
        return await value if inspect.isawaitable(value) else value

    return call


def _missing(tool):
    async def call(*args, **kwargs):
        raise RuntimeError(f"{tool} can only be called by Cloche.")

    return call


${lines.join('')}

async def _program() -> object:
    """Runs the program."""
${bodyOf(code)}

TOOL_SPECS = [
    {
        "name": ${literal(name)},
        "description": "Runs a program that was written in the console.",
        "parameters": {"type": "object", "properties": {}},
        "requires_approval": ${asks ? 'True' : 'False'},
        "handler": _program,
    },
]
`;
}

function functionOf({ tool }: CallableTool): string {
  const { handler, source, takesContext } = tool;
  const file = handler.file ?? source.file;
  const isFunction = /^[A-Za-z_]\w*$/.test(handler.name) && /^[\w/]+\.py$/.test(file);
  if (!isFunction || takesContext) return `_missing(${literal(tool.name)})`;
  return `_tool(${literal(file.slice(0, -3).replaceAll('/', '.'))}, ${literal(handler.name)})`;
}

function literal(text: string): string {
  return pythonLiteral(JSON.stringify(text));
}

/** The program as the body of a function, which returns the value of the last line. Lines inside strings stay as they are. */
function bodyOf(code: string): string {
  const tree = parser.parse(code);
  let last = tree.topNode.lastChild;
  while (last?.name === 'Comment') last = last.prevSibling;
  const returns = last?.name === 'ExpressionStatement' ? last.from : -1;
  const kept = new Set<number>();
  tree.iterate({
    enter: ({ name, from, to }) => {
      if (!name.endsWith('String')) return;
      for (let at = code.indexOf('\n', from); at >= 0 && at < to; at = code.indexOf('\n', at + 1))
        kept.add(at + 1);
    },
  });
  let start = 0;
  return `${code.trimEnd()}\n`
    .split('\n')
    .map((line) => {
      const from = start;
      start += line.length + 1;
      const isLast = from <= returns && returns < start;
      const text = isLast
        ? `${line.slice(0, returns - from)}return ${line.slice(returns - from)}`
        : line;
      return kept.has(from) || line === '' ? text : `    ${text}`;
    })
    .join('\n');
}
