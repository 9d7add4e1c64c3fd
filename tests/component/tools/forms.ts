/** Tools with demanding parameters; each returns its arguments. */

import type { JsonObject } from '../../../src/runtime/spec/json.ts';
import { tool, type ToolFile } from '../page/tool-file.ts';

const string: JsonObject = { type: 'string' };

const booking: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['guest', 'nights', 'payment', 'language'],
  properties: {
    guest: {
      title: 'Guest',
      description: 'Who stays. One member of the party is enough.',
      type: 'object',
      required: ['name', 'email'],
      properties: {
        name: { type: 'string', minLength: 1, title: 'Full name', examples: ['Ada Lovelace'] },
        email: { type: 'string', format: 'email' },
        born: { type: 'string', format: 'date' },
        address: { $ref: '#/$defs/address' },
      },
    },
    nights: { type: 'integer', minimum: 1, maximum: 30, description: 'Number of nights' },
    budget: { type: ['number', 'null'], default: null, description: 'Per night; null for none' },
    breakfast: { type: 'boolean', default: true },
    language: { enum: ['de', 'en', 'fr', 'no'] },
    currency: { enum: Array.from({ length: 180 }, (_, n) => `C${String(n).padStart(3, '0')}`) },
    rooms: {
      type: 'array',
      items: {
        type: 'object',
        required: ['beds'],
        properties: { beds: { type: 'integer' }, view: { enum: ['sea', 'street'] } },
      },
    },
    position: {
      type: 'array',
      prefixItems: [{ type: 'number' }, { type: 'number' }],
      items: false,
    },
    payment: {
      description: 'How the stay is paid.',
      oneOf: [
        {
          title: 'Card',
          type: 'object',
          required: ['kind', 'number'],
          properties: { kind: { const: 'card' }, number: string, exp: { type: 'string' } },
        },
        {
          title: 'Invoice',
          type: 'object',
          required: ['kind', 'vat'],
          properties: { kind: { const: 'invoice' }, vat: { type: 'string', minLength: 3 } },
        },
      ],
    },
    colour: { type: 'string', format: 'color' },
    arrival: { type: 'string', format: 'date-time' },
    passport: { type: 'string', contentEncoding: 'base64' },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    flags: {
      type: 'object',
      patternProperties: { '^x-': { type: 'integer' } },
      additionalProperties: false,
    },
    anything: {},
    party: { $ref: '#/$defs/person' },
  },
  $defs: {
    address: {
      title: 'Address',
      type: 'object',
      required: ['street'],
      properties: { street: string, city: string, country: { type: 'string', default: 'NO' } },
    },
    person: {
      type: 'object',
      required: ['name'],
      properties: {
        name: string,
        children: { type: 'array', items: { $ref: '#/$defs/person' } },
      },
    },
  },
};

const echo = (args: unknown): unknown => args;

const tools: ToolFile = {
  tools: {
    book: tool('Books a room.', {}, echo, { parameters: booking }),
    plain: tool('Plain.', {}, echo, {
      takesMore: true,
      parameters: {
        type: 'object',
        required: ['place'],
        properties: { place: { type: 'string', minLength: 2 }, count: { type: 'integer' } },
      },
    }),
    bare: tool('Takes nothing.', {}, echo, { parameters: { type: 'object', properties: {} } }),
    bare_more: tool('Takes anything.', {}, echo, {
      takesMore: true,
      parameters: { type: 'object', properties: {} },
    }),
    closed: tool('Takes a place.', { place: 'string' }, echo, {
      takesMore: true,
      parameters: {
        type: 'object',
        additionalProperties: false,
        properties: { place: { type: 'string' } },
      },
    }),
    slow: tool('Has a pattern that takes forever.', {}, echo, {
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', pattern: '^(a+)+$' } },
      },
    }),
  },
};
export default tools;
