/** Documents that are hostile by their size, their references or their YAML. */

import { expect, test } from 'vitest';
import { createImporter } from './import-document.ts';
import { api, readHostile } from './imports.fixture.ts';
import { readAll, specsOf } from '../../tests/support/imported-operations.ts';
import { threadMs } from '../../tests/support/thread-time.ts';

const base = 'https://api.example.com';
const get = (more: object) => ({ '/a/{id}': { get: { operationId: 'a', ...more } } });
const circle = (more: object) => api(get({}), more);
const words = 'word '.repeat(20);

test.each<[string, () => unknown, RegExp]>([
  [
    'references in a circle',
    () =>
      api(get({ parameters: [{ $ref: '#/components/parameters/A' }] }), {
        components: {
          parameters: {
            A: { $ref: '#/components/parameters/B' },
            B: { $ref: '#/components/parameters/A' },
          },
        },
      }),
    /Parameters that are not in the document/,
  ],
  [
    'a schema that refers to itself',
    () =>
      api(
        get({
          parameters: [{ name: 'a', in: 'query', schema: { $ref: '#/components/schemas/A' } }],
        }),
        {
          components: { schemas: { A: { $ref: '#/components/schemas/A' } } },
        },
      ),
    /which refers only to itself/,
  ],
  [
    'references to other documents',
    () =>
      api(
        get({
          parameters: [
            './a.yaml#/A',
            'https://other.example/a.json',
            'file:///etc/passwd',
            '#anchor',
          ].map(($ref, n) => ({ name: `a${n}`, in: 'query', schema: { $ref } })),
        }),
      ),
    /another document/,
  ],
  [
    'a path of another document',
    () => api({ '/a': { $ref: 'https://other.example/' }, ...get({}) }),
    /left out: 1/,
  ],
  [
    'cookies',
    () => api(get({ parameters: [{ name: 'sid', in: 'cookie' }] })),
    /cookie sid is not sent/,
  ],
  [
    'ways to sign in that nobody knows',
    () =>
      api(get({ security: [{ a: [] }] }), {
        components: { securitySchemes: { a: { type: 'mutualTLS' } } },
      }),
    /signs in with a, which is not supported/,
  ],
  [
    'a pattern that is not valid',
    () => api(get({ parameters: [{ name: 'a', in: 'query', schema: { pattern: '(' } }] })),
    /pattern \( is left out/,
  ],
  [
    'a name pattern that is not valid',
    () =>
      api(
        get({
          parameters: [{ name: 'a', in: 'query', schema: { patternProperties: { '(': {} } } }],
        }),
      ),
    /pattern \( is left out/,
  ],
  [
    'an enum of 100,000 values',
    () =>
      api(
        get({
          parameters: [
            {
              name: 'a',
              in: 'query',
              schema: { enum: Array.from({ length: 100_000 }, (_, n) => n) },
            },
          ],
        }),
      ),
    /schema is too large/,
  ],
  [
    'schemas nested 60 levels deep',
    () => {
      let schema: object = { type: 'string' };
      for (let n = 0; n < 60; n += 1) schema = { properties: { a: schema } };
      return api(get({ parameters: [{ name: 'a', in: 'query', schema }] }));
    },
    /schema is too large/,
  ],
  [
    'parts whose parts multiply',
    () => {
      const schemas = Object.fromEntries(
        Array.from({ length: 11 }, (_, n) => [
          `L${n}`,
          { allOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/L${n + 1}` })) },
        ]),
      );
      const body = {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/L0' } } },
      };
      return circle({
        paths: { '/a': { post: { requestBody: body } } },
        components: { schemas: { ...schemas, L11: {} } },
      });
    },
    /^$/,
  ],
  [
    'a path with half of a character',
    () => api({ '/\ud800/b': { get: { summary: '\udfff' } } }),
    /^$/,
  ],
])('what cannot be said is noted: %s', async (_, document, note) => {
  const got = await readHostile(document());
  if ('fault' in got || 'fault' in got.written) throw new Error(JSON.stringify(got));
  const notes = [...got.notes, ...[...got.written.notes.values()].flat()].join('\n');
  expect(notes).toMatch(note);
  expect(specsOf([got.written.text])).toHaveLength(1);
});

test('100,000 paths, and 10,000 operations with one name, are listed in seconds', async () => {
  const began = threadMs();
  const many = Object.fromEntries(
    Array.from({ length: 100_000 }, (_, n) => [`/p${n}`, { get: { operationId: 'same' } }]),
  );
  const got = await readHostile(api(many));
  expect(got).toMatchObject({ count: 10_000 });
  expect(threadMs() - began).toBeLessThan(5_000);
});

test('operations that are too large together are refused before all of them are converted', async () => {
  const schemas = {
    Big: {
      properties: Object.fromEntries(
        Array.from({ length: 900 }, (_, n) => [`p${n}`, { description: words }]),
      ),
    },
  };
  const importer = createImporter();
  const parameter = { name: 'a', in: 'query', schema: { $ref: '#/components/schemas/Big' } };
  const paths = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, n) => [`/p${n}`, { get: { parameters: [parameter] } }]),
  );
  const outline = await importer.read(JSON.stringify(api(paths, { components: { schemas } })), '');
  if ('fault' in outline) throw new Error(outline.fault);
  const began = threadMs();
  const items = outline.items.map(({ id }) => id);
  expect(importer.write({ items, base, module: 'big_api' })).toMatchObject({
    hint: 'Choose fewer operations.',
  });
  expect(threadMs() - began).toBeLessThan(5_000);
});

test('variables of a server that stand for each other make no long address', async () => {
  const all = 'abcdefgh';
  const variables = Object.fromEntries(
    Array.from(all, (name, n) => [name, { default: `{${all[n + 1] ?? 'z'}}`.repeat(150) }]),
  );
  const servers = [{ url: `https://${'{a}'.repeat(300)}`, variables }];
  await readAll([
    api(get({}), { servers }),
    api(get({ servers })),
    api(get({ servers: [{ url: 'https://{a}', variables: { a: { default: "x$&$'$`" } } }] })),
  ]);
});

const yaml = (text: string) =>
  `openapi: 3.0.3\ninfo: { title: Y }\npaths: { /a: { get: { operationId: a } } }\n${text}`;

test.each<[string, string, RegExp | null]>([
  ['duplicated keys', yaml('x-a: 1\nx-a: 2\n'), /Map keys must be unique/],
  ['an alias in its own value', yaml('x-a: &a { b: *a }\n'), /a value that it is a part of/],
  [
    'aliases of aliases, nested deep',
    yaml(
      `x-a0: &a0 [1]\n${Array.from({ length: 300 }, (_, n) => `x-a${n + 1}: &a${n + 1} [*a${n}]`).join('\n')}\n`,
    ),
    /nested deeper than 200 levels|alias/,
  ],
  [
    'blocks nested deep',
    yaml(Array.from({ length: 300 }, (_, n) => `${' '.repeat(n)}x-a:`).join('\n')),
    /nested deeper than 200 levels|stack/,
  ],
  ['an alias without an anchor', yaml('x-a: *none\n'), /alias/i],
  [
    'tags',
    yaml("x-a: !!js/function 'f'\nx-b: !mine { a: 1 }\nx-c: !!binary aGk=\nx-d: !!set { a }\n"),
    null,
  ],
  ['keys of other types', yaml('x-a: { ? [1, 2] : 3, ? { a: 1 } : 4, null: 5, 1.5: 6 }\n'), null],
  ['__proto__', yaml('__proto__: { paths: 1 }\nx-a: { <<: { __proto__: { a: 1 } } }\n'), null],
  ['numbers that JSON does not have', yaml('x-a: [.inf, -.inf, .nan, 0x1F, 1e999]\n'), null],
  ['two documents', `${yaml('')}---\na: 1\n`, /./],
])('YAML is read, or refused with its reason: %s', async (_, text, fault) => {
  const got = await readHostile(text);
  if (fault === null)
    expect(got).toMatchObject({ count: 1, written: { notes: new Map([[0, []]]) } });
  else expect('fault' in got && got.fault).toMatch(fault);
});

test('a message of an MCP trace within a text cannot be nested deeper than a document', async () => {
  const deep = `{"method":"tools/call","params":{"name":"t","arguments":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`;
  const answer = { result: { content: [] } };
  await readAll([
    [{ tools: [{ name: 't', inputSchema: {} }] }, { request: deep, response: answer }],
    {
      tools: [{ name: '__proto__', inputSchema: { properties: { ['__proto__']: {}, 'a b': {} } } }],
    },
  ]);
});
