/**
 * Sends the arguments of earlier calls exactly as the model wrote them. The SDKs take arguments as values, in which
 * numbers lose their spelling. So the SDKs receive placeholders, which are replaced by the original texts in the
 * finished body.
 */

import { isObject } from '../../spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../spec/json.ts';

export class ExactArguments {
  /** Random, so that no text of a request can contain it. */
  readonly #mark = `exact-${crypto.randomUUID()}`;
  readonly #texts: JsonText[] = [];

  /** Returns a placeholder for the arguments. */
  mark(text: JsonText): JsonObject {
    this.#texts.push(asObject(text));
    return { [this.#mark]: this.#texts.length - 1 };
  }

  /** Replaces the placeholders in a request body, both in its JSON and inside JSON strings. */
  putIn(body: JsonText): JsonText {
    const { source } = new RegExp(`\\{"${this.#mark}":(\\d+)\\}`);
    return body
      .replace(new RegExp(source, 'g'), (_all, index: string) => this.#text(index))
      .replace(new RegExp(inJsonString(source), 'g'), (_all, index: string) =>
        JSON.stringify(this.#text(index)).slice(1, -1),
      );
  }

  #text(index: string): JsonText {
    return this.#texts[Number(index)] ?? '{}';
  }
}

/** Returns the pattern as it appears inside a JSON string. */
function inJsonString(source: string): string {
  return source.replaceAll('"', '\\\\"');
}

/** Providers refuse a whole conversation if the arguments of one call are not an object. */
function asObject(text: JsonText): JsonText {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return text.trim() === '' ? '{}' : JSON.stringify({ invalid_json: text });
  }
  return isObject(value) ? text : JSON.stringify({ invalid_arguments: value });
}
