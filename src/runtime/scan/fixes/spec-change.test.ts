import { expect, test } from 'vitest';
import { applyFix } from './fix.ts';
import { specChange, type SpecChange } from './spec-change.ts';
import { SpecSource } from './spec-source.ts';

function changed(text: string, change: SpecChange): string | null {
  const fix = specChange(new SpecSource(text), 'm:f', change);
  return fix === null ? null : applyFix(text, fix);
}

const file = `TOOL_SPECS = [
    {
        "name": "m:f",
        "description": "Old "
        "words.",
        "parameters": {"type": "object"},
        "handler": f,
    },
]
`;

test('keys are replaced, or added behind the last one', () => {
  const schema = { type: 'object', properties: { a: { type: ['string', 'null'], default: null } } };
  expect(changed(file, { description: 'New “words”.', returns: schema })).toBe(`TOOL_SPECS = [
    {
        "name": "m:f",
        "description": "New “words”.",
        "parameters": {"type": "object"},
        "handler": f,
        "returns": {
            "type": "object",
            "properties": {"a": {"type": ["string", "null"], "default": None}},
        },
    },
]
`);
});

test('the last key can be replaced while another is added', () => {
  const line = 'TOOL_SPECS = [{"name": "m:f", "handler": f, "description": "d"}]';
  expect(changed(line, { description: 'e', returns: { type: 'array' } })).toBe(
    'TOOL_SPECS = [{"name": "m:f", "handler": f, "description": "e", "returns": {"type": "array"}}]',
  );
});

test('booleans and quotes are written as Python does', () => {
  const text = changed(file, { parameters: { additionalProperties: false, title: 'a "b"\n' } });
  expect(text).toContain('"parameters": {"additionalProperties": False, "title": "a \\"b\\"\\n"}');
});

test('a value that is computed is not replaced, and a spec that is not written out is not changed', () => {
  expect(changed(file.replace('{"type": "object"}', 'SCHEMA'), { parameters: {} })).toBeNull();
  expect(changed(file.replace('{"type": "object"}', 'None'), { parameters: {} })).not.toBeNull();
  expect(changed('TOOL_SPECS = specs()', { description: 'd' })).toBeNull();
});
