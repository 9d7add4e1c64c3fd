/**
 * An entry of a session's log, as it comes from the database, another page or a file. Its text is bounded before it is
 * parsed.
 */

import type {
  AskedCall,
  AssistantPart,
  ModelMessage,
  ModelRef,
  Usage,
  UserPart,
} from '../model.ts';
import type { ToolResult, WorkspaceNote } from '../result.ts';
import { contentPart, mediaType } from './sandbox.ts';
import {
  anyObject,
  boolean,
  integer,
  list,
  literal,
  number,
  object,
  orNull,
  pair,
  string,
  tagged,
  type Members,
  type Schema,
} from './schema.ts';

export const id = string({ minLength: 1, maxLength: 1_000 });
export const count = integer(0, Number.MAX_SAFE_INTEGER);
/** Milliseconds since the epoch. */
export const time = number({ minimum: 0, maximum: 8.64e15 });
const duration = number({ minimum: 0, maximum: 1e15 });
const amount = orNull(duration);
const name = string({ maxLength: 1_000 });

export const modelRef: Schema<ModelRef> = object({ provider: name, model: name });

/** An extension, as the page names it. */
export const sentBy = object({ extension: name, file: name });

export const opaque = object({ made: modelRef, data: anyObject });

const userPart: Schema<UserPart> = tagged(
  'type',
  object({ type: literal('text'), text: string() }, { name: string() }),
  object({ type: literal('image'), mediaType, data: string() }),
  object({
    type: literal('file'),
    mediaType: literal('application/pdf'),
    name: string(),
    data: string(),
  }),
);

export const askedCall: Schema<AskedCall> = object(
  {
    type: literal('call'),
    id,
    askedId: string(),
    wire: string(),
    tool: string(),
    arguments: string(),
  },
  {
    argumentFault: literal(
      'null',
      'double-encoded',
      'repeated',
      'empty-first',
      'surrounded',
      'characters',
      'syntax',
      'in-text',
    ),
    opaque,
  },
);

const assistantPart: Schema<AssistantPart> = tagged(
  'type',
  object({ type: literal('text', 'reasoning'), text: string() }, { opaque }),
  askedCall,
);

const toolAnswer = object({
  askedId: string(),
  wire: string(),
  isError: boolean,
  parts: list(userPart),
});

const modelMessage: Schema<ModelMessage> = tagged(
  'role',
  object({ role: literal('user'), parts: list(userPart) }),
  object({ role: literal('assistant'), parts: list(assistantPart) }),
  object({ role: literal('tool'), answers: list(toolAnswer) }),
);

const usage: Schema<Usage> = object(
  { input: amount, cached: amount, output: amount, reasoning: amount },
  { cacheWrites: amount },
);

/** A fault as it is stored in the log. */
export const storedFault = object(
  {
    fault: literal(
      'rate-limit',
      'overloaded',
      'network',
      'cut',
      'key',
      'context',
      'credit',
      'model',
      'cors',
      'request',
      'answer',
      'refused',
      'provider',
      'internal',
    ),
    message: string(),
  },
  { hint: string() },
);

/** A tool as it was when it was selected. `name` is its id. */
export const selectedTool = object(
  {
    name: id,
    description: string(),
    parameters: anyObject,
    deferred: boolean,
  },
  { examples: list(anyObject), returns: anyObject },
);

const workspace: Schema<WorkspaceNote> = object(
  {
    name: string(),
    entries: list(
      object(
        {
          path: string(),
          what: literal('added', 'changed', 'removed', 'folder-added', 'folder-removed'),
          state: literal('written', 'waiting', 'asks', 'failed', 'refused'),
        },
        { reason: string() },
      ),
    ),
    more: count,
  },
  { trouble: string() },
);

const result: Schema<ToolResult> = object(
  {
    resultType: literal('success', 'failure'),
    textResultForLlm: string(),
    content: list(contentPart),
    isError: boolean,
    recoverable: boolean,
    metadata: string(),
    updates: list(object({ n: count, json: string() })),
    updatesDropped: count,
    log: list(object({ level: string(), message: string() })),
    stdout: string(),
    stderr: string(),
    outputDropped: count,
    durationMs: duration,
    interpreter: string(),
    stateLost: boolean,
  },
  {
    error: string(),
    traceback: string(),
    frames: list(object({ file: string(), line: count, name: string() })),
    workspace,
    changes: list(
      object(
        { what: literal('arguments', 'result'), before: string(), after: string() },
        { by: string() },
      ),
    ),
  },
);

/** The task of a sub-agent's session. */
export const sessionTask = object(
  {
    run: id,
    id: string({ minLength: 1, maxLength: 200 }),
    /** JSON Schema of the task's output; null for any. */
    output: orNull(anyObject),
  },
  {
    /** False if the session ends with its last answer, so that the model gets no tool to hand over a result. */
    finishes: literal(false),
  },
);

/** How a turn ended. `lost`: its page was closed. A paused turn has not ended. */
export const turnEnd = literal('done', 'stopped', 'failed', 'lost');

/** Why Python state was reset. `folder`: the folder was opened again. `import`: the session was imported from a file. */
export const pythonAnew = literal(
  'reload',
  'fork',
  'reclaimed',
  'folder',
  'other-folder',
  'import',
);

/** An event of the log; `n` counts from 0 without gaps. */
function event<T extends string, R extends Members, O extends Members | undefined = undefined>(
  type: T,
  required: R,
  optional?: O,
) {
  return object({ n: count, at: time, type: literal(type), ...required }, optional);
}

export const sessionEvent = tagged(
  'type',
  event(
    'created',
    {
      folder: string(),
      /** Distinguishes folders with the same name; empty if the folder is not stored between visits. */
      folderId: name,
    },
    {
      forkOf: object({ session: id, n: count }),
      /** Set if the session plays a recording, from which its model answers come. */
      replays: string(),
      /** Set in a sub-agent's session. */
      task: sessionTask,
    },
  ),
  event('titled', { title: string(), by: literal('user', 'message') }),
  /** The selection, logged once, with the first message; locked from then on. `names` maps ids to wire names. */
  event(
    'selected',
    { tools: list(selectedTool), names: list(pair(id, id)) },
    {
      /** Name of the tools' folder, if it is not the one of `created`. */
      folder: string(),
      folderId: string(),
      /** Set if the model may write programs. */
      programs: literal(true),
    },
  ),
  event('model', { model: modelRef }),
  /** The base text of the system prompt from here on; empty means the default. */
  event('prompt', { text: string() }),
  event(
    'message',
    {
      id,
      turnId: id,
      parts: list(userPart),
      /** Whether the message was sent while the turn was running. */
      steering: boolean,
    },
    {
      /** Parts that extensions add to the model's context during this turn. */
      context: list(userPart),
      /** The extension that has sent it in the user's name. */
      from: sentBy,
    },
  ),
  event('turn-began', { turnId: id }),
  /** A step, one request to the model, began. */
  event('step-began', { turnId: id, stepId: id, model: modelRef }),
  event(
    'step-ended',
    {
      stepId: id,
      parts: list(assistantPart),
      /** `cut`: stopped, failed or lost; `parts` is what had arrived. */
      finish: literal('stop', 'calls', 'length', 'filtered', 'other', 'cut'),
      usage,
      /** US dollars; null where unknown. */
      cost: amount,
      ms: duration,
    },
    {
      /** Milliseconds until the first part of the answer; absent if none arrived, and in logs of earlier versions. */
      firstMs: duration,
      /** Set if the usage is an estimate, because the answer was cut before the provider reported it. */
      estimated: literal(true),
      fault: storedFault,
    },
  ),
  /** The call runs: it has been approved if necessary, and has its interpreter. */
  event('call-began', { callId: id, stepId: id }),
  event(
    'call-answered',
    {
      callId: id,
      approval: literal('once', 'session', 'always', 'deny', 'never'),
      /** Why the user denied it; may be empty. */
      reason: string(),
    },
    {
      /** The tool that the user was asked about; absent if it is the one that the model asked for. */
      tool: string(),
      /** The arguments as the user changed them; absent if unchanged. */
      arguments: string(),
    },
  ),
  event(
    'call-ended',
    { callId: id, result },
    {
      /** Set if the user replaced the result when they forked the session. */
      edited: literal(true),
    },
  ),
  /** A program calls a tool. `parent` is the id of the program's own call. Long arguments are cut. */
  event('nested-began', { callId: id, parent: id, tool: id, arguments: string() }),
  /** The call of a program ended. Long texts of the result are cut; the call log has them. */
  event('nested-ended', { callId: id, parent: id, result }),
  event('turn-ended', { turnId: id, end: turnEnd }, { fault: storedFault }),
  /**
   * From here on, messages before `before` (an `n`) are replaced in requests to the model: by `messages`, or without
   * them by the summary.
   */
  event(
    'compacted',
    { before: count, summary: string(), usage },
    {
      messages: list(modelMessage, { maxItems: 10_000 }),
      /** The file of the extension that compacted; absent for Cloche itself. */
      from: name,
      /** US dollars; null where unknown. */
      cost: orNull(number()),
    },
  ),
  /** A message of an extension, for the user only. */
  event('shown', {
    /** The kind of message, by which a renderer is found. */
    messageKind: name,
    /** JSON text. */
    data: string(),
    /** Text to show if there is no renderer. */
    text: string(),
    from: sentBy,
  }),
  /** A background prompt, which is not part of the conversation. */
  event('background-began', { id, prompt: string() }),
  /** A step of a background prompt ended. If no prompt has this `id`, it is the cost of an answer that was not used. */
  event('background-step', { id, usage, cost: amount }),
  event(
    'background-ended',
    {
      id,
      /** The answer, or the error. */
      text: string(),
      ok: boolean,
    },
    {
      /** Usage of all steps; only in old logs, which have no `background-step`. */
      usage,
      cost: amount,
    },
  ),
  /** Python state was reset. */
  event('python-anew', { why: pythonAnew }),
  /** The user withdrew their approval of this tool for the session. */
  event('asks-again', { tool: id }),
  /** Deferred tools whose full definition is sent to the model from here on. */
  event('handed-over', { tools: list(id) }),
);
