/** Reads the files of a playground from its tag: its text, its children, and the attributes `src`, `files` and `recording`. */

import { embedLimits, readFiles, type PlaygroundFile } from '../../runtime/protocol/embed.ts';

/**
 * Returns the name of a file that has none: the module that its first tool names, as tools require
 * it.
 */
export function nameFor(text: string): string {
  const [, module] = /["']name["']\s*:\s*["']([A-Za-z_]\w{0,60}):/.exec(text) ?? [];
  return `${module ?? 'example'}.py`;
}

/** Removes empty lines around the text, and the indentation that all its lines share. */
export function dedent(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const isBlank = (line: string | undefined): boolean => line?.trim() === '';
  while (isBlank(lines[0])) lines.shift();
  while (isBlank(lines.at(-1))) lines.pop();
  const written = lines.filter((line) => !isBlank(line));
  const indents = written.map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  let shared = indents[0] ?? '';
  for (const indent of indents) while (!indent.startsWith(shared)) shared = shared.slice(0, -1);
  const kept = lines.map((line) => (isBlank(line) ? '' : line.slice(shared.length)));
  return kept.length === 0 ? '' : `${kept.join('\n')}\n`;
}

/** The files written inside a tag: one for each script child, otherwise all of its text. */
export function inlineFiles(tag: Element): readonly PlaygroundFile[] {
  const children = tag.querySelectorAll<HTMLElement>('script, [data-name]');
  const written = Array.from(children, ({ dataset, textContent }) => {
    const text = dedent(textContent);
    return { path: dataset.name ?? nameFor(text), text };
  });
  if (written.length > 0) return written;
  const text = dedent(tag.textContent);
  return text === '' ? [] : [{ path: tag.getAttribute('data-name') ?? nameFor(text), text }];
}

/**
 * Files that attributes name, fetched as this page may fetch them: relative to it, and from other origins only if they
 * allow it.
 * @throws {Error} that says which one and why
 */
export async function fetchNamedFiles(
  src: string | null,
  files: string | null,
): Promise<readonly PlaygroundFile[]> {
  const named = files === null ? [] : filesIn(files);
  const addresses = src === null ? named : [src, ...named];
  return Promise.all(
    addresses.map(async (each) =>
      typeof each === 'string' ? { path: nameIn(each), text: await fetchedText(each) } : each,
    ),
  );
}

/** Returns the text of a recording, given as text or by its address. @throws {Error} */
export async function loadRecordingText(recording: string | null): Promise<string> {
  if (recording === null || recording === '') return '';
  return recording.trimStart().startsWith('{') ? recording : fetchedText(recording);
}

/**
 * Reads a list of addresses, separated by spaces or in JSON, or an object with texts by their
 * paths.
 * @throws {Error}
 */
function filesIn(attribute: string): readonly (string | PlaygroundFile)[] {
  const trimmed = attribute.trim();
  if (!/^[[{]/.test(trimmed)) return trimmed === '' ? [] : trimmed.split(/\s+/);
  const value = JSON.parse(trimmed) as unknown;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  const files = Array.isArray(value)
    ? readFiles(value)
    : readFiles(
        Object.entries(value as object).map(([path, text]) => ({ path, text: text as unknown })),
      );
  if (files === null) throw new Error('The attribute “files” holds no files.');
  return files;
}

async function fetchedText(address: string): Promise<string> {
  const url = new URL(address, document.baseURI);
  let response: Response;
  try {
    response = await fetch(url, { redirect: 'manual' });
  } catch {
    throw new Error(
      `${url.href} cannot be loaded: it does not exist, its site does not allow it (CORS), or this page’s policy does not (connect-src).`,
    );
  }
  if (response.type === 'opaqueredirect')
    throw new Error(`${url.href} redirects to another address. Name that address instead.`);
  if (!response.ok) throw new Error(`${url.href} cannot be loaded: status ${response.status}.`);
  const text = await response.text();
  if (text.length > embedLimits.recordingChars) throw new Error(`${url.href} is too long.`);
  return text;
}

function nameIn(address: string): string {
  const last = new URL(address, document.baseURI).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || nameFor('');
  } catch {
    return last;
  }
}
