/** The addresses of the API that are the same for every folder, for the OpenAPI document; see docs/api.md. */

import {
  text,
  ref,
  inQuery,
  object,
  runHead,
  run,
  folderName,
  folderId,
  caller,
  type parameters,
} from './fixed-parts.ts';

const json = (schema: object, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
const problem = { $ref: '#/components/responses/Problem' };
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: text,
});
const page = [
  inQuery('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }, 'Entries.'),
  inQuery('after', text, 'The `next` of the page before.'),
];
const next = { type: ['string', 'null'], description: 'Begins the next page; null at the end.' };
const parameter = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` });
const folder = parameter('folder');

export const fixedPaths = {
  '/folders': {
    get: {
      operationId: 'list_folders',
      summary: 'List the open folders',
      responses: {
        200: json(
          object({ folders: { type: 'array', items: object({ id: folderId, name: folderName }) } }),
          'The folders that are open in pages of Cloche, the one that was used last first.',
        ),
        default: problem,
      },
    },
  },
  '/sessions': {
    get: {
      operationId: 'list_sessions',
      summary: 'List the stored sessions',
      parameters: [
        inQuery('run', text, 'Lists the sub-agents of this run instead.'),
        ...[folder, ...page],
      ],
      responses: {
        200: json(
          object({ sessions: { type: 'array', items: ref('Session') }, next }),
          'The sessions, changed last first.',
        ),
        default: problem,
      },
    },
  },
  '/calls': {
    get: {
      operationId: 'list_calls',
      summary: 'List running and logged calls',
      parameters: [
        inQuery('tool', text, 'Only calls to this tool.'),
        inQuery('caller', caller, 'Only calls by this kind of caller.'),
        inQuery('session', text, 'Only calls in this session; empty for those in none.'),
        inQuery('state', { enum: ['running', 'ended', 'success', 'failure'] }, 'Only such calls.'),
        inQuery(
          'since',
          text,
          'Only calls that ended at this time or later: a date, or milliseconds since the epoch.',
        ),
        ...[folder, ...page],
      ],
      responses: {
        200: json(
          object({ calls: { type: 'array', items: ref('Call') }, next }),
          'The calls, newest first.',
        ),
        default: problem,
      },
    },
  },
  '/extensions': {
    get: {
      operationId: 'list_extensions',
      summary: 'List the extensions of the folder and of Cloche',
      parameters: [folder],
      responses: { 200: json({ type: 'object' }, 'The extensions.'), default: problem },
    },
  },
  '/access': {
    get: {
      operationId: 'get_access',
      summary: 'Tell whether this page may use the API',
      responses: { 200: json(ref('Access'), 'It may.'), default: problem },
    },
    post: {
      operationId: 'ask_access',
      summary: 'Ask the user whether this page’s origin may use the API',
      responses: { 200: json(ref('Access'), 'It may.'), default: problem },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'describe_api',
      summary: 'Describe the API',
      parameters: [folder],
      responses: { 200: json({ type: 'object' }, 'This document.'), default: problem },
    },
  },
  '/tools': {
    get: {
      operationId: 'list_tools',
      summary: 'List the tools',
      parameters: [folder],
      responses: { 200: json(ref('Listing'), 'The tools and problems.'), default: problem },
    },
  },
  '/tools/{name}': {
    get: {
      operationId: 'get_tool',
      summary: 'Describe one tool',
      parameters: [inPath('name', 'The name of the tool.'), folder],
      responses: { 200: json(ref('Tool'), 'The tool.'), default: problem },
    },
  },
  '/calls/{id}': {
    parameters: [inPath('id', 'The id of the call.'), folder],
    get: {
      operationId: 'get_call',
      parameters: [parameter('accept')],
      summary: 'Get the result of a call',
      responses: { 200: { $ref: '#/components/responses/Result' }, default: problem },
    },
    delete: {
      operationId: 'cancel_call',
      summary: 'Cancel a running call',
      responses: { 202: json({ type: 'object' }, 'The call will end.'), default: problem },
    },
  },
  '/tests': {
    get: {
      operationId: 'list_tests',
      summary: 'List the saved tests',
      parameters: [folder],
      responses: {
        200: json({ type: 'object' }, 'The tests, with their last state.'),
        default: problem,
      },
    },
  },
  '/tests/run': {
    post: {
      operationId: 'run_tests',
      summary: 'Run saved tests',
      parameters: [folder],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: object(
              {
                tests: { type: 'array', items: text, description: 'The names of the tests.' },
                tool: { ...text, description: 'Only the tests of this tool.' },
              },
              [],
            ),
          },
        },
      },
      responses: { 200: json({ type: 'object' }, 'The results.'), default: problem },
    },
  },
  '/runs': {
    get: {
      operationId: 'list_runs',
      summary: 'List the runs of plans',
      parameters: [folder],
      responses: {
        200: json(
          object({ runs: { type: 'array', items: object(runHead) } }),
          'The runs, newest first.',
        ),
        default: problem,
      },
    },
    post: {
      operationId: 'start_run',
      summary: 'Carry out a plan',
      parameters: [folder],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: object(
              {
                plan: {
                  type: ['object', 'string'],
                  description: 'The plan; as text, JSON or YAML.',
                },
                session: { ...text, description: 'The session in which the plan was made.' },
              },
              ['plan'],
            ),
          },
        },
      },
      responses: { 202: json(run, 'The run has begun.'), default: problem },
    },
  },
  '/runs/{id}': {
    parameters: [inPath('id', 'The id of the run.'), folder],
    get: {
      operationId: 'get_run',
      parameters: [parameter('accept')],
      summary: 'Get the record of a run',
      responses: {
        200: {
          ...json(run, 'The run, with its plan and its events.'),
          content: {
            'application/json': { schema: run },
            'text/event-stream': { schema: text },
          },
        },
        default: problem,
      },
    },
    delete: {
      operationId: 'stop_run',
      summary: 'Stop a run',
      responses: { 200: json(run, 'The run, which has ended.'), default: problem },
    },
  },
};

export const operationIds = [
  ...['list_folders', 'list_sessions', 'list_calls', 'list_extensions'],
  ...['get_access', 'ask_access', 'describe_api'],
  ...['list_tools', 'get_tool', 'get_call', 'cancel_call', 'list_tests', 'run_tests'],
  ...['list_runs', 'start_run', 'get_run', 'stop_run'],
];
