import { expect, test } from 'vitest';
import { FolderPolicy } from './folder-policy.ts';
import { grantHeaders } from './provider-grant.ts';
import type { Answered, NewQuestion, Reply } from './questions.ts';

function world(reply: Reply | null) {
  const policy = new FolderPolicy((thrown) => {
    throw thrown;
  });
  const questions: NewQuestion[] = [];
  const answered: unknown[] = [];
  const deps = {
    policy,
    appOrigin: 'https://app.example',
    questions: {
      ask: (_: AbortSignal, question: NewQuestion): Promise<Answered> => {
        questions.push(question);
        return Promise.resolve(reply === null ? { reply, why: 'timeout' } : { reply, reason: '' });
      },
      answerOrigin: (...given: unknown[]) => {
        answered.push(given);
      },
    },
  };
  const ask = (baseUrl = 'https://models.example/v1', headers: [string, string][] = []) =>
    grantHeaders(
      new AbortController().signal,
      { name: 'local', file: 'x.py', baseUrl, headers },
      deps,
    );
  return { policy, questions, answered, ask };
}

test('the user is asked for the origin, by the name of the provider, and once if the answer is kept', async () => {
  const { ask, questions, answered } = world('always');
  expect(await ask(undefined, [['X-A', '1']])).toEqual([['X-A', '1']]);
  await ask();
  expect(questions).toEqual([
    expect.objectContaining({
      kind: 'network',
      origin: 'https://models.example',
      tool: 'local',
      file: 'x.py',
      url: 'https://models.example/v1',
      caller: 'extension',
    }),
  ]);
  expect(answered).toEqual([['https://models.example', 'always']]);
});

test('an answer for once is asked for again', async () => {
  const { ask, questions } = world('once');
  await ask();
  await ask();
  expect(questions).toHaveLength(2);
});

test.each(['no', 'never', null] as const)('without a grant nothing is sent (%s)', async (reply) => {
  await expect(world(reply).ask()).rejects.toThrow('have not allowed');
});

test('the secrets of the user are added, and the extension can neither see nor replace them', async () => {
  const { ask, policy } = world('visit');
  policy.addSecret({
    origin: 'https://models.example',
    header: 'Authorization',
    value: 'Bearer mine',
  });
  expect(await ask(undefined, [['authorization', 'Bearer other']])).toEqual([
    ['Authorization', 'Bearer mine'],
  ]);
  await expect(ask('https://other.example/v1', [['authorization', 'x']])).rejects.toThrow(
    'cannot send keys',
  );
});

test.each([
  ['the app itself', 'https://app.example/v1', 'Cloche’s own address'],
  ['a local address', 'http://localhost:9/v1', 'Local addresses are off'],
  ['another scheme', 'file:///etc', 'neither http'],
])('%s is refused without asking', async (_, url, why) => {
  const { ask, questions } = world('always');
  await expect(ask(url)).rejects.toThrow(why);
  expect(questions).toEqual([]);
});
