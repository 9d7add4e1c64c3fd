/** Tools whose parameters depend on each other, or have alternatives; each returns its arguments. */

import type { JsonObject } from '../../../src/runtime/spec/json.ts';
import { tool, type ToolFile } from '../page/tool-file.ts';

const text: JsonObject = { type: 'string' };
const is = (name: string, value: string | boolean): JsonObject => ({
  properties: { [name]: { const: value } },
  required: [name],
});
const echo = (args: unknown): unknown => args;
const echoes = (parameters: JsonObject) =>
  tool('Returns its arguments.', {}, echo, { parameters: { type: 'object', ...parameters } });
const one = (v: JsonObject) => echoes({ properties: { v }, required: ['v'] });

const tools: ToolFile = {
  tools: {
    order: echoes({
      required: ['name', 'price', 'gift', 'size', 'tags', 'ship', 'extra'],
      properties: {
        name: text,
        price: { type: 'number' },
        gift: { type: 'boolean' },
        size: { enum: ['small', 'large'] },
        tags: { type: 'array', items: text },
        ship: {
          type: 'object',
          properties: { city: text, express: { type: 'boolean', default: false } },
          required: ['city'],
        },
        extra: { type: 'object', properties: { note: text } },
      },
    }),
    bag: echoes({
      required: ['tags', 'ship'],
      properties: {
        tags: { type: 'array', items: text },
        ship: { type: 'object', properties: { city: text }, required: ['city'] },
      },
    }),
    find: echoes({
      properties: { name: text, email: text },
      anyOf: [{ required: ['name'] }, { required: ['email'] }],
    }),
    either: one({ type: ['number', 'string'] }),
    flag: one({ oneOf: [{ type: 'boolean' }, { type: 'number' }] }),
    fit: one({ anyOf: [{ type: 'number' }, { enum: ['fit', 'fill'] }] }),
    loose: echoes({
      properties: { text: {}, prices: { type: 'array', items: { type: 'number' } } },
      required: ['text', 'prices'],
    }),
    feed: echoes({
      properties: {
        feed: {
          type: 'object',
          anyOf: [{ properties: { lang: text } }, { properties: { author: text } }],
        },
      },
    }),
    country: echoes({
      properties: { country: { enum: ['CA', 'US'] } },
      required: ['country'],
      allOf: [
        {
          if: is('country', 'US'),
          then: { properties: { state: { enum: ['Alabama', 'Utah'] } }, required: ['state'] },
        },
        { if: is('state', 'Alabama'), then: { properties: { org: text }, required: ['org'] } },
      ],
    }),
    multi: echoes({
      properties: { multi: { type: 'boolean', default: false } },
      if: is('multi', true),
      then: { properties: { low: { type: 'integer' } }, required: ['low'] },
      else: { properties: { single: text } },
      unevaluatedProperties: false,
    }),
  },
};
export default tools;
