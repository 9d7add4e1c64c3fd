/** Searches logged calls, and exports them. */

import { createPacer } from '../async/pace.ts';
import type { LoggedCall } from '../spec/call.ts';

const maxFound = 500;
/** Characters of each text that are searched. */
const searchedChars = 20_000;
/** Characters of an export that are held as text before they become a Blob, which the browser may keep on disk. */
const exportChars = 4_000_000;

/**
 * Finds calls whose name, tool, folder, caller, arguments, result, output, updates, log or metadata contain every word,
 * in their order. It runs in slices, and rejects with the signal's reason if it aborts.
 */
export async function searchCalls(
  signal: AbortSignal,
  calls: readonly LoggedCall[],
  text: string,
): Promise<LoggedCall[]> {
  const pacer = createPacer();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found: LoggedCall[] = [];
  for (const logged of calls) {
    if (pacer.mustRest()) await pacer.rest();
    signal.throwIfAborted();
    if (containsWords(logged, words)) found.push(logged);
    if (found.length === maxFound) break;
  }
  return found;
}

/** The calls as JSON lines, in their order. */
export async function exportCalls(calls: readonly LoggedCall[]): Promise<Blob> {
  const pacer = createPacer();
  const parts: Blob[] = [];
  let lines = '';
  for (const logged of calls) {
    lines += `${JSON.stringify(logged)}\n`;
    if (lines.length > exportChars) {
      parts.push(new Blob([lines]));
      lines = '';
    }
    if (pacer.mustRest()) await pacer.rest();
  }
  return new Blob([...parts, lines], { type: 'application/jsonl' });
}

function containsWords(
  { call, result, folder, mark }: LoggedCall,
  words: readonly string[],
): boolean {
  const texts = [
    mark?.name ?? '',
    call.tool,
    call.caller,
    folder,
    call.arguments,
    result.textResultForLlm,
    result.error ?? '',
    result.stdout,
    result.stderr,
    result.metadata,
    startOf(result.updates.map(({ json }) => json)),
    startOf(result.log.map(({ message }) => message)),
  ].map((text) => text.slice(0, searchedChars).toLowerCase());
  return words.every((word) => texts.some((text) => text.includes(word)));
}

/** Joins the first characters of the texts, about as many as are searched. */
function startOf(texts: readonly string[]): string {
  let start = '';
  for (const text of texts) {
    if (start.length >= searchedChars) break;
    start += `${text.slice(0, searchedChars)}\n`;
  }
  return start;
}
