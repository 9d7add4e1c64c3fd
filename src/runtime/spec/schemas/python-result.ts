/**
 * Updates and the outcome of a running call, as the tool worker reports them. Hostile code may have written them; the
 * broker bounds the whole message.
 */

import type { ContentPart, Stream } from '../result.ts';
import {
  boolean,
  integer,
  list,
  literal,
  number,
  object,
  string,
  tagged,
  type Schema,
} from './schema.ts';

export const mediaType = string({ maxLength: 100, pattern: '^[a-z]+/[A-Za-z0-9.+-]+$' });

const textType = literal('text/html', 'text/markdown');

export const contentPart: Schema<ContentPart> = tagged(
  'type',
  object({ type: literal('text'), text: string() }, { mediaType: textType }),
  object({ type: literal('json'), text: string() }, { mediaType: textType }),
  object({ type: literal('image', 'binary'), mediaType, data: string() }),
);

const frame = object({
  file: string({ maxLength: 4_096 }),
  line: integer(0, 2_147_483_647),
  name: string({ maxLength: 1_000 }),
});
const text = string({ maxLength: 200_000 });

export const pythonResult = object(
  {
    ok: boolean,
    content: list(contentPart, { maxItems: 1_000 }),
    metadata: string({ maxLength: 1_100_000 }),
    durationMs: number({ minimum: 0, maximum: 1e12 }),
    outputDropped: integer(0, Number.MAX_SAFE_INTEGER),
  },
  {
    /** `Type: message`. */
    error: text,
    /** Text for a model. */
    message: text,
    traceback: text,
    frames: list(frame, { maxItems: 1_000 }),
    recoverable: boolean,
  },
);

const count = integer(0, Number.MAX_SAFE_INTEGER);
const output = string({ maxLength: 1_100_000 });

/** A batch of what a running call streams. */
export const pythonStream: Schema<Stream> = object({
  updates: list(object({ n: count, json: output }), { maxItems: 2_000 }),
  dropped: count,
  out: output,
  err: output,
  log: list(
    object({ level: string({ maxLength: 100 }), message: string({ maxLength: 100_000 }) }),
    { maxItems: 2_000 },
  ),
});
