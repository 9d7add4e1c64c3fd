/** Reads the `format` member of a JSON file, without reading more of the file than necessary. */

import { runPaced } from '../../../runtime/async/pace.ts';
import { JsonReader } from '../../../runtime/spec/json-reader.ts';

/** Bytes that are read first: Cloche writes the format at the beginning. */
const firstBytes = 65_536;
/** The limit for the bytes that are read; larger files are not accepted. */
const maxBytes = 256 * 1024 * 1024;

/**
 * @returns null if the file has no format
 * @throws the error of reading the file
 */
export async function fileFormat(file: Blob): Promise<string | null> {
  const first = await runPaced(formatIn(await file.slice(0, firstBytes).text()));
  if (first !== null || file.size <= firstBytes) return first;
  return runPaced(formatIn(await file.slice(0, maxBytes).text()));
}

/** Finds the `format` member of the outermost object, at any position, in steps. */
function* formatIn(text: string): Generator<undefined, string | null> {
  const found: { format: string | null } = { format: null };
  const reader = new JsonReader(text, {
    onMember: (key, value) => {
      if (key === '"format"') found.format ??= /^"([^"\\]*)"$/.exec(value)?.[1] ?? null;
    },
  });
  // The text may end in the middle of a value.
  while (reader.advance(firstBytes) === 'more' && found.format === null) yield undefined;
  return found.format;
}
