import { expect, test } from 'vitest';
import { sampleTool } from '../../../../../tests/support/ui-samples.ts';
import { definitionText, fetchCall, pythonCall } from './call-code.ts';

const weather = sampleTool();

function ofKind(kind: 'function' | 'async' | 'generator' | 'async-generator') {
  return sampleTool({ handler: { ...weather.handler, kind } });
}

test("a call in Python has numbers exactly as written, and Python's keywords", () => {
  const args = '{"location": "São \\"Paulo\\"", "n": 12345678901234567890, "x": [1.0, true, null]}';
  expect(pythonCall(weather, args)).toBe(
    `from weather_tools import get_temperatures

print(get_temperatures(location="São \\"Paulo\\"", n=12345678901234567890, x=[1.0, True, None]))
`,
  );
});

test('names that are invalid in Python are passed in a dict', () => {
  expect(pythonCall(weather, '{"from": 1, "a b": {"k": false}}')).toContain(
    'get_temperatures(**{"from": 1}, **{"a b": {"k": False}})',
  );
});

test('asynchronous handlers are awaited, and generators iterated', () => {
  expect(pythonCall(ofKind('async'), '{}')).toContain(
    'import asyncio\n\nfrom weather_tools import get_temperatures\n\nprint(asyncio.run(get_temperatures()))',
  );
  expect(pythonCall(ofKind('generator'), '{}')).toContain('for update in get_temperatures():');
  expect(pythonCall(ofKind('async-generator'), '{}')).toContain('    async for update in');
});

test('a handler that takes a context gets one', () => {
  expect(pythonCall(sampleTool({ takesContext: true }), '{"location": "Oslo"}')).toBe(
    `from weather_tools import get_temperatures
# This module, cloche_test.py, can be downloaded under Tests.
from cloche_test import mock_context

print(get_temperatures(location="Oslo", context=mock_context()))
`,
  );
});

test('a handler without a name is found through its tool spec', () => {
  const tool = sampleTool({ handler: { ...weather.handler, name: '<lambda>' } });
  expect(pythonCall(tool, '{}')).toBe(`import importlib

specs = importlib.import_module("weather_tools").TOOL_SPECS
handler = next(spec["handler"] for spec in specs if spec["name"] == "weather_tools:get_temperatures")

print(handler())
`);
});

test('a call in JavaScript contains the arguments as text', () => {
  const code = fetchCall(weather, '{"n": 3.0}\n', 'https://example.org/app/');
  expect(code).toContain(
    '"https://example.org/app/api/tools/weather_tools:get_temperatures/invoke"',
  );
  expect(code).toContain('body: `{"arguments": {"n": 3.0}}`');
  const odd = fetchCall(weather, '{"s": "`${1}`\\n"}', '/');
  expect(odd).toContain('body: "{\\"arguments\\": {\\"s\\": \\"`${1}`\\\\n\\"}}"');
});

test('definitions have the formats of the providers', async () => {
  expect(JSON.parse(await definitionText('openai-chat', weather))).toMatchObject({
    type: 'function',
    function: { name: 'weather_tools__get_temperatures' },
  });
  expect(JSON.parse(await definitionText('anthropic', weather))).toMatchObject({
    name: 'weather_tools__get_temperatures',
    input_schema: weather.parameters,
  });
});
