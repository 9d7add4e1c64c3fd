/** `api/tests`: the list, and runs as JSON and as events. */

import { expect, test } from 'vitest';
import { failure } from '../../runtime/call/results.ts';
import { setUp, settled } from './asking.fixture.ts';
import type { Api } from './create-api.ts';
import { readEvents } from './read-events.fixture.ts';

function run(api: Api, body: string, more: RequestInit = {}): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(more.headers as object) };
  const request = new Request('https://cloche.test/', { ...more, method: 'POST', body, headers });
  return api.handle(request, 'tests/run');
}

test('GET api/tests lists the tests with their last state', async () => {
  const { api } = setUp();
  const list = async (): Promise<unknown> =>
    (await api.handle(new Request('https://cloche.test/'), 'tests')).json();
  const shared = { file: 'tests/a.json', tool: 'a:one', reasons: [] };
  expect(await list()).toMatchObject({
    state: 'ready',
    folder: 'tools',
    problems: [],
    tests: [
      {
        id: 'tests/a.json#0',
        name: 'first',
        line: 2,
        state: 'not-run',
        stale: false,
        durationMs: null,
        ...shared,
      },
      { id: 'tests/a.json#1', name: 'second', state: 'not-run' },
    ],
  });
  await (await run(api, '{"tests": ["first"]}')).json();
  expect(await list()).toMatchObject({ tests: [{ state: 'passed' }, { state: 'not-run' }] });
});

test('POST api/tests/run answers with the results', async () => {
  const { deps, api } = setUp();
  deps.savedTests.judge = (expected) =>
    expected === '{}' ? [] : ['the result: expected 3, got 2'];
  const response = await run(api, '{}');
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    'application/json',
  ]);
  expect(await response.json()).toMatchObject({
    passed: 1,
    failed: 1,
    notRun: 0,
    results: [
      { name: 'first', state: 'passed' },
      { state: 'failed', reasons: ['the result: expected 3, got 2'] },
    ],
  });
  expect(deps.timers).toBe(0);
});

test('with Accept: text/event-stream, each test is an event', async () => {
  const { api } = setUp();
  const response = await run(api, '{"tool": "a:one"}', {
    headers: { Accept: 'text/event-stream' },
  });
  expect(readEvents(await response.text())).toMatchObject([
    { name: 'test', data: { name: 'first', state: 'passed' } },
    { name: 'test', data: { name: 'second', state: 'passed' } },
    { name: 'result', data: { passed: 2, failed: 0 } },
  ]);
});

test('a caller that disconnects, and four minutes, stop the run', async () => {
  for (const how of ['gone', 'late']) {
    const { deps, api } = setUp();
    deps.savedTests.answer = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve(failure('cancelled', ''));
        });
      });
    const response = await run(api, '{}');
    await settled();
    expect(deps.savedTests.states).toEqual(['first: running', 'second: waiting']);
    if (how === 'gone') await response.body?.cancel();
    else deps.pass(4 * 60_000);
    await settled();
    expect(deps.savedTests.states).toEqual(['first: stopped', 'second: not-run']);
  }
});

test.each([
  ['{"tests": ["third"]}', 404, 'There is no test third.'],
  ['{"tool": "a:none"}', 404, 'There is no test of a:none.'],
  ['{"tests": "first"}', 400, '"tests" is not a list of strings.'],
  ['{"tool": 1}', 400, '"tool" is not a string.'],
  ['[1]', 400, 'The body is not a JSON object in UTF-8.'],
  [' '.repeat(1_000_001), 413, 'The body is 1000001 bytes, more than the limit of 1000000.'],
])('%s is refused', async (body, status, detail) => {
  const { deps, api } = setUp();
  const response = await run(api, body);
  expect([response.status, await response.json()]).toMatchObject([status, { detail }]);
  expect([deps.savedTests.calls, deps.timers]).toEqual([[], 0]);
});

test('a form of another page is refused', async () => {
  const { api } = setUp();
  const response = await run(api, '{}', { headers: { 'Content-Type': 'text/plain' } });
  expect(response.status).toBe(415);
});
