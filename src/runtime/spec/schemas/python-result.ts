/**
 * The end of a call, as the tool worker reports it. Hostile code may have written it; the broker bounds the whole
 * message.
 */

import type { ContentPart } from '../result.ts';
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
