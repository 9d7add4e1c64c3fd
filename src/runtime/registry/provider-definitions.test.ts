/** Definitions in each provider's format. */

import { expect, test } from 'vitest';
import { fakeTool } from '../scan/tool.fixture.ts';
import { createDefinitions } from './provider-definitions.ts';
import { propertyNames, toolNames } from './provider-names.ts';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const tool = fakeTool('weather:today', {
  label: 'Weather today',
  description: 'The weather.',
  parameters,
  examples: [{ city: 'Oslo' }],
  returns: { type: 'object' },
  annotations: { readOnlyHint: true },
});

const result = 'The weather.\n\nThe result fits this JSON Schema: {"type":"object"}';
const description = `${result}\n\nExamples of arguments:\n{"city":"Oslo"}`;
const names = await toolNames([tool.name]);

test('OpenAI chat', async () => {
  expect(await createDefinitions('openai-chat', [tool], names)).toEqual([
    {
      type: 'function',
      function: { name: 'weather__today', description, parameters },
    },
  ]);
});

test('OpenAI responses', async () => {
  expect(await createDefinitions('openai-responses', [tool], names)).toEqual([
    {
      type: 'function',
      name: 'weather__today',
      description,
      parameters,
      strict: false,
    },
  ]);
});

test('Anthropic', async () => {
  expect(await createDefinitions('anthropic', [tool], names)).toEqual([
    {
      name: 'weather__today',
      description: result,
      input_schema: parameters,
      input_examples: [{ city: 'Oslo' }],
    },
  ]);
});

test('Gemini', async () => {
  expect(await createDefinitions('gemini', [tool], names)).toEqual([
    {
      functionDeclarations: [
        { name: 'weather__today', description, parametersJsonSchema: parameters },
      ],
    },
  ]);
});

test('MCP', async () => {
  const list = fakeTool('weather:list', { returns: { type: 'array' } });
  const both = await toolNames([tool.name, list.name]);
  expect(await createDefinitions('mcp', [tool, list], both)).toEqual([
    {
      name: 'weather__today',
      title: 'Weather today',
      description: 'The weather.',
      inputSchema: parameters,
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    },
    {
      name: 'weather__list',
      title: 'weather:list',
      description: 'What list does.',
      inputSchema: { type: 'object', properties: {} },
      annotations: {},
    },
  ]);
});

test('a tool without a name in the table is left out', async () => {
  expect(await createDefinitions('anthropic', [fakeTool('a:b'), tool], names)).toHaveLength(1);
});

test('parameters that Anthropic rejects are renamed wherever they are mentioned', async () => {
  const odd = fakeTool('m:f', {
    parameters: {
      type: 'object',
      properties: {
        'größe/x': { type: 'number' },
        plain: { $ref: '#/properties/gr%C3%B6%C3%9Fe~1x' },
        $ref: { type: 'string' },
      },
      required: ['größe/x', 'plain'],
      additionalProperties: false,
    },
  });
  const wire = (await propertyNames(odd.parameters)).toWire('größe/x') ?? '';
  const [defined] = await createDefinitions('anthropic', [odd], await toolNames(['m:f']));
  expect(wire).toMatch(/^gr_e_x_h[0-9a-f]{10}$/);
  expect(defined?.input_schema).toEqual({
    type: 'object',
    properties: {
      [wire]: { type: 'number' },
      plain: { $ref: `#/properties/${wire}` },
      [`ref_h${(await propertyNames({ properties: { $ref: {} } })).toWire('$ref')?.slice(-10) ?? ''}`]:
        {
          type: 'string',
        },
    },
    required: [wire, 'plain'],
    additionalProperties: false,
  });
  expect(odd.parameters.required).toEqual(['größe/x', 'plain']);
});

test('renamed parameters are renamed in alternatives and dependencies too', async () => {
  const odd = fakeTool('m:f', {
    parameters: {
      type: 'object',
      properties: {
        ä: { type: 'string', enum: ['ä'] },
        b: { $ref: '#/properties/100%25%' },
        '100%': { properties: { ä: {} }, required: ['ä'] },
      },
      anyOf: [{ required: ['ä'] }, { not: { required: ['b', 'ä'] } }],
      if: { properties: { ä: { const: 'ä' } } },
      dependentRequired: { ä: ['b', 'ä'] },
      dependencies: { b: ['ä'], ä: { required: ['ä'] } },
    },
  });
  const table = await propertyNames(odd.parameters);
  const [a = '', percent = ''] = ['ä', '100%'].map((key) => table.toWire(key));
  const [defined] = await createDefinitions('anthropic', [odd], await toolNames(['m:f']));
  expect(defined?.input_schema).toEqual({
    type: 'object',
    properties: {
      [a]: { type: 'string', enum: ['ä'] },
      b: { $ref: '#/properties/100%25%' },
      [percent]: { properties: { ä: {} }, required: ['ä'] },
    },
    anyOf: [{ required: [a] }, { not: { required: ['b', a] } }],
    if: { properties: { [a]: { const: 'ä' } } },
    dependentRequired: { [a]: ['b', a] },
    dependencies: { b: [a], [a]: { required: [a] } },
  });
});

test('parameters that would get the same name are refused', async () => {
  const twins = fakeTool('m:f', {
    parameters: { type: 'object', properties: { 'a\ud800': {}, 'a\ud801': {} } },
  });
  await expect(createDefinitions('anthropic', [twins], await toolNames(['m:f']))).rejects.toThrow(
    'are the same to the provider',
  );
});
