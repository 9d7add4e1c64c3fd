/** Formats a call of a tool as a test for pytest, and as a message for a session. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { Tool } from '../../../../runtime/spec/tool.ts';
import { jsonValue } from '../../../../agent/saved-tests/judged-outcome.ts';
import { pythonLiteral } from '../../../../runtime/spec/python-literal.ts';
import { handlerArguments, handlerImport } from './call-code.ts';

/** Longer results are not written into a test; characters. */
const maxChars = 20_000;

/**
 * A test of the handler, to be put beside the tool file.
 * @param result of a call with these arguments and this version of the file; null if there is none
 */
export function pytestTest(tool: Tool, args: JsonText, result: ToolResult | null): string {
  const { lines, call } = handlerImport(tool);
  const { kind } = tool.handler;
  const called = `${call}(${handlerArguments(tool, args)})`;
  const error = /^([A-Za-z_]\w*)(?=:|$)/.exec(result?.error ?? '')?.[1] ?? null;
  const isStream = kind === 'generator' || kind === 'async-generator';
  const value =
    kind === 'async'
      ? `asyncio.run(${called})`
      : kind === 'async-generator'
        ? `asyncio.run(collect(${called}))`
        : isStream
          ? `list(${called})`
          : called;
  const imports = [
    ...(kind.startsWith('async') ? ['import asyncio'] : []),
    ...lines.filter((line) => line === 'import importlib'),
    ...(error === null ? [] : ['', 'import pytest']),
    ...(tool.takesContext ? ['from cloche_test import mock_context'] : []),
  ];
  const rest = lines.filter((line) => line !== 'import importlib' && line !== '');
  const collect =
    kind === 'async-generator'
      ? ['', '', 'async def collect(updates):', '    return [update async for update in updates]']
      : [];
  const checked = isStream
    ? [`    updates = ${value}`, '    assert updates']
    : [`    result = ${value}`, `    assert ${expectation(result)}`];
  const body =
    error === null
      ? checked
      : [`    with pytest.raises(${isBuiltIn(error) ? error : 'Exception'}):`, `        ${value}`];
  const name = tool.name.replaceAll(/\W+/g, '_');
  return `${[...imports, ...rest, ...collect, '', '', `def test_${name}():`, ...body].join('\n').trimStart()}\n`;
}

/** A message that asks a model to make this call. */
export function sessionPrompt(tool: Tool, args: JsonText): string {
  return `Call the tool ${tool.name} with exactly these arguments, and tell me what it returns:

\`\`\`json
${args.trim()}
\`\`\`
`;
}

function expectation(result: ToolResult | null): string {
  if (result?.resultType !== 'success') return 'result is not None';
  const value = jsonValue(result) ?? JSON.stringify(result.textResultForLlm);
  return value.length > maxChars ? 'result is not None' : `result == ${pythonLiteral(value)}`;
}

/**
 * Whether an error is built in. Other classes would have to be imported from where the tool has
 * them.
 */
function isBuiltIn(error: string): boolean {
  return /^(?:Value|Type|Key|Index|Lookup|Runtime|ZeroDivision|Overflow|Attribute|Name|NotImplemented|Assertion|FileNotFound|Permission|Timeout|OS|Arithmetic)Error$/.test(
    error,
  );
}
