/** Finds the pattern that a text does not match: the validator only says where it is. */

import type { Json } from '../../src/spec/json.ts';

/**
 * The value of a keyword in a schema; undefined if it cannot be found.
 * @param location as the validator reports it, such as `#/properties/id/$ref/pattern`
 */
export function keywordAt(schema: Json, location: string): Json | undefined {
  let here: Json | undefined = schema;
  for (const step of stepsOf(location)) {
    here = member(here, step);
    if (step === '$ref') here = typeof here === 'string' ? referred(schema, here) : undefined;
  }
  return here;
}

function referred(schema: Json, reference: string): Json | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  return stepsOf(reference).reduce<Json | undefined>(member, schema);
}

function member(value: Json | undefined, step: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return Reflect.get(value, step) as Json;
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
