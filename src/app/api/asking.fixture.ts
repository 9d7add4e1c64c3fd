/** Test helpers for calls over the API: a fresh API, and functions that send requests to it. */

import { createApi, type Api } from './create-api.ts';
import { FakeApiDeps, type FakeCall } from './api-deps.fixture.ts';

export function setUp(): { deps: FakeApiDeps; api: Api } {
  const deps = new FakeApiDeps();
  return { deps, api: createApi(deps) };
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

export function only(deps: FakeApiDeps): FakeCall {
  const [call, ...more] = deps.calls;
  if (call === undefined || more.length > 0) throw new Error(`${deps.calls.length} calls`);
  return call;
}

export function getCall(
  api: Api,
  id: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return api.handle(new Request('https://cloche.test/', { headers }), `calls/${id}`);
}

/** Lets all pending promises and zero-delay timers run. */
export async function settled(): Promise<void> {
  // Counts turns of the event loop, however long each takes.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
