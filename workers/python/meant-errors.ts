/**
 * Reduces the errors of `anyOf` and `oneOf` to those of the alternative that is meant: the one with the value's constants,
 * else the closest. Drops errors that only rounding causes.
 */

import { decodeFragment, pointerKeys } from '../../src/runtime/spec/schema-walk.ts';
import type { OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../../src/runtime/spec/guards.ts';

/** Weight of an error of each kind. */
const weights = { otherType: 10_000, otherConstant: 5_000, otherMember: 100, any: 1 };

/** Keyword of the error for alternatives that each require one missing property. Its text needs no rewording. */
export const anyRequired = 'required of any';

/** The errors in their order, without those of alternatives that are not meant. */
export function meantErrors(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const meant: OutputUnit[] = [];
  for (let at = 0; at < errors.length; at += 1) {
    const error = errors[at];
    if (error === undefined) break;
    meant.push(error);
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') continue;
    const inside = `${error.keywordLocation}/`;
    let end = at + 1;
    while (errors[end]?.keywordLocation.startsWith(inside) === true) end += 1;
    // If several alternatives match, the errors of the others do not matter.
    if (error.keyword === 'anyOf' || error.error.includes('(0 matches)'))
      for (const each of closest(error, errors.slice(at + 1, end))) meant.push(each);
    at = end - 1;
  }
  return meant;
}

/** The errors of the alternatives that the value is closest to, by their costs. */
function closest(union: OutputUnit, errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const start = union.keywordLocation.length + 1;
  const branches = new Map<number, OutputUnit[]>();
  for (const error of errors) {
    const index = Number.parseInt(error.keywordLocation.slice(start), 10);
    const branch = branches.get(index) ?? [];
    branches.set(index, branch);
    branch.push(error);
  }
  const rated = Array.from(branches.values(), (branch) => {
    const own = meantErrors(branch);
    return { own, cost: costOf(union, own) };
  });
  const least = Math.min(...rated.map(({ cost }) => cost));
  const best = rated.filter(({ cost }) => cost === least);
  const either = best.length > 1 ? oneOfTheirs(union, best) : null;
  if (either !== null) return [either];
  // If the value has the type of no alternative, the error lists what each expects.
  return least >= weights.otherConstant ? best.flatMap(({ own }) => own) : (best[0]?.own ?? []);
}

/**
 * Returns one error for alternatives that each require a single missing property, such as `must
 * have "id" or "name"`.
 */
function oneOfTheirs(
  union: OutputUnit,
  branches: readonly { readonly own: readonly OutputUnit[] }[],
): OutputUnit | null {
  const names = branches.map(({ own: [first, ...others] }) =>
    first?.keyword === 'required' &&
    first.instanceLocation === union.instanceLocation &&
    others.length === 0
      ? /required property (".*")\.$/s.exec(first.error)?.[1]
      : undefined,
  );
  const known = [...new Set(names.filter((name) => name !== undefined))];
  const last = known.pop();
  if (names.includes(undefined) || last === undefined || known.length === 0) return null;
  const error = `must have ${known.join(', ')} or ${last}`.slice(0, 500);
  return { ...union, keyword: anyRequired, error };
}

/** How far a value is from an alternative. @param errors those of the alternative */
function costOf({ instanceLocation: place }: OutputUnit, errors: readonly OutputUnit[]): number {
  let cost = 0;
  for (const { keyword, instanceLocation, error } of errors) {
    if (outerKeywords.has(keyword)) continue;
    if (instanceLocation === place) {
      if (keyword === 'type') cost += weights.otherType;
      else if (keyword === 'const' || keyword === 'enum') cost += weights.otherConstant;
      else cost += weights.any;
    } else if (isMember(place, instanceLocation) && isConstant(keyword, error))
      cost += weights.otherMember;
    else cost += weights.any;
  }
  return cost;
}

/** Whether a location is that of a direct member of a place. */
function isMember(place: string, location: string): boolean {
  return location.startsWith(`${place}/`) && !location.slice(place.length + 1).includes('/');
}

/** `const`, or an `enum` with one value. */
function isConstant(keyword: string, error: string): boolean {
  return keyword === 'const' || (keyword === 'enum' && /\["(?:[^"\\]|\\.)*"\]\.$/.test(error));
}

/** Keywords whose errors only repeat that an inner schema has an error. */
export const outerKeywords: ReadonlySet<string> = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'if',
  'propertyNames',
  'dependentSchemas',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
]);

const numeric = new Set([
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'enum',
  'const',
  'uniqueItems',
]);

/**
 * Returns the errors that do not depend on how JavaScript rounds integers above 2^53; none if only errors of enclosing
 * keywords would remain.
 */
export function exactErrors(errors: readonly OutputUnit[], value: unknown): readonly OutputUnit[] {
  const inexact = new Set(
    errors
      .filter(({ keyword, instanceLocation, error }) => {
        const here = at(value, instanceLocation);
        if (keyword === 'type') return isHugeInteger(here, error);
        return numeric.has(keyword) && isInexact(here);
      })
      .map(({ instanceLocation }) => instanceLocation),
  );
  if (inexact.size === 0) return errors;
  // The misjudged branch may match, so errors of the other branches do not count either.
  const branched = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isRoundingError = ({ keyword, instanceLocation }: OutputUnit): boolean =>
    inexact.has(instanceLocation) &&
    (keyword === 'type' ||
      numeric.has(keyword) ||
      branched.some((branch) => instanceLocation.startsWith(branch.instanceLocation)));
  const remaining = errors.filter((error) => !isRoundingError(error));
  const inner = remaining.some(({ keyword }) => !outerKeywords.has(keyword) && keyword !== 'oneOf');
  return inner ? remaining : [];
}

/** Returns whether an integer is too large for JavaScript, which then does not see it as an integer. */
function isHugeInteger(value: unknown, error: string): boolean {
  return (value === Infinity || value === -Infinity) && error.includes('"integer"');
}

function isInexact(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isInexact);
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function at(value: unknown, pointer: string): unknown {
  let here = value;
  for (const key of pointerKeys(pointer).map(decodeFragment)) {
    if (!isRecord(here)) return undefined;
    here = Reflect.get(here, key);
  }
  return here;
}
