/** Replaces lone surrogates in JSON, which Python and models can produce, and which providers refuse. */

const escaped = /\\u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|\\u(d[89a-f][0-9a-f]{2})|\\[^]/gi;

/**
 * Replaces each lone surrogate by U+FFFD. Everything else keeps its spelling.
 *
 * @param json otherwise valid JSON
 */
export function wellFormed(json: string): string {
  const text = json.toWellFormed();
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(escaped, (found: string, _pair, half: string | undefined) =>
    half === undefined ? found : '\\ufffd',
  );
}
