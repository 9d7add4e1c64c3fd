/** Words for a value of the wrong type. `schema_check.py` says the same; type-words.json has the cases of both. */

/** The types that an error of `type` expects, and the one that it found; null for any other error. */
export function typesIn(error: string): { found: string; expected: readonly string[] } | null {
  const [, found, list] =
    /^Instance type "(\w+)" is invalid\. Expected "(.*)"\.$/.exec(error) ?? [];
  if (found === undefined || list === undefined) return null;
  return { found, expected: list.split('", "') };
}

/** Such as `must be an integer or null, but is a string`. */
export function typeWords(expected: ReadonlySet<string>, found: string): string {
  const names = [...expected].map(named);
  const last = names.pop() ?? '';
  const list = names.length === 0 ? last : `${names.join(', ')} or ${last}`;
  // An integer would have been taken for a number.
  const isFraction = found === 'number' && expected.has('integer');
  return `must be ${list}, but is ${isFraction ? 'a decimal number' : named(found)}`;
}

function named(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
