/** What the tests of calls over the API share: a fresh API, and ways to ask it. */

import { createApi, type Api } from './create-api.ts';
import { FakeEffects, type FakeCall } from './effects.fixture.ts';

export function setUp(): { effects: FakeEffects; api: Api } {
  const effects = new FakeEffects();
  return { effects, api: createApi(effects) };
}

export function ask(
  api: Api,
  body: BodyInit,
  headers: Record<string, string> = {},
  tool = 'a:one',
): Promise<Response> {
  const request = new Request('https://cloche.test/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return api.handle(request, `tools/${tool}/invoke`);
}

export function only(effects: FakeEffects): FakeCall {
  const [call, ...more] = effects.calls;
  if (call === undefined || more.length > 0) throw new Error(`${effects.calls.length} calls`);
  return call;
}

export function getCall(
  api: Api,
  id: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return api.handle(new Request('https://cloche.test/', { headers }), `calls/${id}`);
}

/** Lets everything happen that waits for nothing. */
export async function settled(): Promise<void> {
  // Turns of the event loop, however long each takes.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
