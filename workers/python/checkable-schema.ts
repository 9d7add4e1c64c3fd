/** A schema as the argument check can use it: without patterns that ECMAScript refuses, or references to elsewhere. */

/** Keywords whose value maps names to schemas. */
const maps = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'dependencies',
]);
/** Keywords whose value is data, not a schema. */
const data = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** A copy; the scan has warned of everything that is left out here. */
export function checkable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checkable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (data.has(key)) set(copy, key, value);
    else if (key === 'pattern' && typeof value === 'string') {
      if (isPattern(value)) set(copy, key, value);
    } else if (key === '$ref' && typeof value === 'string') {
      if (value.startsWith('#')) set(copy, key, value);
    } else if (maps.has(key)) set(copy, key, mapped(key, value));
    else set(copy, key, checkable(value));
  }
  return copy;
}

function mapped(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(value))
    if (key !== 'patternProperties' || isPattern(name)) set(copy, name, checkable(schema));
  return copy;
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

function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
