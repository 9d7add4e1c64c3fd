/** Lines of JSON over standard input and output. */

import type { Readable, Writable } from 'node:stream';

/** Longer lines are refused: the page takes no longer messages either. */
const maxLineChars = 64_000_000;

/** Calls `onLine` for each line, and `onEnd` when the input ends or fails. A line that is too long arrives as null. */
export function readLines(
  input: Readable,
  onLine: (line: string | null) => void,
  onEnd: () => void,
  maxChars = maxLineChars,
): void {
  // Null once the line is too long.
  let line: string | null = '';
  const take = (piece: string): void => {
    // @mutant a line without an end is not kept in memory => line.length + piece.length > maxChars -> false
    //   [src/cli/mcp/stdio-session.test.ts]
    if (line !== null) line = line.length + piece.length > maxChars ? null : line + piece;
  };
  input.setEncoding('utf8');
  input.on('data', (text: string) => {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      take(piece);
      const whole = line === null ? null : line.trim();
      if (whole !== '') onLine(whole);
      line = '';
    }
    take(last);
  });
  input.on('end', onEnd);
  input.on('error', onEnd);
}

/**
 * Writes lines. Each promise resolves when the reader has room for more; until then the input is paused, so that a client
 * that never reads is not answered without end.
 */
export function lineWriter(output: Writable, input: Readable): (line: string) => Promise<void> {
  let drained: Promise<void> | null = null;
  // A client that has gone is noticed by the end of its input.
  output.on('error', () => undefined);
  return (line) => {
    if (output.write(`${line}\n`)) return Promise.resolve();
    if (drained === null) {
      input.pause();
      drained = new Promise((resolve) => {
        const onDrained = (): void => {
          drained = null;
          output.off('drain', onDrained);
          output.off('close', onDrained);
          input.resume();
          resolve();
        };
        output.once('drain', onDrained);
        output.once('close', onDrained);
      });
    }
    return drained;
  };
}
