/** Reads the `format` of a JSON file, without reading more of the file than needed. */

import { eachNode, rootNode } from '../../spec/json-nodes.ts';

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

/** The member `format` of the outermost object, wherever it stands. */
export function formatOf(text: string): string | null {
  for (const { key, kind, start, end } of eachNode(text, rootNode(text))) {
    if (key !== 'format' || kind !== 'string') continue;
    const value = /^"([^"\\]*)"$/.exec(text.slice(start, end))?.[1];
    if (value !== undefined) return value;
  }
  return null;
}
