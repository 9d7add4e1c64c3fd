import { expect, test } from 'vitest';
import type { JsonObject } from '../spec/json.ts';
import { fakeTool } from '../scan/tool.fixture.ts';
import {
  describeExtras,
  extrasWithinBudget,
  countExtraTokens,
  describeReturns,
} from './tool-extras.ts';

const returns: JsonObject = {
  type: 'object',
  description: 'The forecast of a day.',
  properties: { title: { type: 'string', description: 'A headline.' } },
};

test('a tool without examples and result is told nothing more', () => {
  expect(extrasWithinBudget(fakeTool('m:f'), 1)).toEqual({});
  expect(extrasWithinBudget(fakeTool('m:f', { returns: {} }), 1)).toEqual({});
});

test('what fits is told as it is written', () => {
  const examples = [{ city: 'Oslo' }, { city: 'Rome' }];
  expect(extrasWithinBudget(fakeTool('m:f', { examples, returns }), 1)).toEqual({
    examples,
    returns,
  });
});

test('at most five examples are told, and none that is too long', () => {
  const short = Array.from({ length: 9 }, (_, n) => ({ n }));
  const long = { text: 'x'.repeat(5_000) };
  expect(extrasWithinBudget(fakeTool('m:f', { examples: [long, ...short] }), 1).examples).toEqual(
    short.slice(0, 4),
  );
});

test('a long result loses its notes, then what is inside its members, then everything', () => {
  const noted = (chars: number): JsonObject => ({ ...returns, description: 'x'.repeat(chars) });
  expect(extrasWithinBudget(fakeTool('m:f', { returns: noted(3_000) }), 1).returns).toEqual({
    type: 'object',
    // The member is named as a note is.
    properties: { title: { type: 'string' } },
  });
  const wide = (members: number): JsonObject => ({
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: members }, (_, n) => [
          `p${n}`,
          { type: 'string', pattern: 'x'.repeat(100) },
        ]),
      ),
    },
  });
  expect(extrasWithinBudget(fakeTool('m:f', { returns: wide(40) }), 1).returns).toMatchObject({
    type: 'array',
    items: { type: 'object', properties: { p39: { type: 'string' } } },
  });
  expect(extrasWithinBudget(fakeTool('m:f', { returns: wide(400) }), 1)).toEqual({});
});

test('tools of one request share its budget', () => {
  const tool = fakeTool('m:f', {
    examples: [{ text: 'x'.repeat(150) }, { text: 'y'.repeat(700) }],
    returns: { type: 'object', description: 'z'.repeat(900) },
  });
  const tokens = [1, 20, 50, 1_000].map((count) =>
    countExtraTokens(extrasWithinBudget(tool, count)),
  );
  expect(tokens).toEqual([453, 453, 45, 45]);
  for (const [index, limit] of [500, 500, 200, 100].entries())
    expect(tokens[index]).toBeLessThanOrEqual(limit);
});

test('providers without a place for examples get text', () => {
  const tool = {
    name: 'm__f',
    description: 'Forecasts.',
    parameters: {},
    examples: [{ city: 'Oslo' }, { city: 'Rome' }],
    returns: { type: 'string' },
  };
  const text = 'Forecasts.\n\nThe result fits this JSON Schema: {"type":"string"}';
  expect(describeReturns(tool)).toEqual({
    name: 'm__f',
    description: text,
    parameters: {},
    examples: tool.examples,
  });
  expect(describeExtras(tool)).toEqual({
    name: 'm__f',
    description: `${text}\n\nExamples of arguments:\n{"city":"Oslo"}\n{"city":"Rome"}`,
    parameters: {},
  });
});
