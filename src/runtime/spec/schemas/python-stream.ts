/** One batch of a running call, as the tool worker sends it; the broker bounds the whole message. */

import type { Stream } from '../result.ts';
import { integer, list, object, string, type Schema } from './schema.ts';

const count = integer(0, Number.MAX_SAFE_INTEGER);
const output = string({ maxLength: 1_100_000 });

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
