/** Which of our formats a JSON file says it has, without reading more of it than is needed. */

/** Bytes that are looked at first: our own files say it at once. */
const firstBytes = 65_536;
/** Bytes that are looked at at all; no larger file is taken. */
const mostBytes = 256 * 1024 * 1024;

/** @returns null where it says none. @throws what reading the file fails with */
export async function fileFormat(file: Blob): Promise<string | null> {
  const first = formatOf(await file.slice(0, firstBytes).text());
  if (first !== null || file.size <= firstBytes) return first;
  return formatOf(await file.slice(0, mostBytes).text());
}

/** The member `format` of the outermost object, wherever it stands; texts and objects inside may say what they like. */
export function formatOf(text: string): string | null {
  const mark = /["{}[\]]/g;
  const stringValue = /\s*:\s*"([^"\\]*)"/y;
  let depth = 0;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const { index } = found;
    if (found[0] === '{' || found[0] === '[') depth += 1;
    else if (found[0] !== '"') depth -= 1;
    else {
      mark.lastIndex = stringValue.lastIndex = stringEnd(text, index);
      if (depth !== 1 || text.slice(index, mark.lastIndex) !== '"format"') continue;
      const value = stringValue.exec(text)?.[1];
      if (value !== undefined) return value;
    }
  }
  return null;
}

/** Behind the quote that ends the string. */
function stringEnd(text: string, start: number): number {
  for (
    let quote = text.indexOf('"', start + 1);
    quote !== -1;
    quote = text.indexOf('"', quote + 1)
  ) {
    let before = quote;
    while (text[before - 1] === '\\') before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}
