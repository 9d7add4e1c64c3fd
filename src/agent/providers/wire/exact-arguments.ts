/**
 * Sends the arguments of earlier calls exactly as the model wrote them. The SDKs take arguments as values, in which
 * numbers lose their spelling: they receive placeholders, which are replaced in the finished body.
 */

import { parseJson } from '../../../runtime/spec/guards.ts';
import type { JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import { readArguments } from '../../../runtime/spec/read-arguments.ts';

export class ExactArguments {
  /** A random mark, which no text of a request can contain. */
  readonly #mark = `exact-${crypto.randomUUID()}`;
  readonly #texts: JsonText[] = [];

  /** Returns a placeholder for the arguments. */
  mark(text: JsonText): JsonObject {
    this.#texts.push(asObject(text));
    return { [this.#mark]: this.#texts.length - 1 };
  }

  /** Replaces the placeholders in a request body, both in its JSON and inside JSON strings. */
  putIn(body: JsonText): JsonText {
    const pieces = body.split(this.#mark);
    for (let at = 1; at < pieces.length; at += 1) {
      // Behind a mark follows `":3}`, or `\":3}` inside a JSON string; before it stands `{"` or `{\"`.
      const end = /^(\\?)":(\d+)\}/.exec(pieces[at] ?? '');
      if (end === null) throw new Error('A placeholder for arguments was changed.');
      const [all, quoting = '', index] = end;
      const text = this.#texts[Number(index)] ?? '{}';
      pieces[at - 1] = (pieces[at - 1] ?? '').slice(0, -2 - quoting.length);
      pieces[at] =
        (quoting === '' ? text : JSON.stringify(text).slice(1, -1)) +
        (pieces[at] ?? '').slice(all.length);
    }
    return pieces.join('');
  }
}

/** Providers refuse a whole conversation if the arguments of one call are not an object. */
function asObject(text: JsonText): JsonText {
  const read = readArguments(text);
  if (read !== null) return read.fault === null && text.trim() !== '' ? text : read.text;
  const value = parseJson(text);
  return JSON.stringify(
    value === undefined ? { invalid_json: text } : { invalid_arguments: value },
  );
}
