/** Reads the `format` member of a JSON file, without reading more of the file than necessary. */

import { eachNode, rootNode } from '../../spec/json-nodes.ts';

/** Bytes that are read first: Cloche writes the format at the beginning. */
const firstBytes = 65_536;
/** The limit for the bytes that are read; larger files are not accepted. */
const maxBytes = 256 * 1024 * 1024;

/**
 * @returns null if the file has no format
 * @throws the error of reading the file
 */
export async function fileFormat(file: Blob): Promise<string | null> {
  const first = formatOf(await file.slice(0, firstBytes).text());
  if (first !== null || file.size <= firstBytes) return first;
  return formatOf(await file.slice(0, maxBytes).text());
}

/** Returns the `format` member of the outermost object, at any position. */
export function formatOf(text: string): string | null {
  for (const { key, kind, start, end } of eachNode(text, rootNode(text))) {
    if (key !== 'format' || kind !== 'string') continue;
    const value = /^"([^"\\]*)"$/.exec(text.slice(start, end))?.[1];
    if (value !== undefined) return value;
  }
  return null;
}
