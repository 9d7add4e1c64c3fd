/** Splits a traceback into lines, and pairs each `File` line with its frame. */

import type { Frame } from '../../../../runtime/spec/result.ts';

export interface TracebackLine {
  readonly text: string;
  /** Position in the source, if the line names a known one. */
  readonly frame: Frame | null;
}

const fileLine = /^\s*File "(?<path>.*)", line (?<line>\d+)/;
/** The margin before a line of an exception group. */
const groupMargin = /^ +(?:\| ?|\+ (?=Exception Group))/;

/** Frames are in the order of the lines; a missing frame does not affect the other links. */
export function tracebackLines(
  traceback: string,
  frames: readonly Frame[],
): readonly TracebackLine[] {
  let next = 0;
  return traceback.split('\n').map((text) => {
    const found = fileLine.exec(withoutMargin(text))?.groups;
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

function withoutMargin(line: string): string {
  return line.replace(groupMargin, '');
}

/** Returns whether a line separates the exceptions of a group: `+---------------- 2 ----------------`. */
function isRule(text: string): boolean {
  return /^ +\+[-+]/.test(text);
}

export function saysMore(traceback: string, error: string): boolean {
  const text = traceback.trim();
  return text !== '' && text !== error.trim();
}

function isFrame(frame: Frame, path: string, line: number): boolean {
  return frame.line === line && (path === frame.file || path.endsWith(`/${frame.file}`));
}

/** Lines of a traceback that are shown together. */
export interface TracebackPart {
  readonly lines: readonly TracebackLine[];
  /** Number of frames that are not of the folder, if the part consists of such frames; otherwise 0. */
  readonly foreign: number;
}

/**
 * Splits a traceback into frames of libraries, which can be folded, and everything else. Without a frame of the folder,
 * nothing is split off.
 * @param isOurs whether a frame is of the open folder
 */
export function tracebackParts(
  lines: readonly TracebackLine[],
  isOurs: (frame: Frame) => boolean,
): readonly TracebackPart[] {
  if (!lines.some(({ frame }) => frame !== null && isOurs(frame))) return [{ lines, foreign: 0 }];
  const parts: { lines: TracebackLine[]; foreign: number }[] = [];
  let inForeign = false;
  for (const line of lines) {
    const text = withoutMargin(line.text);
    const begins = fileLine.test(text);
    if (begins) inForeign = line.frame === null || !isOurs(line.frame);
    // A line without indentation belongs to no frame; it may be the error.
    else if (!/^\s/.test(text) || isRule(text)) inForeign = false;
    let last = parts.at(-1);
    if (last === undefined || last.foreign > 0 !== inForeign) {
      last = { lines: [], foreign: 0 };
      parts.push(last);
    }
    last.lines.push(line);
    if (begins && inForeign) last.foreign += 1;
  }
  return parts;
}
