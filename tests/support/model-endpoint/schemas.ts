/** Each provider's complaint about the schema of a tool's parameters; undefined if there is none. */

import { isFields, type Fields } from './read-body.ts';

const combining = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'];
/** Levels that Google has been seen to take. */
const googleLevels = 8;

export function openaiSchemaFault(schema: Fields): string | undefined {
  if (schema.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${String(schema.type)}"'.`;
  if (combining.some((keyword) => schema[keyword] !== undefined))
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.";
  return faultWithin(schema, ({ type, items }) => {
    if (Array.isArray(items)) return "array schema items is not of type 'object', 'boolean'.";
    const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
    return isArray && items === undefined ? 'array schema missing items.' : undefined;
  });
}

export function anthropicSchemaFault(schema: Fields): string | undefined {
  if (['oneOf', 'anyOf', 'allOf'].some((keyword) => schema[keyword] !== undefined))
    return 'input_schema does not support oneOf, allOf, or anyOf at the top level';
  return faultWithin(schema, ({ items, exclusiveMinimum, exclusiveMaximum }) =>
    Array.isArray(items) || [exclusiveMinimum, exclusiveMaximum].includes(true)
      ? 'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).'
      : undefined,
  );
}

export function googleSchemaFault(schema: Fields, name: string): string | undefined {
  if (schema.type !== 'object')
    return `\`${name}\` functionDeclaration \`parameters\` schema should be of type OBJECT.`;
  if (levels(schema) > googleLevels)
    return `FunctionDeclaration '${name}' in the request exceeds the maximum allowed nesting depth.`;
  return faultWithin(schema, ({ items }) =>
    Array.isArray(items) ? `FunctionDeclaration '${name}': items has to be a schema.` : undefined,
  );
}

/** In each schema inside; what is a list of values holds none. */
function faultWithin(
  schema: Fields,
  judge: (schema: Fields) => string | undefined,
): string | undefined {
  const own = judge(schema);
  if (own !== undefined) return own;
  return inner(schema)
    .map((one) => faultWithin(one, judge))
    .find((fault) => fault !== undefined);
}

function inner(schema: Fields): Fields[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (['enum', 'const', 'default', 'examples', 'required'].includes(keyword)) return [];
    if (Array.isArray(value)) return value.filter(isFields);
    if (!isFields(value)) return [];
    const isMap = ['properties', '$defs', 'definitions', 'patternProperties'].includes(keyword);
    return isMap ? Object.values(value).filter(isFields) : [value];
  });
}

function levels(schema: Fields): number {
  const own = schema.type === 'object' || schema.type === 'array' ? 1 : 0;
  return own + Math.max(0, ...inner(schema).map(levels));
}
