/** Finds the changes of a call's arguments, member by member. */

import { objectMembers } from '../../../../runtime/spec/json-reader.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';

export interface ArgumentChange {
  readonly name: string;
  /** Exact JSON; null if the member was added. */
  readonly before: JsonText | null;
  /** Exact JSON; null if the member was removed. */
  readonly after: JsonText | null;
}

/** Returns the changed members; empty if one of the texts is not a JSON object, or only spaces differ. */
export function argumentChanges(before: JsonText, after: JsonText): readonly ArgumentChange[] {
  const old = objectMembers(before);
  const now = objectMembers(after);
  if (old === null || now === null) return [];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names].flatMap((name): readonly ArgumentChange[] => {
    const [was = null, is = null] = [old.get(name), now.get(name)];
    return removeSpaces(was) === removeSpaces(is) ? [] : [{ name, before: was, after: is }];
  });
}

/** Leaves out spaces between tokens, but keeps numbers as they are written. */
function removeSpaces(text: JsonText | null): string | null {
  if (text === null || !/\s/.test(text)) return text;
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '');
}
