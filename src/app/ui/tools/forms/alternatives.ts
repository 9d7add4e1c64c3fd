/** Lists the alternatives of a union, those of unions inside it included. */

import { isObject } from '../../../../runtime/spec/guards.ts';
import type { Json } from '../../../../runtime/spec/json.ts';
import { isNever } from './schema-properties.ts';

/** Keywords beside a union that change nothing about its alternatives. Of defaults, that of the whole field counts. */
const aside = /^(?:default|examples?|deprecated|\$comment|discriminator|xml|x-.*)$/;

/**
 * An alternative that is only another `anyOf` or `oneOf` is replaced by that union's alternatives:
 * the user then makes one choice instead of several, in which null is offered once.
 * @param max limit of the listed alternatives
 */
export function alternativesOf(union: readonly Json[], max: number): readonly Json[] {
  const found: Json[] = [];
  const waiting = union.slice(0, max).reverse();
  while (waiting.length > 0 && found.length < max) {
    const next = waiting.pop() ?? null;
    const inner = innerUnion(next);
    if (inner !== null) waiting.push(...inner.slice(0, max).reverse());
    else if (!isNull(next) || !found.some(isNull)) found.push(next);
  }
  // Some programs write `{"not": {}}` for a value that may be left out.
  const possible = found.filter((each) => !isNever(each));
  return possible.length === 0 ? found : possible;
}

function innerUnion(schema: Json): readonly Json[] | null {
  if (!isObject(schema)) return null;
  const [[key, value] = [], ...others] = Object.entries(schema).filter(
    ([name]) => !aside.test(name),
  );
  if (others.length > 0 || (key !== 'anyOf' && key !== 'oneOf')) return null;
  return Array.isArray(value) && value.length > 0 ? value : null;
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema.type === 'null' && Object.keys(schema).length === 1;
}
