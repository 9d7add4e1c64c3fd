/** Errors that are the validator's own: it reads integers beyond 2^53 as the nearest number that JavaScript has. */

import type { OutputUnit } from '@cfworker/json-schema';
import { isRecord } from '../../src/spec/guards.ts';
import { outerKeywords } from './outer-keywords.ts';

const numeric = new Set([
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['enum', 'const', 'uniqueItems'],
]);

/** The errors that hold for the exact numbers; none where all others only say that something inside is wrong. */
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
  // The branch that was misjudged would have been enough.
  const branched = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isExcused = ({ keyword, instanceLocation }: OutputUnit): boolean =>
    inexact.has(instanceLocation) &&
    (keyword === 'type' ||
      numeric.has(keyword) ||
      branched.some((branch) => instanceLocation.startsWith(branch.instanceLocation)));
  const kept = errors.filter((error) => !isExcused(error));
  const inner = kept.some(({ keyword }) => !outerKeywords.has(keyword) && keyword !== 'oneOf');
  return inner ? kept : [];
}

/** Beyond all numbers of JavaScript: it counts as none that is an integer. */
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
