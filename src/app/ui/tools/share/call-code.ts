/** Formats a tool, or a call of it, as code for use elsewhere. */

import {
  createDefinitions,
  type Provider,
} from '../../../../runtime/registry/provider-definitions.ts';
import { toolNames } from '../../../../runtime/registry/provider-names.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { Tool } from '../../../../runtime/spec/tool.ts';
import { nodesIn, rootNode } from '../../../../runtime/spec/json-tokens.ts';
import { pythonLiteral, pythonString } from '../../../../runtime/spec/python-literal.ts';

/** Python code that calls the handler with these arguments, to be run beside the tool file. */
export function pythonCall(tool: Tool, args: JsonText): string {
  const { kind } = tool.handler;
  const { lines, call: handler } = handlerImport(tool);
  if (tool.takesContext)
    lines.push(
      '# This module, cloche_test.py, can be downloaded under Tests.',
      'from cloche_test import mock_context',
    );
  const call = `${handler}(${handlerArguments(tool, args)})`;
  const outcome = {
    function: `print(${call})`,
    generator: `for update in ${call}:\n    print(update)`,
    async: `print(asyncio.run(${call}))`,
    'async-generator': `async def main():\n    async for update in ${call}:\n        print(update)\n\n\nasyncio.run(main())`,
  }[kind];
  const waits = kind === 'async' || kind === 'async-generator';
  return `${[...(waits ? ['import asyncio', ''] : []), ...lines, '', outcome].join('\n')}\n`;
}

/** The lines of Python that import a tool's handler, and the name that it has then. */
export function handlerImport(tool: Tool): { readonly lines: string[]; readonly call: string } {
  const module = tool.source.file.replace(/\.py$/, '');
  const { name } = tool.handler;
  const direct = isName(module) && isName(name) && tool.name.endsWith(`:${name}`);
  if (direct) return { lines: [`from ${module} import ${name}`], call: name };
  return {
    lines: [
      'import importlib',
      '',
      `specs = importlib.import_module(${pythonString(module)}).TOOL_SPECS`,
      `handler = next(spec["handler"] for spec in specs if spec["name"] == ${pythonString(tool.name)})`,
    ],
    call: 'handler',
  };
}

/** The `examples` of a tool spec with these arguments, to be put into the tool file. */
export function exampleText(args: JsonText): string {
  return `"examples": [${pythonLiteral(args)}],\n`;
}

/** JavaScript that calls the tool through the virtual API, from any page below `base`. */
export function fetchCall(tool: Tool, args: JsonText, base: string): string {
  const address = `${base}api/tools/${encodeURIComponent(tool.name).replaceAll('%3A', ':')}/invoke`;
  // The text is used as it is, since parsing could change numbers.
  const text = `{"arguments": ${args.trim()}}`;
  const body = /[`\\]|\$\{/.test(text) ? JSON.stringify(text) : `\`${text}\``;
  return `const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: ${body},
});
await response.json();
`;
}

/** The definition of a tool in a provider's format, as JSON. @throws {ToolError} if the provider does not accept it */
export async function definitionText(provider: Provider, tool: Tool): Promise<string> {
  const defined = await createDefinitions(provider, [tool], await toolNames([tool.name]));
  return `${JSON.stringify(defined[0], null, 2)}\n`;
}

/** The arguments of the handler as Python, with a context if the handler takes one. */
export function handlerArguments(tool: Tool, args: JsonText): string {
  const context = tool.takesContext ? ['context=mock_context()'] : [];
  return [callArguments(args), ...context].filter((one) => one !== '').join(', ');
}

function callArguments(args: JsonText): string {
  const members = nodesIn(args, rootNode(args), Number.POSITIVE_INFINITY).nodes;
  const literal = (key: string, at: number): string => {
    const node = members[at];
    const value = node === undefined ? 'None' : pythonLiteral(args, node);
    return isName(key) ? `${key}=${value}` : `**{${pythonString(key)}: ${value}}`;
  };
  return members.map(({ key }, at) => literal(String(key), at)).join(', ');
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

function isName(text: string): boolean {
  return /^[A-Za-z_]\w*$/.test(text) && !keywords.has(text);
}
