/** Writes and reads a recording as a file, in slices: a long one at once would block the page. */

import { createPacer, paced } from '../../async/pace.ts';
import { JsonReader } from '../../spec/json-reader.ts';
import type { Recording } from '../../spec/recording.ts';
import type { SavedFile } from '../file/session-file.ts';
import {
  invalidRecording,
  lengthProblem,
  maxFileChars,
  maxRecordingChars,
  readRecording,
  storedChars,
  tooLong,
  type IsRecording,
} from './recording.ts';

/** Limit of the values in a file, which is parsed at once. */
const mostValues = 200_000;
/** Characters that are read in one step. */
const stepChars = 65_536;

export async function recordingFile({ turns, ...head }: Recording): Promise<SavedFile> {
  const pacer = createPacer();
  const parts = [`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "turns": [`];
  let chars = storedChars({ ...head, turns: [] });
  const write = async (value: unknown, before: string): Promise<void> => {
    parts.push(before, JSON.stringify(value, null, 2));
    // Without the quotes around it.
    chars += storedChars(value) - 2;
    if (pacer.mustRest()) await pacer.rest();
  };
  const frame = storedChars({ message: 0, steps: [] }) - 3;
  for (const [index, { message, steps }] of turns.entries()) {
    await write(message, `${index === 0 ? '' : ','}\n{"message": `);
    parts.push(', "steps": [');
    for (const [at, step] of steps.entries()) await write(step, at === 0 ? '\n' : ',\n');
    parts.push(']}');
    chars += frame + Math.max(0, steps.length - 1) + (index === 0 ? 0 : 1);
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
    if (reader.values > mostValues)
      throw invalidRecording(`it has more than ${mostValues.toLocaleString('en')} values`);
    if (reached === 'done') return;
    if (reached !== 'more') throw invalidRecording('it is damaged or incomplete');
    yield undefined;
  }
}
