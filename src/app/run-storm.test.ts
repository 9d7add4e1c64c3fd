/** The storm of runs again, with models of an endpoint that speaks a real format over a real connection. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startModelEndpoint, type ModelEndpoint } from '../../tests/support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from '../../tests/support/model-endpoint/script.ts';
import { asker } from '../agent/providers/wire/endpoint.fixture.ts';
import { happenings, nextStep, Storm } from '../agent/runner/run-storm.fixture.ts';

const runs = (process.env.CLOCHE_FULL ?? '') === '' ? 10 : 100;
let endpoint: ModelEndpoint;

beforeAll(async () => {
  endpoint = await startModelEndpoint();
});
afterAll(() => endpoint.close());

test(`a plan of 12 tasks, ${runs} times`, async () => {
  const ask = await asker('openai-compatible', endpoint.url);
  const happened = new Set<string>();
  for (let seed = 1; seed <= runs; seed += 1) {
    const storm = new Storm(seed, { ask, maxMs: 40 });
    let dropped = 0;
    endpoint.habits.otherwise = (received) => {
      if (!storm.drop()) return model(received);
      dropped += 1;
      return dropped % 2 === 0 ? 'hang-up' : { status: 402 };
    };
    await storm.pass();
    storm.verify();
    await storm.verifySessions();
    for (const what of storm.happened) happened.add(what);
  }
  expect([...happened].sort()).toEqual(['cancel', 'crash', 'deny', ...happenings].sort());
  expect(endpoint.requests.length).toBeGreaterThan(runs * 12 * 3);
}, 600_000);

function model({ body }: ReceivedRequest): Scripted {
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  const made = messages.filter(({ role }) => role === 'tool').length;
  const first = JSON.stringify(messages.find(({ role }) => role === 'user'));
  const next = nextStep(first, JSON.stringify(messages), made);
  return typeof next === 'string' ? { text: next } : { calls: [next] };
}
