/** JSON whose texts are whole: half a character, which Python and models can make, is refused by providers for ever. */

const escaped = /\\u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|\\u(d[89a-f][0-9a-f]{2})|\\[^]/gi;

/** Puts U+FFFD in the place of each half; everything else keeps its spelling. @param json well-formed but for that */
export function wellFormed(json: string): string {
  const text = json.toWellFormed();
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(escaped, (found: string, _pair, half: string | undefined) =>
    half === undefined ? found : '\\ufffd',
  );
}
