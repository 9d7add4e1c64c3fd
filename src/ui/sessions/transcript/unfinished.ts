/** Markdown as far as it has been written: what is still open is closed, so that its signs are not shown as text meanwhile. */

/** Emphasis does not reach over these. */
const boundary = /\n[ \t]*(?=\n|[-*+] |\d+[.)] |[#>|])/g;

/** The last block of a text that grows, with strong words that have no end yet ended there. */
export function closedStrong(block: string): string {
  const from = [...block.matchAll(boundary)].at(-1)?.index ?? 0;
  const words = block.slice(from);
  const bare = words.replace(/`[^`]*`/g, (code) => 'x'.repeat(code.length)).trimEnd();
  // Within code a star is a star.
  if (bare.includes('`')) return block;
  // The stars that end it may be half of what they will be.
  const before = bare.replace(/\*+$/, '');
  const stars = bare.length - before.length;
  const kept = block.slice(0, from + before.length);
  const isOpen = (before.match(/\*\*/g)?.length ?? 0) % 2 === 1;
  // Stars with a space behind them open nothing.
  if (isOpen) return /\*\*\s[^*]*$/.test(before) ? block : `${kept.trimEnd()}**`;
  // They open what has no words yet.
  return stars > 1 || (stars === 1 && /\s$/.test(before)) ? kept : block;
}
