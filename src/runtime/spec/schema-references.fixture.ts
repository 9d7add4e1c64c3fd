/** Schemas with every kind of reference. */

import type { JsonObject } from './json.ts';

const draft4 = 'http://json-schema.org/draft-04/schema#';
const draft7 = 'http://json-schema.org/draft-07/schema#';
const draft2019 = 'https://json-schema.org/draft/2019-09/schema';
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const tree = {
  $id: 'https://e.org/tree',
  $dynamicAnchor: 'node',
  type: 'object',
  properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } }, x: { type: 'integer' } },
};
const trees = [{ v: {} }, { v: { kids: [{}] } }, { v: { kids: [{ y: 1 }] } }, { v: { kids: [3] } }];

/** A schema, arguments that it must accept and reject, and the verdicts in which ajv departs from the standard. */
export const referenceCases: Readonly<
  Record<string, [JsonObject, readonly JsonObject[], (readonly boolean[])?]>
> = {
  'the id of a part': [
    {
      $id: 'https://e.org/root.json',
      properties: { v: { $ref: 'item.json' } },
      $defs: { i: { $id: 'item.json', type: 'integer' } },
    },
    [{ v: 1 }, { v: 'x' }],
  ],
  'a relative id without a root id': [
    {
      properties: { v: { $ref: 'item.json' } },
      $defs: { i: { $id: 'item.json', type: 'integer' } },
    },
    [{ v: 1 }, { v: 'x' }],
  ],
  'the address of the root': [
    {
      $id: 'https://e.org/a/root.json',
      properties: { v: { $ref: 'https://e.org/a/root.json#/$defs/i' }, w: { $ref: 'root.json' } },
      $defs: { i: { type: 'integer' } },
    },
    [{ v: 1, w: { v: 2 } }, { v: 'x' }, { w: { v: 'x' } }, { w: { w: { w: { v: 'x' } } } }],
  ],
  'a pointer and an anchor in another part': [
    {
      $id: 'https://e.org/root.json',
      properties: { v: { $ref: 'item.json#/$defs/n' }, w: { $ref: 'item.json#name' } },
      $defs: {
        i: {
          $id: 'item.json',
          $defs: { n: { type: 'integer', minimum: 2 }, s: { $anchor: 'name', type: 'string' } },
        },
      },
    },
    [{ v: 2, w: 'x' }, { v: 1 }, { w: 1 }],
  ],
  'a pointer by the base of its part': [
    {
      $id: 'https://e.org/root.json',
      properties: { v: { $ref: 'item.json' } },
      $defs: {
        n: { type: 'string' },
        i: {
          $id: 'item.json',
          properties: { n: { $ref: '#/$defs/n' } },
          $defs: { n: { type: 'integer' } },
        },
      },
    },
    [{ v: { n: 1 } }, { v: { n: 'x' } }],
  ],
  'ids below ids': [
    {
      $id: 'https://e.org/a/root',
      properties: { v: { $ref: 'b/c' } },
      $defs: { b: { $id: 'b/', $defs: { c: { $id: 'c', type: 'integer' } } } },
    },
    [{ v: 1 }, { v: 'x' }],
  ],
  'a URN': [
    {
      $id: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed',
      properties: {
        v: { $ref: 'urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed#/$defs/i' },
        w: { $ref: 'urn:e:item' },
      },
      $defs: { i: { type: 'integer' }, j: { $id: 'urn:e:item', type: 'string' } },
    },
    [{ v: 1, w: 'x' }, { v: 'x' }, { w: 1 }],
  ],
  'an id beside the reference': [
    {
      properties: { v: { $id: 'https://e.org/b/', $ref: 'i' } },
      $defs: { i: { $id: 'https://e.org/b/i', type: 'integer' } },
    },
    [{ v: 1 }, { v: 'x' }],
  ],
  'names with special characters': [
    {
      properties: { v: { $ref: '#/$defs/a~1b%23%25c%22%20é' }, w: { $ref: '#/$defs/100%25' } },
      $defs: { 'a/b#%c" é': { type: 'integer' }, '100%': { type: 'string' } },
    },
    [{ v: 1, w: 'x' }, { v: 'x' }, { w: 1 }],
  ],
  'boolean targets': [
    {
      properties: { v: { $ref: '#/$defs/all' }, w: { $ref: '#/$defs/none' } },
      $defs: { all: true, none: false },
    },
    [{ v: 1 }, { w: 1 }],
  ],
  'a dynamic reference in one document': [
    {
      properties: { v: { $ref: '#/$defs/t' } },
      $defs: {
        t: {
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } } },
          unevaluatedProperties: false,
        },
      },
    },
    [...trees, { v: { x: 1 } }],
  ],
  'a dynamic reference that the root extends': [
    {
      $id: 'https://e.org/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      properties: { v: { $ref: '#' } },
      unevaluatedProperties: false,
      $defs: { tree },
    },
    [{ kids: [{ x: 1 }] }, { kids: [{ z: 1 }] }, { kids: [{ kids: [{ z: 1 }] }] }, { v: { z: 1 } }],
  ],
  'a dynamic reference to another part': [
    { properties: { v: { $ref: 'https://e.org/tree' } }, $defs: { tree } },
    [{ v: { kids: [{ x: 1 }] } }, { v: { kids: [{ x: 'x' }] } }],
  ],
  'a dynamic reference to a plain anchor': [
    {
      properties: { v: { $dynamicRef: '#a' }, w: { $dynamicRef: '#/$defs/b' } },
      $defs: { a: { $anchor: 'a', type: 'integer' }, b: { type: 'string' } },
    },
    [{ v: 1, w: 'x' }, { v: 'x' }, { w: 1 }],
    [true, false, false],
  ],
  'both kinds of references in one schema': [
    {
      properties: { v: { $ref: '#/$defs/a', $dynamicRef: '#b', maximum: 9 } },
      $defs: { a: { type: 'integer' }, b: { $dynamicAnchor: 'b', minimum: 2 } },
    },
    [{ v: 3 }, { v: 1 }, { v: 2.5 }, { v: 10 }],
    [true, false, false, false],
  ],
  'recursive references of 2019-09': [
    {
      $schema: draft2019,
      $id: 'https://e.org/strict',
      $recursiveAnchor: true,
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: 'tree',
          $recursiveAnchor: true,
          properties: { kids: { type: 'array', items: { $recursiveRef: '#' } } },
        },
      },
    },
    [{ kids: [{}] }, { kids: [{ z: 1 }] }, { kids: [{ kids: [3, { z: 1 }] }] }],
  ],
  'recursive references without an anchor': [
    {
      $schema: draft2019,
      properties: { n: { type: 'integer' }, v: { $recursiveRef: '#' } },
    },
    [{ v: { v: { n: 1 } } }, { v: { v: { n: 'x' } } }],
  ],
  'ids of draft 7': [
    {
      $schema: draft7,
      $id: 'https://e.org/root.json',
      properties: { v: { $ref: 'item.json' }, w: { $ref: '#text' } },
      definitions: {
        i: { $id: 'item.json', type: 'integer' },
        t: { $id: '#text', type: 'string' },
      },
    },
    [{ v: 1, w: 'x' }, { v: 'x' }, { w: 1 }],
  ],
  'ids of draft 4': [
    {
      $schema: draft4,
      id: 'https://e.org/root.json',
      properties: { v: { $ref: 'item.json' }, w: { $ref: '#text' } },
      definitions: {
        i: { id: 'item.json', type: 'integer' },
        t: { id: '#text', type: 'string' },
      },
    },
    [{ v: 1, w: 'x' }, { v: 'x' }, { w: 1 }],
  ],
  'keywords beside a reference in draft 7, which ignores them': [
    {
      $schema: draft7,
      properties: { v: { $ref: '#/definitions/i', minimum: 9 } },
      definitions: { i: { type: 'integer' } },
    },
    [{ v: 1 }, { v: 'x' }],
    [true, false],
  ],
  'a root reference of draft 7 with its definitions': [
    {
      $schema: draft7,
      $ref: '#/definitions/Args',
      definitions: {
        Args: { type: 'object', properties: { v: { $ref: '#/definitions/i' } } },
        i: { type: 'integer' },
      },
    },
    [{ v: 1 }, { v: 'x' }],
  ],
  'an id of 2020-12, named': [
    {
      $schema: draft2020,
      $id: 'https://e.org/root.json',
      properties: { v: { $ref: '/item.json' } },
      $defs: { i: { $id: '/item.json', type: 'integer' } },
    },
    [{ v: 1 }, { v: 'x' }],
  ],
};

const numbers = {
  $id: 'numbers',
  $ref: 'list',
  $defs: { t: { $dynamicAnchor: 'T', type: 'number' } },
};
const list = {
  $id: 'list',
  items: { $dynamicRef: '#T' },
  $defs: { t: { $dynamicAnchor: 'T' } },
};
const words = { $id: 'words', $ref: 'list', $defs: { t: { $dynamicAnchor: 'T', type: 'string' } } };

/** The dynamic reference has several targets. */
export const ambiguous: JsonObject = {
  type: 'object',
  properties: { n: { $ref: 'numbers' }, w: { $ref: 'words' }, d: { type: 'integer' } },
  $defs: { numbers, words, list },
};
