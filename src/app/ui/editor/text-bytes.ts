/** Converts between a file's bytes and the text that the editor shows, so that unchanged lines keep their bytes. */

/** Larger files, and files with longer lines, cannot be edited, because the editor would block the page. */
const maxBytes = 1024 * 1024;
const longestLine = 10_000;

/** @returns the text, or why the file cannot be edited, as a sentence */
export function editableText(bytes: Uint8Array): { text: string } | { why: string } {
  if (bytes.byteLength > maxBytes)
    return { why: 'This file is larger than 1 MB, and can only be viewed here.' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { why: 'This file is not UTF-8 text, and can only be viewed here.' };
  }
  for (let at = 0; at < text.length; at += 1) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    if (end - at > longestLine)
      return {
        why: `This file has a line of more than 10,000 characters, and can only be viewed here.`,
      };
    at = end;
  }
  return { text };
}

/** The line break for edited lines: `\r\n` if the text has no other, else `\n`. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return text.includes('\n') && !/(?<!\r)\n|\r(?!\n)/.test(text) ? '\r\n' : '\n';
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of a file, also if parts of it are not UTF-8. */
export function decodeFile(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
