import { describe, expect, test } from 'vitest';
import { ask, only, setUp, settled } from './asking.fixture.ts';
import { fakeResult, type FakeCall } from './api-deps.fixture.ts';

describe('the same Idempotency-Key', () => {
  const key = { 'Idempotency-Key': '"k1"' };

  test('rejoins the call, while it runs and after its end', async () => {
    const { deps, api } = setUp();
    const answers = [await ask(api, '{}', key), await ask(api, '{}', key)];
    only(deps).end(fakeResult('once'));
    answers.push(await ask(api, '{}', key));
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({ callId: 'call-1', textResultForLlm: 'once' });
    }
    expect(deps.calls).toHaveLength(1);
  });

  test('starts one call for any number of requests at once', async () => {
    const { deps, api } = setUp();
    deps.state = 'scanning';
    const answers = [1, 2, 3].map(() => ask(api, '{}', key));
    await settled();
    deps.settle();
    const ids = (await Promise.all(answers)).map((answer) => answer.headers.get('Cloche-Call'));
    expect([ids, deps.calls.length]).toEqual([['call-1', 'call-1', 'call-1'], 1]);
  });

  test('keeps the call running until the last caller has disconnected', async () => {
    const { deps, api } = setUp();
    const first = await ask(api, '{}', key);
    const second = await ask(api, '{}', key);
    await first.body?.cancel();
    expect(only(deps).signal.aborted).toBe(false);
    await second.body?.cancel();
    expect(only(deps).signal.aborted).toBe(true);
  });

  test('finds the result in the log when it is no longer in memory', async () => {
    const { deps, api } = setUp();
    deps.onCall = ({ end }) => end(fakeResult('now'));
    await ask(api, '{}', key);
    const [{ call }] = deps.calls as [FakeCall];
    for (let more = 0; more <= 1_000; more += 1) await ask(api, '{}');
    deps.logged.set('call-1', {
      id: 'call-1',
      at: 1,
      call,
      result: fakeResult('kept'),
      folder: 'tools',
      folderId: '',
      cut: false,
    });
    const response = await ask(api, '{}', key);
    expect(await response.json()).toMatchObject({ callId: 'call-1', textResultForLlm: 'kept' });
    expect(deps.calls).toHaveLength(1_002);
  });

  test('is refused for a different body or tool', async () => {
    const { deps, api } = setUp();
    await ask(api, '{}', key);
    for (const other of [ask(api, '{ }', key), ask(api, '{}', key, 'a:two')]) {
      const response = await other;
      expect([response.status, await response.json()]).toMatchObject([422, { code: 'key-taken' }]);
    }
    expect(deps.calls).toHaveLength(1);
  });

  test('must not be longer than 255 characters', async () => {
    const { api } = setUp();
    expect((await ask(api, '{}', { 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(400);
  });
});
