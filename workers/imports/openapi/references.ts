/** Follows references within a document: JSON pointers such as `#/components/schemas/Pet`. */

import { asFields, isRecord, type Fields } from '../../../src/runtime/spec/guards.ts';

/** Longer chains of references are given up. */
const maxSteps = 30;

/** The value at a pointer; undefined if it has none, or points elsewhere than into the document. */
export function valueAt(document: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let value: unknown = document;
  for (const step of reference.split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The object behind all references of `value`; null if it is no object, or its reference leads nowhere. */
export function resolveReference(document: unknown, value: unknown): Fields | null {
  let found = value;
  for (let step = 0; step < maxSteps; step += 1) {
    if (!isRecord(found) || Array.isArray(found)) return null;
    if (typeof found.$ref !== 'string') return found;
    found = valueAt(document, found.$ref);
  }
  return null;
}

/** Whether a property is only in responses. */
export function isReadOnly(document: unknown, property: unknown): boolean {
  return (
    asFields(property).readOnly === true || resolveReference(document, property)?.readOnly === true
  );
}

/** Whether references lead from one to the next without an end. */
export function isCircle(document: unknown, reference: string): boolean {
  const seen = new Set<string>();
  let next = reference;
  while (!seen.has(next)) {
    seen.add(next);
    const found = valueAt(document, next);
    if (!isRecord(found) || typeof found.$ref !== 'string') return false;
    next = found.$ref;
  }
  return true;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
