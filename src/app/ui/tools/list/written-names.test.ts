import { expect, test } from 'vitest';
import { findWrittenNames } from './written-names.ts';

test('the tools of a file are named in its specs, even if its syntax is wrong', () => {
  const text = `def area(:
TOOL_SPECS = [
  {"name": "shapes:area", "parameters": {"properties": {"name": {"type": "string"}}}},
  {'name' : 'shapes:side', "handler": area
  {"name": "shapes:area"}, {"name": "other:tool"}, {"name": f"shapes:{x}"},
]`;
  expect(findWrittenNames('shapes.py', text)).toEqual(['shapes:area', 'shapes:side']);
  expect(findWrittenNames('other.py', 'def tool(): ...')).toEqual([]);
});
