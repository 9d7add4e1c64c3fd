/** Finds recordings in a folder, and reads and writes them as files. */

import { createPacer, paced } from '../../../runtime/async/pace.ts';
import type { FolderSnapshot } from '../../../runtime/spec/folder.ts';
import { JsonReader } from '../../../runtime/spec/json-reader.ts';
import {
  invalidRecording,
  lengthProblem,
  maxFileChars,
  maxRecordingChars,
  readRecording,
  storedChars,
  tooLong,
  type IsRecording,
} from '../../../runtime/spec/read-recording.ts';
import type { Recording } from '../../../runtime/spec/recording.ts';
import type { SavedFile } from '../file/session-file.ts';

/** Limits for a folder's `recordings/`: the number of files, the bytes of each, and the bytes of all that are read. */
const maxFolderFiles = 50;
const maxFolderFileBytes = 2_000_000;
const maxFolderBytes = 4_000_000;

export interface FolderRecording {
  /** The path inside the tools folder. */
  readonly path: string;
  readonly recording: Recording;
}

/** Returns the recordings in a tools folder's `recordings/`, with their paths. Other files there are ignored. */
export function folderRecordings(
  folder: FolderSnapshot,
  isRecording: IsRecording,
): readonly FolderRecording[] {
  const files = folder.files.filter(
    ({ path, bytes }) =>
      /^recordings\/[^/]+\.json$/.test(path) && bytes.byteLength <= maxFolderFileBytes,
  );
  let left = maxFolderBytes;
  return files.slice(0, maxFolderFiles).flatMap(({ path, bytes }) => {
    left -= bytes.byteLength;
    if (left < 0) return [];
    try {
      return [{ path, recording: readRecording(new TextDecoder().decode(bytes), isRecording) }];
    } catch {
      return [];
    }
  });
}

/** Limit of the number of values in a file, since a file is parsed at once. */
const maxValues = 200_000;
/** Characters that are read in one step. */
const stepChars = 65_536;

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
  const text = await file.text();
  if (text.length > maxFileChars) throw tooLong(text.length);
  await paced(countValues(text));
  return readRecording(text, isRecording);
}

/** @throws {ToolError} */
function* countValues(text: string): Generator<undefined, void> {
  const reader = new JsonReader(text);
  for (;;) {
    const reached = reader.advance(stepChars);
    // @mutant the number of values in a recording => never [src/agent/session/recording/recording.test.ts]
    if (reader.values > maxValues)
      throw invalidRecording(`it has more than ${maxValues.toLocaleString('en')} values`);
    if (reached === 'done') return;
    if (reached !== 'more') throw invalidRecording('it is damaged or incomplete');
    yield undefined;
  }
}
