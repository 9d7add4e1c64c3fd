/** Finds the names of tools in the text of a file that Python could not read. */

/** Longer texts are cut. */
const maxChars = 200_000;
const maxNames = 200;

/** The names that the specs in a text give to tools of this file, in order. */
export function findWrittenNames(file: string, text: string): readonly string[] {
  const stem = file.replace(/\.py$/, '');
  const found = text.slice(0, maxChars).matchAll(/["']name["']\s*:\s*["']([^"'\n]{1,300})["']/g);
  const names = [...found]
    .map(([, name = '']) => name)
    .filter((name) => name.startsWith(`${stem}:`));
  return [...new Set(names)].slice(0, maxNames);
}
