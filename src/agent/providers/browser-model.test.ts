import { expect, test } from 'vitest';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { ModelRequest } from '../../runtime/spec/model.ts';
import { askBuiltIn, builtInInfo, builtInModel, type BuiltInModel } from './browser-model.ts';
import { hello, partsOf } from './wire/endpoint.fixture.ts';
import { memoryStore, providersOn } from './provider-types.fixture.ts';

/** A built-in model that answers with these pieces. */
function fake(pieces: readonly string[], state = 'available'): BuiltInModel & { log: unknown[] } {
  const log: unknown[] = [];
  return {
    log,
    availability: () => Promise.resolve(state),
    create: ({ initialPrompts }) => {
      log.push(initialPrompts);
      return Promise.resolve({
        promptStreaming: (input) => {
          log.push(input);
          return new ReadableStream<string>({
            start(controller) {
              for (const piece of pieces) controller.enqueue(piece);
              controller.close();
            },
          });
        },
        destroy: () => {
          log.push('destroyed');
        },
      });
    },
  };
}

test('the built-in model receives the conversation as texts, and its answer streams', async () => {
  const model = fake(['Hel', 'lo.']);
  const request: ModelRequest = {
    ...hello,
    messages: [
      ...hello.messages,
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'secret' },
          { type: 'text', text: 'Let me look.' },
          { type: 'call', id: 'c', askedId: 'c', wire: 'a__b', tool: 'a:b', arguments: '{}' },
        ],
      },
      {
        role: 'tool',
        answers: [
          { askedId: 'c', wire: 'a__b', isError: false, parts: [{ type: 'text', text: '7' }] },
        ],
      },
    ],
  };
  expect(await partsOf(askBuiltIn(model, 1000), request)).toEqual([
    { type: 'text', id: '0', delta: 'Hel' },
    { type: 'text', id: '0', delta: 'lo.' },
    { type: 'part-ended', id: '0' },
    {
      type: 'ended',
      finish: 'stop',
      usage: { input: null, cached: null, output: null, reasoning: null },
    },
  ]);
  expect(model.log).toEqual([
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Let me look.\n[called a__b: {}]' },
    ],
    '[a__b answered: 7]',
    'destroyed',
  ]);
});

test('an unavailable built-in model is reported with the reason', async () => {
  const never: BuiltInModel = {
    availability: () => Promise.resolve('downloading'),
    create: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      }),
  };
  const full: BuiltInModel = {
    ...fake([]),
    create: () => Promise.reject(new DOMException('too large', 'QuotaExceededError')),
  };
  const faults: unknown[] = [];
  for (const model of [fake([], 'unavailable'), never, full])
    faults.push(
      await partsOf(askBuiltIn(model, 20)).catch((thrown: unknown) =>
        thrown instanceof ModelError ? [thrown.fault, thrown.message] : thrown,
      ),
    );
  expect(faults).toEqual([
    [
      'model',
      'The browser’s built-in model is not available: this computer does not meet the requirements, or it is turned off.',
    ],
    ['model', 'The browser is still downloading its model (several gigabytes).'],
    ['context', 'The conversation is too long for the browser’s built-in model: too large'],
  ]);
});

test('an abort rejects with its reason, and frees the model', async () => {
  const reason = new Error('stopped');
  const stop = new AbortController();
  const model = fake(['a', 'b', 'c']);
  const thrown: unknown = await (async () => {
    for await (const part of askBuiltIn(model, 1000)(stop.signal, hello))
      if (part.type === 'text') stop.abort(reason);
  })().catch((error: unknown) => error);
  expect([thrown, model.log.at(-1)]).toEqual([reason, 'destroyed']);
});

test('the built-in model is listed only if the browser has one', () => {
  expect([builtInModel({}), builtInModel({ LanguageModel: {} })]).toEqual([null, null]);
  const LanguageModel = fake([]);
  expect(builtInModel({ LanguageModel })).toBe(LanguageModel);
  const ids = [null, LanguageModel].map((builtIn) => {
    const { providers } = providersOn(memoryStore(), { builtIn });
    return providers.list().map(({ id, models }) => [id, models]);
  });
  expect(ids).toEqual([[], [['browser', [builtInInfo]]]]);
});

test('the built-in model can be tested like any other', async () => {
  const { providers } = providersOn(memoryStore(), { builtIn: fake(['Hello.']) });
  const { signal } = new AbortController();
  expect(await providers.test(signal, builtInInfo.ref)).toMatchObject({
    ok: true,
    message: 'Hello.',
  });
});
