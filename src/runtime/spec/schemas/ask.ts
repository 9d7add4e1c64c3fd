/**
 * The requests of a running call, as the tool worker sends them. Hostile code may have written them; the broker bounds
 * the whole message.
 */

import { integer, list, literal, object, oneOf, orNull, pair, string } from './schema.ts';

const positive = integer(1, Number.MAX_SAFE_INTEGER);

/** Sends a request. Answered by `response` as soon as the response's head has arrived. */
const fetch = object({
  ask: literal('fetch'),
  /** Absolute. */
  url: string({ maxLength: 16_000 }),
  method: string({ pattern: '^[A-Za-z]{1,20}$' }),
  headers: list(pair(string({ maxLength: 1_000 }), string({ maxLength: 100_000 })), {
    maxItems: 2_000,
  }),
  /** Base64; null if there is no body. */
  body: orNull(string()),
  /** The tool's own limit for request and response together, in milliseconds; null if it set none. */
  timeoutMs: orNull(integer(0, 2_147_483_647)),
});

/** Reads the next piece of the response to the `fetch` with the number `request`. Answered by `bytes` or `end`. */
const read = object({ ask: literal('read'), request: positive });

/** Abandons a response. Answered by `done`. */
const close = object({ ask: literal('close'), request: positive });

/** Asks the user for approval. Answered by `approval`. */
const approve = object({
  ask: literal('approve'),
  question: string({ maxLength: 2_000 }),
  /** JSON text. */
  details: orNull(string({ maxLength: 20_000 })),
});

/**
 * Asks the page to perform an action or to read something. Only extensions can; answered by `done` or `value`. The action
 * is JSON text `{action, …}`, as `src/agent/extensions/actions.ts` and `src/agent/extensions/python-requests.ts` read it.
 */
const app = object({ ask: literal('app'), action: string({ maxLength: 8_000_000 }) });

/** Calls a tool. Only programs can; answered by `value`, the result as JSON that the program reads. */
const call = object({
  ask: literal('call'),
  tool: string({ maxLength: 1_000 }),
  arguments: string({ maxLength: 8_000_000 }),
});

export const ask = object({
  /** Counts up within each call. */
  n: positive,
  ask: oneOf(fetch, read, close, approve, app, call),
});
