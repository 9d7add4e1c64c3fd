import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { ModelRequest } from '../../../runtime/spec/model.ts';
import { asker, hello, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

function thinking(): unknown[] {
  return endpoint.requests.map(({ body }) => (body as { thinking?: unknown }).thinking);
}

const enabled = { type: 'enabled', budget_tokens: 4_000 };
const adaptive = { type: 'adaptive', display: 'summarized' };

test.each([
  ['claude-3-5-sonnet-20241022', undefined],
  ['claude-3-7-sonnet-20250219', enabled],
  ['claude-sonnet-4-20250514', enabled],
  ['claude-haiku-4-5', enabled],
  ['claude-opus-4-5-20251101', enabled],
  ['claude-sonnet-4-6', adaptive],
  ['claude-opus-4-10', adaptive],
  ['claude-opus-5-20270101', adaptive],
  ['somebody-elses', undefined],
])('%s gets its own thinking option', async (model, wanted) => {
  endpoint.answer({ text: 'Hello.' });
  await partsOf(await asker('anthropic', endpoint.url, { model }));
  expect(thinking()).toEqual([wanted]);
});

test('a model that may not think is asked again without thinking', async () => {
  const message = 'thinking.type.enabled is not supported for this model';
  endpoint.answer({ status: 400, error: { message } }, { text: 'Hello.' });
  const parts = await partsOf(
    await asker('anthropic', endpoint.url, { model: 'claude-haiku-4-5' }),
  );
  expect(parts[0]).toMatchObject({ type: 'text', delta: 'Hello.' });
  expect(thinking()).toEqual([enabled, undefined]);
});

test('a turn that another model began continues without thinking', async () => {
  const tool = { name: 'a__b', description: 'A.', parameters: { type: 'object', properties: {} } };
  const asked = { id: '1', askedId: 'c00000001', wire: 'a__b', tool: 'a:b', arguments: '{}' };
  const answer = { askedId: 'c00000001', wire: 'a__b', isError: false } as const;
  const request: ModelRequest = {
    ...hello,
    tools: [tool],
    messages: [
      ...hello.messages,
      { role: 'assistant', parts: [{ type: 'call', ...asked }] },
      { role: 'tool', answers: [{ ...answer, parts: [{ type: 'text', text: 'fine' }] }] },
    ],
  };
  endpoint.answer({ text: 'Done.' });
  await partsOf(await asker('anthropic', endpoint.url, { model: 'claude-haiku-4-5' }), request);
  expect(thinking()).toEqual([undefined]);
});
