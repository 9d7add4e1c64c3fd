/** Splits a traceback into lines, and pairs each `File` line with its frame. */

import type { Frame } from '../../../spec/result.ts';

export interface TracebackLine {
  readonly text: string;
  /** Position in the source, if the line names a known one. */
  readonly frame: Frame | null;
}

const fileLine = /^\s*File "(?<path>.*)", line (?<line>\d+)/;

/** Frames are in the order of the lines; a missing frame does not affect the other links. */
export function tracebackLines(
  traceback: string,
  frames: readonly Frame[],
): readonly TracebackLine[] {
  let next = 0;
  return traceback.split('\n').map((text) => {
    const found = fileLine.exec(text)?.groups;
    if (found === undefined) return { text, frame: null };
    const index = frames.findIndex(
      (frame, i) => i >= next && isFrame(frame, found.path ?? '', Number(found.line)),
    );
    const frame = frames[index];
    if (frame === undefined) return { text, frame: null };
    next = index + 1;
    return { text, frame };
  });
}

/** Whether the traceback says more than the error. */
export function saysMore(traceback: string, error: string): boolean {
  const text = traceback.trim();
  return text !== '' && text !== error.trim();
}

function isFrame(frame: Frame, path: string, line: number): boolean {
  return frame.line === line && (path === frame.file || path.endsWith(`/${frame.file}`));
}
