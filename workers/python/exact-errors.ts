/** Removes validation errors that are caused by rounding, since JavaScript rounds integers above 2^53. */

import type { OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../../src/spec/guards.ts';
import { outerKeywords } from './outer-keywords.ts';

const numeric = new Set([
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['enum', 'const', 'uniqueItems'],
]);

/** The errors that do not depend on rounding; none if only errors of enclosing keywords would remain. */
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

/** Whether an integer is too large for JavaScript, which then does not see it as an integer. */
function isHugeInteger(value: unknown, error: string): boolean {
  return (value === Infinity || value === -Infinity) && error.includes('"integer"');
}

function isInexact(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isInexact);
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function at(value: unknown, pointer: string): unknown {
  let here = value;
  for (const escaped of pointer.split('/').slice(1)) {
    if (!isRecord(here)) return undefined;
    here = Reflect.get(here, decoded(escaped));
  }
  return here;
}

function decoded(step: string): string {
  try {
    return decodeURI(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}
