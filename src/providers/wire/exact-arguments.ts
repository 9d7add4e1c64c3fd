/**
 * The arguments of earlier calls on their way back to a provider, spelt as its model wrote them. The SDKs take them as
 * values, in which numbers lose their spelling; so they are given marks, for which the texts are put in at the end.
 */

import { isObject } from '../../spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../spec/json.ts';

export class ExactArguments {
  /** Nobody who writes texts that are sent can know it. */
  readonly #mark = `exact-${crypto.randomUUID()}`;
  readonly #texts: JsonText[] = [];

  /** What an SDK is given in place of the arguments. */
  mark(text: JsonText): JsonObject {
    this.#texts.push(asObject(text));
    return { [this.#mark]: this.#texts.length - 1 };
  }

  /** The body of a request with the texts in it, be they part of its JSON or of a string inside. */
  putIn(body: JsonText): JsonText {
    const { source } = new RegExp(`\\{"${this.#mark}":(\\d+)\\}`);
    return body
      .replace(new RegExp(source, 'g'), (_all, index: string) => this.#text(index))
      .replace(new RegExp(quoted(source), 'g'), (_all, index: string) =>
        JSON.stringify(this.#text(index)).slice(1, -1),
      );
  }

  #text(index: string): JsonText {
    return this.#texts[Number(index)] ?? '{}';
  }
}

/** As a pattern inside a JSON string. */
function quoted(source: string): string {
  return source.replaceAll('"', '\\\\"');
}

/** Providers refuse a whole conversation for one call whose arguments are no object. */
function asObject(text: JsonText): JsonText {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return text.trim() === '' ? '{}' : JSON.stringify({ invalid_json: text });
  }
  return isObject(value) ? text : JSON.stringify({ invalid_arguments: value });
}
