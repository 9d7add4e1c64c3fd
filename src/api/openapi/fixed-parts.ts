/** The parts of the OpenAPI document that are the same for every folder; see docs/api.md. */

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const json = (schema: object, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const problem = { $ref: '#/components/responses/Problem' };
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: text,
});
const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});

const runHead = {
  id: text,
  goal: text,
  state: { enum: ['running', 'paused', 'interrupted', 'done', 'stuck', 'stopped'] },
  reason: text,
  done: { ...count, description: 'Tasks that are done.' },
  total: { ...count, description: 'All tasks.' },
};
const run = object({ ...runHead, tasks: { type: 'array', items: { type: 'object' } } });

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
    ['type'],
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
      ['callId', 'state'],
    ),
  },
  Tool: {
    description: 'A tool, with the optional keys of its spec.',
    ...object({
      name: text,
      label: text,
      description: text,
      parameters: { type: 'object', description: 'JSON Schema of the arguments.' },
      source: object({ file: text, line: { type: 'integer', minimum: 1 } }),
    }),
  },
  Listing: object({
    state: { enum: ['none', 'scanning', 'ready'] },
    folder: { type: ['string', 'null'] },
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

export const fixedPaths = {
  '/tools': {
    get: {
      operationId: 'list_tools',
      summary: 'List the tools',
      responses: { 200: json(ref('Listing'), 'The tools and problems.'), default: problem },
    },
  },
  '/tools/{name}': {
    get: {
      operationId: 'get_tool',
      summary: 'Describe one tool',
      parameters: [inPath('name', 'The name of the tool.')],
      responses: { 200: json(ref('Tool'), 'The tool.'), default: problem },
    },
  },
  '/calls/{id}': {
    parameters: [inPath('id', 'The id of the call.')],
    get: {
      operationId: 'get_call',
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
    parameters: [inPath('id', 'The id of the run.')],
    get: {
      operationId: 'get_run',
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
  ...['list_tools', 'get_tool', 'get_call', 'cancel_call', 'list_tests', 'run_tests'],
  ...['list_runs', 'start_run', 'get_run', 'stop_run'],
];
