/** A schema as the argument check can use it: its keywords alone, without what ECMAScript or the validator refuses. */

import type { Reading } from './readable-pattern.ts';
import { isUnsure, withoutUnsure } from './unsure-schema.ts';

/** Keywords whose value is a schema, or a list of schemas. */
const schemas = new Set([
  ...['additionalItems', 'unevaluatedItems', 'items', 'contains', 'additionalProperties'],
  ...['unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['prefixItems', 'allOf', 'anyOf', 'oneOf'],
]);
/** Keywords whose value maps names to schemas. */
const maps = new Set([
  ...['properties', '$defs', 'definitions', 'dependentSchemas', 'patternProperties'],
  'dependencies',
]);
/** Keywords whose value is data. */
const data = new Set([
  ...['$schema', '$anchor', '$recursiveRef', '$recursiveAnchor', 'type', 'enum', 'const'],
  ...[
    'required',
    'dependentRequired',
    'maximum',
    'minimum',
    'exclusiveMaximum',
    'exclusiveMinimum',
  ],
  ...['multipleOf', 'maxLength', 'minLength', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxContains', 'minContains', 'maxProperties', 'minProperties', 'format'],
]);

/** A copy; the scan has warned of patterns and references that are left out here. */
export function checkable(schema: unknown, reading: Reading): unknown {
  const draft4 = isObject(schema) && String(schema.$schema).includes('draft-04');
  const copier: Copier = {
    idKey: draft4 ? 'id' : '$id',
    ids: new Set(),
    pointedAt: new Set(),
    reading,
    unsure: isUnsure(schema, reading),
  };
  findPointers(schema, copier.pointedAt);
  return copied(schema, copier);
}

interface Copier {
  readonly idKey: string;
  /** Those that were seen: the validator takes each once. */
  readonly ids: Set<string>;
  /** Steps of pointers: what a `$ref` leads through is kept, whatever it is called. */
  readonly pointedAt: Set<string>;
  readonly reading: Reading;
  /** Something is left out. */
  readonly unsure: boolean;
}

function copied(schema: unknown, copier: Copier): unknown {
  if (Array.isArray(schema)) return schema.map((each) => copied(each, copier));
  if (!isObject(schema)) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (data.has(key)) set(copy, key, value);
    else if (maps.has(key)) set(copy, key, mapped(key, value, copier));
    else if (schemas.has(key) || copier.pointedAt.has(key)) set(copy, key, copied(value, copier));
    else if (key === 'pattern' && typeof value === 'string') {
      const pattern = copier.reading(value);
      if (pattern !== null) set(copy, key, pattern);
    } else if (key === '$ref' && typeof value === 'string') {
      if (value.startsWith('#')) set(copy, key, value);
    } else if (key === copier.idKey && typeof value === 'string' && takesId(value, copier.ids))
      set(copy, key, value);
  }
  return copier.unsure ? withoutUnsure(copy, schema, copier.reading) : copy;
}

function mapped(key: string, value: unknown, copier: Copier): unknown {
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(value)) {
    const shown = key === 'patternProperties' ? copier.reading(name) : name;
    if (shown !== null) set(copy, shown, copied(schema, copier));
  }
  return copy;
}

function takesId(id: string, ids: Set<string>): boolean {
  if (id === '' || ids.has(id) || URL.parse(id, 'https://schema.invalid/') === null) return false;
  ids.add(id);
  return true;
}

function findPointers(value: unknown, steps: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) findPointers(each, steps);
  if (!isObject(value)) return;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith('#/'))
    for (const step of $ref.split('/').slice(1)) steps.add(decoded(step));
  for (const each of Object.values(value)) findPointers(each, steps);
}

function decoded(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own properties only, also for a name such as `__proto__`. */
function set(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
