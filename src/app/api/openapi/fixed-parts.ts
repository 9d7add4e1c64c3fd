/** The parts of the OpenAPI document that are the same for every folder; see docs/api.md. */

import { callers } from '../../../runtime/spec/call.ts';

export const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const inQuery = (name: string, schema: object, description: string) => ({
  name,
  in: 'query',
  description,
  schema,
});
const time = (description: string) => ({
  type: 'number',
  description: `${description}, in milliseconds since the epoch.`,
});
/** The schema of an object, all of whose members are required unless `required` says otherwise. */
export const object = (properties: object, { required = Object.keys(properties) } = {}) => ({
  type: 'object',
  required,
  properties,
});

export const runHead = {
  id: text,
  goal: text,
  state: { enum: ['running', 'paused', 'interrupted', 'done', 'stuck', 'stopped'] },
  reason: text,
  done: { ...count, description: 'Tasks that are done.' },
  total: { ...count, description: 'All tasks.' },
};
export const run = object({ ...runHead, tasks: { type: 'array', items: { type: 'object' } } });

export const folderName = {
  ...text,
  description: 'Name of the folder. Several can have the same.',
};
export const folderId = { ...text, description: 'Distinguishes folders with the same name.' };

/** Parameters that several operations refer to; nearly all of them take the folder. */
export const parameters = {
  folder: inQuery(
    'folder',
    text,
    'Id or name of an open folder. Without it, the one that was used last.',
  ),
  accept: {
    name: 'Accept',
    in: 'header',
    description: '`text/event-stream` for the call as events.',
    schema: { enum: ['application/json', 'text/event-stream'] },
  },
  key: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { ...text, maxLength: 255 },
    description: 'A repeated request with the same key rejoins its call.',
  },
};

export const caller = { enum: callers };

export const schemas = {
  Problem: {
    description: 'A problem document (RFC 9457).',
    ...object({
      type: text,
      title: text,
      status: { type: 'integer' },
      code: { ...text, description: 'Short and stable.' },
      detail: { ...text, description: 'What happened.' },
      hint: { ...text, description: 'What to do next.' },
    }),
  },
  Content: object(
    {
      type: { enum: ['text', 'json', 'image', 'binary'] },
      text: { ...text, description: 'Of a text or JSON.' },
      mediaType: { ...text, description: 'Of an image or binary data.' },
      data: { ...text, contentEncoding: 'base64', description: 'Of an image or binary data.' },
    },
    { required: ['type'] },
  ),
  Result: {
    description:
      'The result of a call, failures included; or, while the call still runs, where to get it.',
    ...object(
      {
        callId: text,
        state: { enum: ['ended', 'running'] },
        rest: { ...text, description: 'The address of the result, if the call still runs.' },
        resultType: { enum: ['success', 'failure'] },
        textResultForLlm: text,
        error: {
          ...text,
          description:
            '`Type: message`, or `cancelled`, `timeout`, `interrupted`, `crashed` or `approval_required`.',
        },
        traceback: text,
        content: { type: 'array', items: ref('Content') },
        metadata: { type: 'object' },
        stdout: text,
        stderr: text,
        outputDropped: count,
        updates: { type: 'array', items: object({ n: count, json: text }) },
        updatesDropped: count,
        log: { type: 'array', items: object({ level: text, message: text }) },
        isError: { type: 'boolean' },
        recoverable: { type: 'boolean' },
        durationMs: { type: 'number', minimum: 0 },
        interpreter: text,
        stateLost: { type: 'boolean' },
      },
      { required: ['callId', 'state'] },
    ),
  },
  Tool: {
    description: 'A tool, with the optional keys of its spec.',
    ...object({
      name: text,
      folder: folderName,
      folderId,
      label: text,
      description: text,
      parameters: { type: 'object', description: 'JSON Schema of the arguments.' },
      source: object({ file: text, line: { type: 'integer', minimum: 1 } }),
    }),
  },
  Call: {
    description: 'A call, without its arguments and its result.',
    ...object({
      id: text,
      tool: text,
      caller,
      parent: {
        type: ['string', 'null'],
        description: 'The call that ran the program, if a program made this call.',
      },
      session: { ...text, description: 'Empty without a session.' },
      site: {
        type: ['string', 'null'],
        description: 'Origin of the page that made it, if that is another.',
      },
      state: { enum: ['running', 'ended'] },
      folder: folderName,
      folderId,
      endedAt: { ...time('When it ended'), type: ['number', 'null'] },
      resultType: { enum: ['success', 'failure', null] },
      error: { type: ['string', 'null'] },
      durationMs: { type: ['number', 'null'] },
      name: { ...text, description: 'The name that the user gave it; empty if none.' },
      pinned: { type: 'boolean' },
    }),
  },
  Session: {
    description: 'A stored session, without what was said in it.',
    ...object({
      id: text,
      title: text,
      folder: folderName,
      folderId,
      createdAt: time('When it was created'),
      changedAt: time('When it was changed'),
      messages: count,
      model: { type: ['string', 'null'] },
      forkOf: { type: ['string', 'null'], description: 'The session of which it is a copy.' },
      run: { type: ['string', 'null'], description: 'The run of which it is a sub-agent.' },
      open: { type: 'boolean' },
    }),
  },
  Access: object({
    origin: { type: ['string', 'null'], description: 'Null for pages of Cloche’s own origin.' },
    allowed: { const: true },
  }),
  Listing: object({
    state: { enum: ['none', 'scanning', 'ready'] },
    folder: { type: ['string', 'null'] },
    folderId,
    revision: text,
    tools: { type: 'array', items: ref('Tool') },
    problems: { type: 'array', items: { type: 'object' } },
  }),
};

export const responses = {
  Problem: {
    description: 'The request was refused.',
    content: { 'application/problem+json': { schema: ref('Problem') } },
  },
  Result: {
    description: 'The call has ended, or has run for four minutes. A failed call is a 200 too.',
    headers: { 'Cloche-Call': { description: 'The id of the call.', schema: text } },
    content: {
      'application/json': { schema: ref('Result') },
      'text/event-stream': {
        schema: { ...text, description: 'Server-sent events; the last one holds the result.' },
      },
    },
  },
};
