import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { AssistantPart, HttpKind, ModelRequest } from '../../../runtime/spec/model.ts';
import { asker, hello, partsOf, refOf } from './endpoint.fixture.ts';
import { isUnreadable } from './request-variant.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

/** A conversation whose reasoning was made with a key of another organisation. */
function foreign(kind: HttpKind, reasoning: JsonObject, call: JsonObject): ModelRequest {
  const made = refOf(kind);
  const parts: readonly AssistantPart[] = [
    { type: 'reasoning', text: 'They greet.', opaque: { made, data: reasoning } },
    {
      type: 'call',
      id: 'c1',
      askedId: 'a1',
      wire: 'rain',
      tool: 'rain',
      arguments: '{}',
      opaque: { made, data: call },
    },
  ];
  const answer = { askedId: 'a1', wire: 'rain', isError: false, parts: [] };
  return {
    ...hello,
    tools: [{ name: 'rain', description: '', parameters: { type: 'object' } }],
    messages: [
      ...hello.messages,
      { role: 'assistant', parts },
      { role: 'tool', answers: [answer] },
    ],
  };
}

/** Endpoints that check the data. */
const refused: readonly (readonly [HttpKind, JsonObject, JsonObject])[] = [
  [
    'openai-responses',
    { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'foreign' } },
    { openai: { itemId: 'fc_1' } },
  ],
  [
    'google',
    { google: { thoughtSignature: 'foreign' } },
    { google: { thoughtSignature: 'foreign' } },
  ],
  ['anthropic', { anthropic: { signature: 'foreign' } }, {}],
];

for (const [kind, reasoning, call] of refused)
  test(`${kind}: reasoning that can no longer be read is left out`, async () => {
    endpoint.answer({ text: 'Hello.' });
    const ask = await asker(kind, endpoint.url);
    const parts = await partsOf(ask, foreign(kind, reasoning, call));
    expect(parts.at(-1)).toMatchObject({ type: 'ended', finish: 'stop' });
    expect(endpoint.requests.map(({ text }) => text.includes('foreign'))).toEqual([true, false]);
    expect(endpoint.requests.at(-1)?.text).toContain('rain');
  });

test('the error messages of each provider are recognised', () => {
  const said = [
    'The encrypted content gAAA… could not be verified. Reason: Encrypted content organization_id did not match the target organization.',
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    'Corrupted thought signature.',
    'Thought signature is not valid',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'Something about a schema.',
  ];
  expect(said.map((message) => isUnreadable('request', message))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('if there is nothing to leave out, the refusal is reported', async () => {
  const message = 'Thought signature is not valid.';
  endpoint.answer({ status: 400, error: { message } });
  await expect(partsOf(await asker('google', endpoint.url))).rejects.toMatchObject({
    fault: 'request',
    message: `The endpoint rejected the request as invalid (400): ${message}`,
  });
});
