/** Finds the names that `anyOf` and `oneOf` require of an object if their alternatives only differ in `required`. */

import { isObject, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { Json } from '../../../../runtime/spec/json.ts';
import { memberOf } from '../page/schema-node.ts';
import type { ObjectValue } from './json-value.ts';

/** Lists of names. An object must have all names of at least one list. */
export type Need = readonly (readonly string[])[];

const maxLists = 100;

/** The needs that unions express; none if an alternative requires no names. */
export function needsOf(unions: readonly (readonly Json[])[]): readonly Need[] {
  return unions
    .map((union) =>
      union
        .slice(0, maxLists)
        .map((each) => (isObject(each) ? stringsIn(memberOf(each, 'required')) : [])),
    )
    .filter((need) => need.length > 0 && need.every((names) => names.length > 0));
}

/**
 * Returns the names that an object lacks, for the alternative that lacks the fewest, with words about the others.
 * @param isAllowed whether the object may have a name
 */
export function findNeededNames(
  needs: readonly Need[],
  { members }: ObjectValue,
  isAllowed: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const needed = new Map<string, string>();
  for (const need of needs) {
    const left = need
      .map((names) => names.filter((name) => !members.has(name)))
      .filter((names) => names.every(isAllowed));
    const fewest = left.toSorted((one, other) => one.length - other.length)[0] ?? [];
    const others = left.filter((names) => names !== fewest).map((names) => names.join(' and '));
    const words =
      others.length === 0 ? 'is required' : `is required, unless you enter ${others.join(', or ')}`;
    for (const name of fewest) needed.set(name, words);
  }
  return needed;
}
