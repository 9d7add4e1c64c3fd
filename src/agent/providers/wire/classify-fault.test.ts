import { expect, test } from 'vitest';
import type { ModelFault } from '../../../runtime/spec/model-error.ts';
import { faultOf } from './classify-fault.ts';
import { parseProviderError } from './provider-error.ts';

/** Status and error of a provider with the expected fault; an `error` that is not a string becomes the body's JSON. */
function reported(status: number, error: unknown): { fault: ModelFault; message: string } {
  return faultWith(status, typeof error === 'string' ? error : JSON.stringify({ error }));
}

function faultWith(status: number, body: string): { fault: ModelFault; message: string } {
  const about = parseProviderError(status, body);
  return { fault: faultOf(about), message: about.message };
}

const tooLong: readonly (readonly [who: string, status: number, error: object])[] = [
  [
    'xAI',
    400,
    {
      message:
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  [
    'Kimi',
    400,
    {
      type: 'invalid_request_error',
      message: 'Invalid request: Your request exceeded model token limit: 131072',
    },
  ],
  [
    'OpenAI, for a minute',
    429,
    {
      type: 'tokens',
      code: 'rate_limit_exceeded',
      message:
        'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced.',
    },
  ],
  [
    'Groq, for a minute',
    413,
    {
      type: 'tokens',
      code: 'rate_limit_exceeded',
      message:
        'Request too large for model `llama-3.1-8b-instant` on tokens per minute (TPM): Limit 6000, Requested 8000.',
    },
  ],
  [
    'OpenAI',
    400,
    {
      code: 'context_length_exceeded',
      param: 'input',
      message: 'Your input exceeds the limit of this model.',
    },
  ],
  [
    'OpenAI, of one message',
    400,
    {
      code: 'string_above_max_length',
      param: 'messages[3].content',
      message:
        "Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760.",
    },
  ],
  [
    'OpenAI, of one output',
    400,
    { code: 'string_above_max_length', param: 'input[3].output', message: 'Too long.' },
  ],
  [
    'llama.cpp',
    500,
    { code: 500, message: 'the request exceeds the available context size. try increasing it' },
  ],
  [
    'LM Studio',
    400,
    { message: 'Trying to keep the first 6312 tokens when context the overflows.' },
  ],
  [
    'vLLM',
    400,
    {
      message: "This model's maximum context length is 4096 tokens. However, you requested 5000.",
    },
  ],
  ['Anthropic', 400, { message: 'prompt is too long: 210000 tokens > 200000 maximum' }],
  [
    'Gemini',
    400,
    {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message:
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    },
  ],
];

for (const [who, status, error] of tooLong)
  test(`${who}: a request that is too long is recognised`, () => {
    expect(reported(status, error).fault).toBe('context');
  });

test('a rate limit and a long tool description are not taken for a long conversation', () => {
  expect([
    reported(429, {
      code: 'rate_limit_exceeded',
      message:
        'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 4500. Please try again in 7s.',
    }).fault,
    reported(400, {
      type: 'invalid_request_error',
      code: 'string_above_max_length',
      param: 'tools[0].function.description',
      message:
        "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024.",
    }).fault,
  ]).toEqual(['rate-limit', 'request']);
});

test('OpenRouter: the error of the provider behind it counts', () => {
  const behind = (raw: unknown, status = 400): ReturnType<typeof reported> =>
    reported(status, {
      message: 'Provider returned error',
      code: status,
      metadata: { raw, provider_name: 'One' },
    });
  const long = "This model's maximum context length is 4096 tokens.";
  expect([
    behind(JSON.stringify({ error: { message: long } })),
    behind(JSON.stringify([{ error: { code: 429, message: 'Slow down.' } }]), 429),
    behind(JSON.stringify({ error: { message: 'No.', type: 'insufficient_quota' } }), 429),
    behind({ message: 'Something about a schema.' }),
    behind('upstream is overloaded', 502),
    behind(undefined),
    reported(403, {
      code: 403,
      message: 'Your input was flagged for "harassment".',
      metadata: { reasons: ['harassment'], flagged_input: '…', provider_name: 'One' },
    }),
  ]).toEqual([
    { fault: 'context', message: long },
    { fault: 'rate-limit', message: 'Slow down.' },
    { fault: 'credit', message: 'No.' },
    { fault: 'request', message: 'Something about a schema.' },
    { fault: 'overloaded', message: 'upstream is overloaded' },
    { fault: 'request', message: 'Provider returned error' },
    { fault: 'refused', message: 'Your input was flagged for "harassment".' },
  ]);
});

test('FastAPI servers: invalid fields are listed, without their values', () => {
  const wrong = { type: 'extra_forbidden', loc: ['body', 'messages', 3, 'reasoning_content'] };
  const detail = [
    { ...wrong, msg: 'Extra inputs are not permitted', input: 'what the user wrote' },
    { type: 'missing', loc: ['body', 'model'], msg: 'Field required' },
  ];
  const words =
    'messages.3.reasoning_content: Extra inputs are not permitted; model: Field required';
  expect([
    faultWith(422, JSON.stringify({ detail })),
    faultWith(
      422,
      JSON.stringify({ object: 'error', message: { detail }, type: 'invalid_request' }),
    ),
    faultWith(422, JSON.stringify({ detail: ['No.', 7, null, {}] })),
    faultWith(422, JSON.stringify({ detail: [] })),
  ]).toEqual([
    { fault: 'request', message: words },
    { fault: 'request', message: words },
    { fault: 'request', message: 'No.' },
    { fault: 'request', message: '' },
  ]);
  const many = Array.from({ length: 90 }, (_, n) => ({ loc: ['body', n], msg: 'x' }));
  expect(faultWith(422, JSON.stringify({ detail: many })).message).toBe(
    '0: x; 1: x; 2: x; 3: x; 4: x',
  );
});

test('an unknown path and an unknown model are distinguished', () => {
  expect([
    faultWith(404, JSON.stringify({ detail: 'Not Found' })).fault,
    reported(404, { code: 404, message: 'File Not Found', type: 'not_found_error' }).fault,
    reported(404, { message: 'Invalid URL (POST /v1/v1/chat/completions)' }).fault,
    faultWith(404, JSON.stringify({ detail: "Model 'm' not found" })).fault,
    reported(404, { type: 'not_found_error', message: 'model: m' }).fault,
  ]).toEqual(['request', 'request', 'request', 'model', 'model']);
});
