/** A recording: its types, and how it is parsed and validated. */

import type * as format from './schemas/recording.ts';
import type { Accepted } from './schemas/schema.ts';
import { deeperThan, type Json } from './json.ts';
import { ToolError } from './error.ts';
import { isObject } from './guards.ts';

/** Provider id of sessions that play a recording. */
export const replayProvider = 'replay';

export type RecordedCall = Accepted<typeof format.recordedCall>;
export type RecordedPart = RecordedStep['parts'][number];
export type RecordedStep = Accepted<typeof format.recordedStep>;
export type RecordedTurn = Accepted<typeof format.recordedTurn>;
export type Recording = Accepted<typeof format.recording>;

/** Limit for a recording as it is stored: as a JSON string in one event of the session that plays it. */
export const maxRecordingChars = 8_000_000;
/** Limit for a file, which may contain whitespace that is not stored. */
export const maxFileChars = 2 * maxRecordingChars;
/** More levels than any recording has. */
export const maxDepth = 16;

/** The validator of virtual:cloche/page-validators. */
export type IsRecording = (value: unknown) => value is Recording;

/**
 * Parses and validates a recording.
 *
 * @throws {ToolError} `bad-input` with the problem in the file
 */
export function readRecording(text: string, isRecording: IsRecording): Recording {
  if (text.length > maxFileChars) throw tooLong(text.length);
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw invalidRecording('it is damaged or incomplete');
  }
  if (deeperThan(value, maxDepth)) throw invalidRecording('it is nested too deeply');
  const { format, version } = isObject(value) ? value : {};
  if (format !== 'cloche-recording')
    throw invalidRecording('its "format" is not "cloche-recording"');
  if (version !== 1)
    throw new ToolError(
      'bad-input',
      `This recording has version ${JSON.stringify(version ?? null).slice(0, 100)}. This version of Cloche reads version 1.`,
      'Reload the page to get a newer version of Cloche.',
    );
  if (!isRecording(value)) throw invalidRecording('it does not have the form of a recording');
  // Escaping at most doubles a text, so a short one cannot be too long.
  const chars = text.length * 2 > maxRecordingChars ? storedChars(value) : 0;
  if (chars > maxRecordingChars) throw tooLong(chars);
  return value;
}

/** Returns the stored length of a part of a recording: as a string inside JSON, in which quotes are escaped. */
export function storedChars(part: unknown): number {
  return JSON.stringify(JSON.stringify(part)).length;
}

export function invalidRecording(why: string): ToolError {
  return new ToolError(
    'bad-input',
    `This file cannot be played: ${why}.`,
    'Choose a file made with “Save as recording”.',
  );
}

export function lengthProblem(chars: number): string {
  return `This recording is too large to play: it has ${chars} characters, and a session can hold ${maxRecordingChars}.`;
}

export function tooLong(chars: number): ToolError {
  return new ToolError('bad-input', lengthProblem(chars), 'Remove images or turns from it.');
}
