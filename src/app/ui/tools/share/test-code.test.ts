import { expect, test } from 'vitest';
import { sampleTool } from '../../../../../tests/support/ui-samples.ts';
import { fakeSuccess } from '../../../../runtime/call/logged-call.fixture.ts';
import { failure } from '../../../../runtime/call/results.ts';
import { pytestTest, sessionPrompt } from './test-code.ts';

const args = '{"location": "Oslo", "n": 3.0}';
const json = {
  ...fakeSuccess(''),
  content: [{ type: 'json', text: '{"c": [1.0, null]}' }],
} as const;

test('a call with its result is a test that compares it', () => {
  expect(pytestTest(sampleTool(), args, json)).toBe(`from weather_tools import get_temperatures


def test_weather_tools_get_temperatures():
    result = get_temperatures(location="Oslo", n=3.0)
    assert result == {"c": [1.0, None]}
`);
});

test('a failed call is a test that expects its exception', () => {
  expect(pytestTest(sampleTool(), '{}', failure('ValueError: no', 'x'))).toBe(`import pytest
from weather_tools import get_temperatures


def test_weather_tools_get_temperatures():
    with pytest.raises(ValueError):
        get_temperatures()
`);
  expect(pytestTest(sampleTool(), '{}', failure('MyError: no', 'x'))).toContain(
    'raises(Exception)',
  );
});

test('a handler with a context gets a mock, and asynchronous ones are run', () => {
  const of = (kind: 'function' | 'async' | 'generator' | 'async-generator') =>
    pytestTest(
      sampleTool({ takesContext: true, handler: { ...sampleTool().handler, kind } }),
      '{"a": 1}',
      null,
    );
  expect(of('function')).toContain('from cloche_test import mock_context');
  expect(of('function')).toContain('(a=1, context=mock_context())\n    assert result is not None');
  expect(of('async')).toContain('asyncio.run(get_temperatures(a=1, context=mock_context()))');
  expect(of('generator')).toContain('updates = list(get_temperatures(');
  expect(of('async-generator')).toContain('return [update async for update in updates]');
});

test('a prompt has the arguments exactly as written', () => {
  expect(sessionPrompt(sampleTool(), args)).toContain(`\`\`\`json\n${args}\n\`\`\``);
});
