import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWrittenTools, readLiteral } from './written-tools.ts';

const of = (text: string, path = 'example.py') => findWrittenTools([{ path, text }]);

test('typed functions have a schema from their annotations, defaults and docstrings', () => {
  const text = `
import math

def _private(a): ...

async def plan(
    city: str,  # where, exactly
    days: int = 3,
    unit: Literal["c", "f"] = "c",
    tags: list[str] | None = None,
    limit: Optional[float] = None,
    either: int | str = 1,
    other: date = today(1, 2),
    *,
    fast: bool = False,
) -> dict[str, int]:
    """Plans a trip.

    Args:
        city: where to go
        days (int): how long
    """
    return {}

class Tool:
    def method(self, a: int): ...
`;
  expect(of(text)).toEqual([
    {
      name: 'example:plan',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'where to go' },
          days: { type: 'integer', description: 'how long', default: 3 },
          unit: { enum: ['c', 'f'], default: 'c' },
          tags: { type: 'array', items: { type: 'string' } },
          limit: { type: 'number' },
          either: { type: ['integer', 'string'], default: 1 },
          other: {},
          fast: { type: 'boolean', default: false },
        },
        required: ['city'],
      },
      examples: [],
    },
  ]);
});

test('specs are read as far as they are written out', () => {
  const text = `
def add(a, b): return a + b

TOOL_SPECS: list[dict] = [
    {
        "name": "sums:add",
        # with a "comment", and
        "description": "Adds " + suffix,
        "parameters": {"type": "object", "properties": {
            'a': {"type": "number", "description": "one "
                  "text", "minimum": -1.5e3}, "b": {"type": "number"}}, "required": ["a"],
            "additionalProperties": False},
        "handler": lambda a, b=(1, 2): add(a, {"x": b}),
        "examples": [{"a": 1}, example],
    },
    {"name": "sums:other", "parameters": schema_of(add)},
    *more,
]
`;
  expect(of(text, 'sums.py')).toEqual([
    {
      name: 'sums:add',
      parameters: {
        type: 'object',
        properties: {
          a: { type: 'number', description: 'one text', minimum: -1500 },
          b: { type: 'number' },
        },
        required: ['a'],
        additionalProperties: false,
      },
      examples: [{ a: 1 }],
    },
  ]);
});

test('a file that marks its tools has no others', () => {
  const text = '@mcp.tool()\ndef one(a: int): ...\n\ndef two(b: int): ...\n';
  expect(of(text).map(({ name }) => name)).toEqual(['example:one']);
});

test('files without tools, and text that is no Python, have none', () => {
  expect(of('x = 1')).toEqual([]);
  expect(of('TOOL_SPECS = make()')).toEqual([]);
  expect(of('TOOL_SPECS = [{"name": "a:b", "parameters": ')).toEqual([]);
  expect(of('def f(a: int): ...', 'notes.md')).toEqual([]);
});

test('any JSON is read back as Python writes it, and nothing makes the reader fail or hang', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: true, maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value).replace(/\\u[\da-f]{4}/gi, '?');
      const python = text.replaceAll(
        /(?<=[[:,]|^)(true|false|null)(?=[\],}]|$)/g,
        (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
      );
      fc.pre(!/"[^"]*(true|false|null)/.test(text));
      expect(readLiteral(python, 0)).toEqual(JSON.parse(text));
    }),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from('[{(\'")}],:#\\ \na1')) }),
      (text) => {
        readLiteral(text, 0);
        of(`TOOL_SPECS = ${text}\ndef f(${text}): ...`);
      },
    ),
  );
});
