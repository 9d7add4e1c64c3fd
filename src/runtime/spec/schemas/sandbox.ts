/**
 * What the sandbox sends for running calls, tool files and packages. Hostile code may have written all of it: the broker
 * bounds the whole message, and strings and lists are bounded here.
 */

import type { ContentPart, Stream } from '../result.ts';
import {
  anyObject,
  boolean,
  integer,
  list,
  literal,
  number,
  object,
  oneOf,
  orNull,
  pair,
  type Schema,
  string,
  tagged,
} from './schema.ts';
import type { Problem } from '../folder.ts';

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

/** The outcome of a call. */
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

const path = string({ maxLength: 1_000 });
const paths = list(path, { maxItems: 20_000 });

/** An entry of the copy that is not returned, and why. */
const left = object({
  path,
  why: literal('link', 'special', 'large', 'long', 'many'),
});

/** Changes in an interpreter's copy of the workspace. The page decides whether the paths may be written. */
export const pythonWorkspace = object({
  /** Written files, in base64; empty if only paths were requested. */
  files: list(
    object({ path, modifiedAt: number({ minimum: -8.64e15, maximum: 8.64e15 }), data: string() }),
    { maxItems: 20_000 },
  ),
  removed: paths,
  folders: paths,
  foldersGone: paths,
  left: list(left, { maxItems: 20_001 }),
  /** Whether the message is full, so that another request returns the rest. */
  more: boolean,
});

const line = integer(1, 2_147_483_647);
const sentence = string({ maxLength: 10_000 });

/** A function that can become a tool. */
export const proposedTool = object({
  /** The tool's id, `{module}:{function}`. */
  name: string({ minLength: 3, maxLength: 256 }),
  /** The function's line. */
  line,
  description: string({ maxLength: 100_000 }),
  /** JSON Schema of the arguments. */
  parameters: anyObject,
  /** Whether the proposal's text has a spec of this function. */
  included: boolean,
  /** Sentences that say what could not be understood, or why there is no spec. */
  notes: list(sentence, { maxItems: 100 }),
});

/** The specs that Cloche would write for the functions of a tool file, and the file's text with them. */
export const pythonProposal = object({
  file: string({ minLength: 1, maxLength: 4_096 }),
  tools: list(proposedTool, { maxItems: 2_000 }),
  /** The file's new text; null if there is nothing to write. */
  text: orNull(string({ maxLength: 8_000_000 })),
  /** Why there is no text, or what the new text cannot do. */
  notes: list(object({ line, message: sentence, hint: sentence }), { maxItems: 100 }),
});

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

/** A request of a running call. */
export const ask = object({
  /** Counts up within each call. */
  n: positive,
  ask: oneOf(fetch, read, close, approve, app, call),
});

const name = string({ minLength: 1, maxLength: 300 });
const names = list(name, { maxItems: 5_000 });
const filePath = string({ maxLength: 1_000 });
const problemText = string({ maxLength: 4_000 });
const place = orNull(integer(1, 100_000_000));

const problem: Schema<Problem> = object({
  severity: literal('error', 'warning'),
  code: name,
  file: filePath,
  line: place,
  column: place,
  message: problemText,
  expected: problemText,
  hint: problemText,
});

export const resolvedWheel = object({
  name,
  version: name,
  filename: name,
  from: literal('folder', 'site', 'distribution', 'index'),
  /** SHA-256 hashes in hexadecimal that the requirements allow; empty if any file is allowed. */
  hashes: list(string({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 100 }),
  /** Files that need it, directly or indirectly. */
  neededBy: list(filePath, { maxItems: 5_000 }),
});

/** The information that the resolver needs before it can continue. */
const need = object({ need: object({ projects: names, metadata: names }) });

export const resolved = object({
  wheels: list(resolvedWheel, { maxItems: 1_000 }),
  /** Problems of files; a file with an error cannot be imported. */
  problems: list(problem, { maxItems: 10_000 }),
  /** Requirements that files declare, and that are unmet only because nothing may be fetched. */
  wanted: list(object({ file: filePath, requirement: problemText }), { maxItems: 10_000 }),
});

/** The answer of the resolver of packages: what it needs to know first, or the wheels that satisfy what is declared. */
export const resolution = oneOf(need, resolved);
