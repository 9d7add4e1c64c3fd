/** Finds recordings in a folder, and reads and writes them as files. */

import { createPacer } from '../../../runtime/async/pace.ts';
import type { FolderFile, FolderSnapshot } from '../../../runtime/spec/folder.ts';
import {
  invalidRecording,
  type IsRecording,
  lengthProblem,
  maxDepth,
  maxFileChars,
  maxRecordingChars,
  readRecording,
  type Recording,
  storedChars,
  tooLong,
} from '../../../runtime/spec/recording.ts';
import type { SavedFile } from '../file/session-file.ts';
import { expectParsable } from './read-files.ts';

/** Limits for a folder's `recordings/`: the number of files, the bytes of each, and the bytes of all that are read. */
const maxFolderFiles = 50;
const maxFolderFileBytes = 2_000_000;
const maxFolderBytes = 4_000_000;

export interface FolderRecording {
  /** The path inside the tools folder. */
  readonly path: string;
  readonly recording: Recording;
}

/** Returns the files in a tools folder's `recordings/` that are read. Those that are not recordings are ignored. */
export function recordingFiles(folder: FolderSnapshot): readonly FolderFile[] {
  let left = maxFolderBytes;
  return folder.files
    .filter(
      ({ path, bytes }) =>
        /^recordings\/[^/]+\.json$/.test(path) && bytes.byteLength <= maxFolderFileBytes,
    )
    .slice(0, maxFolderFiles)
    .filter(({ bytes }) => {
      left -= bytes.byteLength;
      return left >= 0;
    });
}

/** Writes a recording in slices, since writing a long one at once would block the page. */
export async function recordingFile({ turns, ...head }: Recording): Promise<SavedFile> {
  const pacer = createPacer();
  const parts = [`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "turns": [`];
  let chars = storedChars({ ...head, turns: [] });
  const write = async (value: unknown, before: string): Promise<void> => {
    parts.push(before, JSON.stringify(value, null, 2));
    // The quotes around the value do not count.
    chars += storedChars(value) - 2;
    if (pacer.mustRest()) await pacer.rest();
  };
  /** Characters of a turn's own syntax: the `0` of the message and the quotes do not count. */
  const turnChars = storedChars({ message: 0, steps: [] }) - 3;
  for (const [index, { message, steps }] of turns.entries()) {
    await write(message, `${index === 0 ? '' : ','}\n{"message": `);
    parts.push(', "steps": [');
    for (const [at, step] of steps.entries()) await write(step, at === 0 ? '\n' : ',\n');
    parts.push(']}');
    const commas = Math.max(0, steps.length - 1) + (index === 0 ? 0 : 1);
    chars += turnChars + commas;
  }
  const file = new Blob([...parts, '\n  ]\n}\n'], { type: 'application/json' });
  return { file, problem: chars > maxRecordingChars ? lengthProblem(chars) : null };
}

/** @throws {ToolError} `bad-input` with the problem in the file */
export async function recordingIn(file: Blob, isRecording: IsRecording): Promise<Recording> {
  if (file.size > 4 * maxFileChars) throw tooLong(file.size);
  return recordingOfText(await file.text(), isRecording);
}

/** Parses a recording without blocking the page. @throws {ToolError} `bad-input` with the problem in the text */
export async function recordingOfText(text: string, isRecording: IsRecording): Promise<Recording> {
  if (text.length > maxFileChars) throw tooLong(text.length);
  await expectParsable(text, maxDepth, invalidRecording);
  return readRecording(text, isRecording);
}
