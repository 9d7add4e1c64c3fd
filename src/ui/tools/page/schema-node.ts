/** Safe access to an untrusted JSON Schema. */

import type { Json, JsonObject } from '../../../spec/json.ts';

/** The value where it is an object, else null. */
export function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** A member that the object itself has: `toString` is not one. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The strings in `required`. */
export function requiredNames(schema: JsonObject): ReadonlySet<string> {
  const names = member(schema, 'required');
  return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
}

/** The schemas in `properties`. */
export function properties(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const all = asObject(member(schema, 'properties')) ?? {};
  return Object.entries(all).map(([name, value]) => [name, asObject(value) ?? {}] as const);
}

/** A longer reference is no way that anyone wrote. */
const longestRef = 1_000;

/** Follows `$ref` inside the document, a bounded number of times; what leads nowhere stays as it is. */
export function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let hops = 0; hops < 20; hops += 1) {
    const ref = member(current, '$ref');
    if (typeof ref !== 'string' || !ref.startsWith('#') || ref.length > longestRef) return current;
    const target = asObject(pointed(root, ref.slice(1)));
    if (target === null) return current;
    current = target;
  }
  return current;
}

function pointed(root: JsonObject, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = unescaped(part);
    if (Array.isArray(value)) value = value[Number(key)];
    else value = member(asObject(value) ?? {}, key);
  }
  return value;
}

function unescaped(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
