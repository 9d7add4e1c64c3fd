/** The tools of a session as Python functions, and the definition of `run_python` for the model. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { savedNameTable, toolNames } from '../../runtime/registry/provider-names.ts';
import type { JsonObject } from '../../runtime/spec/json.ts';
import { programDefinition } from './run-python-definition.ts';
import { programLimits } from './program-limits.ts';
import { toolFunctions } from './tool-functions.ts';

function tool(name: string, parameters: JsonObject = {}, more: { deferred?: boolean } = {}) {
  return { name, description: `About ${name}.`, parameters, deferred: false, ...more };
}

function signatureOf(parameters: JsonObject, returns: JsonObject | null = null): string {
  const [one] = toolFunctions([{ ...tool('m:f', parameters), returns }]);
  return one?.doc.split('\n', 1)[0] ?? '';
}

test('a function has its tool’s parameters with Python’s types, required ones first', () => {
  const parameters = {
    type: 'object',
    properties: {
      days: { type: 'integer', default: 3 },
      city: { type: 'string', description: 'Where' },
      unit: { enum: ['C', 'F'], default: 'C' },
      tags: { type: 'array', items: { type: 'string' } },
      name: { type: ['string', 'null'] },
      exact: { type: 'boolean', default: true },
      any: {},
    },
    required: ['city'],
  };
  expect(signatureOf(parameters, { type: 'object' })).toBe(
    'async def f(city: str, days: int = 3, unit: Literal["C", "F"] = "C", tags: list[str] = …, name: str | None = …, exact: bool = True, any: Any = …) -> dict',
  );
  const [one] = toolFunctions([tool('m:f', parameters)]);
  expect(one?.parameters.slice(0, 2)).toEqual(['city', 'days']);
  expect(one?.doc).toContain('About m:f.\n\n- city: Where');
});

test('parameters that are no identifiers are shown as members of **', () => {
  const properties = { from: { type: 'string' }, 'a-b': { type: 'number' } };
  expect(signatureOf({ type: 'object', properties })).toBe(
    'async def f(**{"from"}: str = …, **{"a-b"}: float = …)',
  );
});

test('names that Python cannot have get others, each only once', () => {
  const names = ['m:f', 'my-file:get it', 'my_file:get_it', 'class:import', 'json:x', '1:2', 'é:é'];
  const functions = toolFunctions(names.map((name) => tool(name)));
  expect(functions.map((one) => `${one.module}.${one.function}`)).toEqual([
    'm.f',
    'my_file.get_it',
    'my_file_2.get_it',
    'class_2.import_2',
    'json_2.x',
    't_1.t_2',
    't_.t_',
  ]);
});

test('any names give distinct functions with names that Python accepts', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 })), (names) => {
      const functions = toolFunctions(names.map((name) => tool(name)));
      const paths = functions.map((one) => `${one.module}.${one.function}`);
      expect(new Set(paths).size).toBe(names.length);
      for (const path of paths) expect(path).toMatch(/^[A-Za-z_]\w*\.[A-Za-z_]\w*$/);
    }),
  );
});

async function namesOf(...names: string[]): Promise<unknown> {
  const wires = await toolNames(names);
  const functions = toolFunctions(
    names.map((name) => ({ ...tool(name), wire: wires.toWire(name) })),
  );
  return functions.map((one) => [`${one.module}.${one.function}`, one.wire]);
}

test('a function has the name by which the model knows its tool', async () => {
  expect(await namesOf('m:f', 'my-file:get it', 'json:x')).toEqual([
    ['m.f', 'm__f'],
    ['my_file.get_it', expect.stringMatching(/^my_file_get_it_h[0-9a-f]{10}$/)],
    ['json_2.x', 'json__x'],
  ]);
});

test('a tool keeps its own name for the model beside one whose module has its name in Python', async () => {
  const other = expect.stringMatching(/^my_site_get_h/) as unknown;
  expect(await namesOf('my-site:get', 'my_site:get')).toEqual([
    ['my_site.get', other],
    ['my_site_2.get', 'my_site__get'],
  ]);
  expect(await namesOf('my_site:get', 'my-site:get')).toEqual([
    ['my_site.get', 'my_site__get'],
    ['my_site_2.get', other],
  ]);
});

async function definitionOf(tools: readonly ReturnType<typeof tool>[]) {
  const { entries } = await toolNames(tools.map(({ name }) => name));
  const defined = new Set(tools.filter(({ deferred }) => !deferred));
  return programDefinition(tools, defined, savedNameTable(entries));
}

test('the definition does not repeat tools that are defined beside it, and is short', async () => {
  const tools = ['weather:today', 'weather:week', 'mail:send'].map((name) => tool(name));
  const definition = await definitionOf(tools);
  expect(definition.description).not.toContain('week');
  // Models, and grammars that are made from the schema, need these.
  expect(definition.description).toContain('await');
  expect(definition.parameters).toMatchObject({ required: ['code'] });
  expect(definition.parameters).toHaveProperty('properties.reuse_variables');
  // Each request contains it: docs/sessions.md has the figures.
  expect(JSON.stringify(definition).length).toBeLessThan(240);
});

test('the definition lists functions whose names cannot be guessed, and tools that are not defined', async () => {
  const parameters = { type: 'object', properties: { to: { type: 'string' } } };
  const { description } = await definitionOf([
    tool('weather:today'),
    tool('weather:get it'),
    tool('my-file:get it'),
    tool('mail:send', parameters, { deferred: true }),
  ]);
  expect(description).not.toContain('weather');
  expect(description).toMatch(/\nmy_file:\n {2}async def get_it\(\) {2}# my-file_get_it_h\w+\n/);
  expect(description).toContain('\nmail:\n  async def send(to: str = …)');
});

test('the list of the definition stays within its budget', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => tool(`module:function_${n}`, {}, { deferred: true }));
  const [some, most] = await Promise.all([definitionOf(many(100)), definitionOf(many(3_000))]);
  const base = (await definitionOf([tool('module:function_0')])).description.length;
  expect(some.description).toContain('\n  function_99');
  for (const { description } of [some, most])
    expect(description.length).toBeLessThanOrEqual(base + programLimits.listedChars);
  expect(most.description).toMatch(/`help\(module\)` shows the rest\.$/);
});
