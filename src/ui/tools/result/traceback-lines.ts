/** Splits a traceback into lines, and joins each `File` line with its frame. */

import type { Frame } from '../../../spec/result.ts';

export interface TracebackLine {
  readonly text: string;
  /** The place in the source, where the line names one that is known. */
  readonly frame: Frame | null;
}

const fileLine = /^\s*File "(?<path>.*)", line (?<line>\d+)/;

/** Frames come in the order of the lines; one that is left out there costs no other its link. */
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

/** The traceback tells anything beside the error. */
export function saysMore(traceback: string, error: string): boolean {
  const reported = traceback.trim();
  return reported !== '' && reported !== error.trim();
}

function isFrame(frame: Frame, path: string, line: number): boolean {
  return frame.line === line && (path === frame.file || path.endsWith(`/${frame.file}`));
}
