import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { Scripted } from '../../../../tests/support/model-endpoint.ts';
import { ModelError, type ModelFault } from '../../../runtime/spec/model-error.ts';
import { asker, kinds, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

type More = Parameters<typeof asker>[2];

async function faultOf(
  kind: (typeof kinds)[number],
  scripted: Scripted,
  more: More = {},
): Promise<ModelError> {
  endpoint.answer(scripted);
  const thrown: unknown = await partsOf(await asker(kind, endpoint.url, more)).catch(
    (error: unknown) => error,
  );
  if (!(thrown instanceof ModelError)) throw new Error(`no fault: ${JSON.stringify(thrown)}`);
  return thrown;
}

/** Errors of each provider; a case for all kinds comes first. */
const refusals: readonly (readonly [ModelFault, Scripted, (typeof kinds)[number][]])[] = [
  ['key', { status: 401, error: { message: 'Incorrect API key provided.' } }, [...kinds]],
  ['key', { status: 403, error: { message: 'Not for you.' } }, [...kinds]],
  [
    'cors',
    {
      status: 401,
      error: {
        type: 'authentication_error',
        message: 'CORS requests are not allowed for this Organization because of custom settings',
      },
    },
    ['anthropic'],
  ],
  [
    'key',
    { status: 400, error: { message: 'API key not valid. Please pass a valid API key.' } },
    ['google'],
  ],
  // The type says `authentication_error`, although the key is valid.
  [
    'cors',
    {
      status: 401,
      error: {
        type: 'authentication_error',
        message: 'CORS requests are not allowed for this Organization because of its settings.',
      },
    },
    ['anthropic'],
  ],
  ['model', { status: 404, error: { message: 'The model `x` does not exist' } }, [...kinds]],
  [
    'model',
    { status: 400, error: { message: 'x is not a valid model ID' } },
    ['openai-compatible'],
  ],
  ['rate-limit', { status: 429, error: { message: 'Slow down.' } }, [...kinds]],
  [
    'credit',
    { status: 429, error: { message: 'You exceeded your quota', code: 'insufficient_quota' } },
    ['openai-chat', 'openai-responses', 'openai-compatible'],
  ],
  [
    'credit',
    { status: 400, error: { message: 'Your credit balance is too low to access the API.' } },
    ['anthropic'],
  ],
  ['credit', { status: 402, error: { message: 'Insufficient credits.' } }, ['openai-compatible']],
  // Google's message for its limit per minute.
  [
    'rate-limit',
    {
      status: 429,
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
      },
    },
    ['google'],
  ],
  [
    'request',
    { status: 500, error: { message: 'image input is not supported - hint: mmproj' } },
    ['openai-compatible'],
  ],
  ['overloaded', { status: 500 }, [...kinds]],
  ['overloaded', { status: 503 }, [...kinds]],
  ['overloaded', { status: 529 }, ['anthropic']],
  ['request', { status: 400, error: { message: 'Something about a schema.' } }, [...kinds]],
  [
    'context',
    { status: 400, error: { message: 'Too long.', code: 'context_length_exceeded' } },
    ['openai-chat', 'openai-responses'],
  ],
  [
    'context',
    {
      status: 400,
      error: {
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000.",
      },
    },
    ['openai-compatible'],
  ],
  [
    'context',
    {
      status: 400,
      error: {
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
      },
    },
    ['openai-compatible'],
  ],
  [
    'context',
    { status: 400, error: { message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    ['anthropic'],
  ],
  [
    'context',
    {
      status: 400,
      error: {
        message:
          'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
    ['google'],
  ],
  [
    'refused',
    { status: 400, error: { message: 'Filtered.', code: 'content_filter' } },
    ['openai-chat', 'openai-compatible'],
  ],
  [
    'refused',
    { status: 400, error: { message: 'Output blocked by content filtering policy' } },
    ['anthropic'],
  ],
];

for (const [fault, scripted, who] of refusals)
  for (const kind of who) {
    const { status = 0, error } = scripted as { status?: number; error?: { message: string } };
    test(`${kind}: ${status} ${error?.message.slice(0, 40) ?? ''} is ${fault}`, async () => {
      const reported = await faultOf(kind, scripted);
      expect(reported).toMatchObject({ fault, hint: expect.stringMatching(/\.$/) as string });
      expect(reported.message).toContain(error?.message ?? 'This is status');
      expect(reported.message).toMatch(/^The endpoint /);
    });
  }
