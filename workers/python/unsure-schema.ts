/** What a schema says that the argument check cannot tell, and what must therefore not be asked of it. */

import type { Reading } from './readable-pattern.ts';

/** Whether a schema, or a part of one, holds a pattern or a reference that is left out of the check. */
export function isUnsure(value: unknown, reading: Reading, referencesToo = false): boolean {
  if (Array.isArray(value)) return value.some((each) => isUnsure(each, reading, referencesToo));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]: [string, unknown]) => {
    if (typeof inner !== 'string') {
      return (
        isUnsure(inner, reading, referencesToo) ||
        (key === 'patternProperties' && hasUnreadable(inner, reading))
      );
    }
    if (key === 'pattern') return reading(inner) === null;
    if (key === '$ref') return referencesToo || !inner.startsWith('#');
    return key === '$dynamicRef';
  });
}

/**
 * Takes out of a copy the keywords that would refuse what is allowed, since a part of them was left out: where less
 * is asked inside, `not`, `oneOf`, `if` and "all other properties" ask more.
 *
 * @param schema the original of the copy
 */
export function withoutUnsure(
  copy: Record<string, unknown>,
  schema: object,
  reading: Reading,
): Record<string, unknown> {
  // What a reference leads to may be unsure too: it is known that something in the whole is.
  const unsure = (key: string): boolean =>
    isUnsure((schema as Record<string, unknown>)[key], reading, true);
  const { not, oneOf, if: condition, then, else: otherwise, ...kept } = copy;
  if (not !== undefined && !unsure('not')) kept.not = not;
  if (oneOf !== undefined) {
    if (unsure('oneOf')) kept.allOf = [...((kept.allOf ?? []) as unknown[]), { anyOf: oneOf }];
    else kept.oneOf = oneOf;
  }
  if (condition !== undefined && !unsure('if')) {
    kept.if = condition;
    if (then !== undefined) kept.then = then;
    if (otherwise !== undefined) kept.else = otherwise;
  }
  if (unsure('contains')) delete kept.maxContains;
  if (hasUnreadable((schema as Record<string, unknown>).patternProperties, reading))
    delete kept.additionalProperties;
  if (isUnsure(schema, reading, true)) {
    delete kept.unevaluatedProperties;
    delete kept.unevaluatedItems;
  }
  return kept;
}

function hasUnreadable(patterns: unknown, reading: Reading): boolean {
  if (typeof patterns !== 'object' || patterns === null) return false;
  return Object.keys(patterns).some((pattern) => reading(pattern) === null);
}
