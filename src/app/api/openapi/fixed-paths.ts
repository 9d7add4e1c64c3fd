/** The addresses of the API that are the same for every folder, for the OpenAPI document; see docs/api.md. */

import { apiRoutes, type ApiAction } from '../../../runtime/protocol/api-route.ts';
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
const requestBody = (schema: object) => ({
  required: true,
  content: { 'application/json': { schema } },
});
const list = (items: object) => ({ type: 'array', items });
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: text,
});
const parameter = (name: keyof typeof parameters) => ({ $ref: `#/components/parameters/${name}` });
const folder = parameter('folder');
const page = [
  inQuery('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 100 }, 'Entries.'),
  inQuery('after', text, 'The `next` of the page before.'),
];
const next = { type: ['string', 'null'], description: 'Begins the next page; null at the end.' };

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: object;
}

/** @param answers by status; every other status is a problem */
const operation = (
  operationId: string,
  summary: string,
  parameters: readonly object[],
  answers: Readonly<Record<number, object>>,
): Operation => ({
  operationId,
  summary,
  parameters,
  responses: { ...answers, default: { $ref: '#/components/responses/Problem' } },
});

const access = json(ref('Access'), 'Whether the page may use the API.');
const anything = { type: 'object' };
const ofCall = [inPath('id', 'The id of the call.'), folder];
const ofRun = [inPath('id', 'The id of the run.'), folder];

const operations: Readonly<Record<Exclude<ApiAction, 'invoke'>, Operation>> = {
  folders: operation('list_folders', 'List the open folders', [], {
    200: json(
      object({ folders: list(object({ id: folderId, name: folderName })) }),
      'The folders that are open in pages of Cloche, the one that was used last first.',
    ),
  }),
  sessions: operation(
    'list_sessions',
    'List the stored sessions',
    [inQuery('run', text, 'Lists the sub-agents of this run instead.'), folder, ...page],
    {
      200: json(
        object({ sessions: list(ref('Session')), next }),
        'The sessions, changed last first.',
      ),
    },
  ),
  calls: operation(
    'list_calls',
    'List running and logged calls',
    [
      inQuery('tool', text, 'Only calls to this tool.'),
      inQuery('caller', caller, 'Only calls by this kind of caller.'),
      inQuery('session', text, 'Only calls in this session; empty for those in none.'),
      inQuery('state', { enum: ['running', 'ended', 'success', 'failure'] }, 'Only such calls.'),
      inQuery(
        'since',
        text,
        'Only calls that ended at this time or later: a date, or milliseconds since the epoch.',
      ),
      folder,
      ...page,
    ],
    { 200: json(object({ calls: list(ref('Call')), next }), 'The calls, newest first.') },
  ),
  extensions: operation(
    'list_extensions',
    'List the extensions of the folder and of Cloche',
    [folder],
    {
      200: json(anything, 'The extensions.'),
    },
  ),
  mcp: {
    ...operation('send_mcp_message', 'Send a message to the MCP server of the folder', [folder], {
      200: {
        description: 'The answer, in the format of MCP’s Streamable HTTP transport.',
        content: {
          'application/json': { schema: anything },
          'text/event-stream': { schema: text },
        },
      },
      202: { description: 'The message has no answer.' },
    }),
    requestBody: requestBody(anything),
  },
  'mcp-stream': operation('listen_to_mcp', 'Receive the messages of an MCP session', [folder], {
    200: {
      description: 'The messages; the header Mcp-Session-Id names the session.',
      content: { 'text/event-stream': { schema: text } },
    },
  }),
  'end-mcp': operation('end_mcp_session', 'End an MCP session', [folder], {
    200: { description: 'The session has ended.' },
  }),
  access: operation('get_access', 'Tell whether this page may use the API', [], { 200: access }),
  'ask-access': operation(
    'ask_access',
    'Ask the user whether this page’s origin may use the API',
    [],
    {
      200: access,
    },
  ),
  openapi: operation('describe_api', 'Describe the API', [folder], {
    200: json(anything, 'This document.'),
  }),
  tools: operation(
    'list_tools',
    'List the tools',
    [
      inQuery(
        'format',
        { enum: ['openai', 'openai-responses', 'anthropic', 'gemini', 'mcp'] },
        'Returns the definitions of all tools in this format instead.',
      ),
      folder,
    ],
    {
      200: json(
        { anyOf: [ref('Listing'), list(anything)] },
        'The tools and problems; with `format`, the `tools` member of a request to a model.',
      ),
    },
  ),
  tool: operation(
    'get_tool',
    'Describe one tool',
    [inPath('name', 'The name of the tool.'), folder],
    { 200: json(ref('Tool'), 'The tool.') },
  ),
  call: operation('get_call', 'Get the result of a call', [...ofCall, parameter('accept')], {
    200: { $ref: '#/components/responses/Result' },
  }),
  cancel: operation('cancel_call', 'Cancel a running call', ofCall, {
    202: json(anything, 'The call will end.'),
  }),
  tests: operation('list_tests', 'List the saved tests', [folder], {
    200: json(anything, 'The tests, with their last state.'),
  }),
  'run-tests': {
    ...operation('run_tests', 'Run saved tests', [folder], {
      200: json(anything, 'The results.'),
    }),
    requestBody: requestBody(
      object(
        {
          tests: { ...list(text), description: 'The names of the tests.' },
          tool: { ...text, description: 'Only the tests of this tool.' },
        },
        { required: [] },
      ),
    ),
  },
  runs: operation('list_runs', 'List the runs of plans', [folder], {
    200: json(object({ runs: list(object(runHead)) }), 'The runs, newest first.'),
  }),
  'start-run': {
    ...operation('start_run', 'Carry out a plan', [folder], {
      202: json(run, 'The run has begun.'),
    }),
    requestBody: requestBody(
      object(
        {
          plan: { type: ['object', 'string'], description: 'The plan; as text, JSON or YAML.' },
          session: { ...text, description: 'The session in which the plan was made.' },
        },
        { required: ['plan'] },
      ),
    ),
  },
  run: operation('get_run', 'Get the record of a run', [...ofRun, parameter('accept')], {
    200: {
      description: 'The run, with its plan and its events.',
      content: { 'application/json': { schema: run }, 'text/event-stream': { schema: text } },
    },
  }),
  'stop-run': operation('stop_run', 'Stop a run', ofRun, {
    200: json(run, 'The run, which has ended.'),
  }),
};

/** The operations by path and method. Each tool adds a path, by which it is invoked. */
export const fixedPaths = Object.fromEntries(
  Object.entries(apiRoutes).flatMap(([path, actions]) => {
    const described = Object.entries(actions).flatMap(([method, action]: [string, ApiAction]) => {
      if (action === 'invoke') return [];
      // One operation stands for all methods of MCP.
      if (action === 'mcp' && method !== 'POST') return [];
      return [[method.toLowerCase(), operations[action]] as const];
    });
    return described.length === 0 ? [] : [[`/${path}`, Object.fromEntries(described)] as const];
  }),
);

export const operationIds = Object.values(operations).map(({ operationId }) => operationId);
