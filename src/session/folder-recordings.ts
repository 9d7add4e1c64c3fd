/** Recordings that come with a tools folder: what lies in its folder `recordings/`. */

import type { FolderSnapshot } from '../spec/folder.ts';
import type { Recording } from '../spec/recording.ts';
import { readRecording } from './recording.ts';

export interface FolderRecording {
  /** Its path inside the tools folder. */
  readonly path: string;
  readonly recording: Recording;
}

/** Those that are looked at; a folder may hold anything. */
const most = 50;
/** Bytes of one; a larger one can be opened by hand. */
const largest = 2_000_000;

/** By their paths. What is no recording is left out: other files may lie there. */
export function folderRecordings(
  folder: FolderSnapshot,
  isRecording: (value: unknown) => boolean,
): readonly FolderRecording[] {
  const files = folder.files.filter(
    ({ path, bytes }) => /^recordings\/[^/]+\.json$/.test(path) && bytes.byteLength <= largest,
  );
  const found: FolderRecording[] = [];
  for (const { path, bytes } of files.slice(0, most)) {
    try {
      const recording = readRecording(new TextDecoder().decode(bytes), isRecording);
      found.push({ path, recording });
    } catch {
      // It is something else.
    }
  }
  return found;
}
