/**
 * Ranks how well a text matches a query. The numbers keep the kinds of matches apart: of the whole phrase, then of all
 * words, then of all letters. Within a kind, matches at the starts of words rank highest, then early ones, then short texts.
 */

/**
 * A score, higher is better. Null if the text contains neither all words of the query in any order, nor its letters in
 * order. Ignores case.
 */
export function rank(query: string, text: string): number | null {
  const phrase = query.trim().toLowerCase();
  if (phrase === '') return 0;
  const within = text.toLowerCase();
  const at = within.indexOf(phrase);
  if (at !== -1) return 1000 + placeScore(text, at) - lengthCost(text);
  return wordsScore(phrase.split(/\s+/), text, within) ?? lettersScore(phrase, text, within);
}

/** Scores by the positions of the words, always below a match of the whole phrase. */
function wordsScore(words: readonly string[], text: string, within: string): number | null {
  if (words.length === 1) return null;
  const places = words.map((word) => within.indexOf(word));
  if (places.includes(-1)) return null;
  const sum = places.reduce((total, at) => total + placeScore(text, at), 0);
  return 400 + sum / places.length - lengthCost(text);
}

function placeScore(text: string, at: number): number {
  return (startsWord(text, at) ? 500 : 0) - Math.min(at, 99);
}

function lettersScore(phrase: string, text: string, within: string): number | null {
  const letters = phrase.replace(/\s+/g, '');
  let score = 0;
  let from = 0;
  for (const letter of letters) {
    const found = nextPlace(text, within, letter, from);
    if (found === -1) return null;
    score += startsWord(text, found) ? 20 : found === from ? 10 : 1;
    from = found + 1;
  }
  return score - lengthCost(text);
}

/** The next position of a letter, preferably at the start of a word. */
function nextPlace(text: string, within: string, letter: string, from: number): number {
  const first = within.indexOf(letter, from);
  if (first === from) return first;
  for (let at = first; at !== -1; at = within.indexOf(letter, at + 1)) {
    if (startsWord(text, at)) return at;
  }
  return first;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[^A-Za-z0-9]/.test(text.charAt(at - 1));
}

function lengthCost(text: string): number {
  return Math.min(text.length, 200) / 20;
}
