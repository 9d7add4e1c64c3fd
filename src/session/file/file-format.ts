/** Reads the `format` of a JSON file, without reading more of the file than needed. */

/** Bytes to read first: Cloche writes the format at the beginning. */
const firstBytes = 65_536;
/** Bytes to read at most; no larger file is accepted. */
const maxBytes = 256 * 1024 * 1024;

/** @returns null where the file has no format. @throws what reading the file fails with */
export async function fileFormat(file: Blob): Promise<string | null> {
  const first = formatOf(await file.slice(0, firstBytes).text());
  if (first !== null || file.size <= firstBytes) return first;
  return formatOf(await file.slice(0, maxBytes).text());
}

/** The member `format` of the outermost object, wherever it stands. Strings and nested objects are skipped. */
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

/** The index after the closing quote. */
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
