/** The types of JSON Schema. */

import type { Json } from '../../../../runtime/spec/json.ts';

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array';

const typeNames: ReadonlySet<string> = new Set<TypeName>([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'object',
  'array',
]);

export function isTypeName(value: Json): value is TypeName {
  return typeof value === 'string' && typeNames.has(value);
}

/** The types in both lists; `integer` is included in `number`. */
export function commonTypes(some: readonly TypeName[], others: readonly TypeName[]): TypeName[] {
  return some.flatMap((type): TypeName[] => {
    if (others.includes(type)) return [type];
    if (type === 'integer' && others.includes('number')) return ['integer'];
    return type === 'number' && others.includes('integer') ? ['integer'] : [];
  });
}
