import { expect, test } from 'vitest';
import type { Api } from './create-api.ts';
import { setUp } from './asking.fixture.ts';
import { readEvents } from './read-events.fixture.ts';

const plan = { goal: 'g', tasks: [{ id: 'a', instructions: 'x' }] };

function post(api: Api, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request('https://cloche.test/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return api.handle(request, 'runs');
}

function get(api: Api, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return api.handle(new Request('https://cloche.test/', { headers }), path);
}

test('POST api/runs starts a plan, and GET shows it', async () => {
  const { deps, api } = setUp();
  deps.planPage.behave = () => ({ end: 'finished', output: '{"n": 1.0}' });
  const started = await post(api, JSON.stringify({ plan }));
  expect(started.status).toBe(202);
  const { id, state } = (await started.json()) as { id: string; state: string };
  expect(state).toBe('running');
  const location = started.headers.get('Location') ?? '';
  expect(new URL(location, 'https://cloche.test/x/api/runs').pathname).toBe(`/x/api/runs/${id}`);
  await deps.planPage.ended(id);
  const text = await (await get(api, `runs/${id}`)).text();
  expect(text).toContain('"output":{"n": 1.0}');
  expect(JSON.parse(text)).toMatchObject({
    id,
    state: 'done',
    goal: 'g',
    plan,
    tasks: [{ id: 'a', state: 'done', output: { n: 1 }, attempt: 1 }],
  });
  expect(await (await get(api, 'runs')).json()).toMatchObject({ runs: [{ id, state: 'done' }] });
});

test('a plan may be YAML text', async () => {
  const { api } = setUp();
  const yaml = 'goal: g\ntasks:\n  - id: a\n    instructions: x\n';
  expect((await post(api, JSON.stringify({ plan: yaml }))).status).toBe(202);
});

test('with Accept: text/event-stream, the events come until the end, from any on', async () => {
  const { deps, api } = setUp();
  let finish = (): void => undefined;
  deps.planPage.behave = () =>
    new Promise((resolve) => {
      finish = () => {
        resolve({ end: 'finished', output: '1' });
      };
    });
  const { id } = (await (await post(api, JSON.stringify({ plan }))).json()) as { id: string };
  const accept = { Accept: 'text/event-stream' };
  const stream = (await get(api, `runs/${id}`, accept)).text();
  await new Promise((resolve) => setTimeout(resolve, 5));
  finish();
  const names = readEvents(await stream).map(({ name }) => name);
  expect(names).toEqual([
    'created',
    'task-began',
    'task-finished',
    'task-ended',
    'ended',
    'result',
  ]);
  const rest = await get(api, `runs/${id}`, { ...accept, 'Last-Event-ID': '3' });
  expect(readEvents(await rest.text()).map(({ name }) => name)).toEqual(['ended', 'result']);
  expect((await get(api, `runs/${id}`, { ...accept, 'Last-Event-ID': 'end' })).status).toBe(204);
  expect(deps.timers).toBe(0);
});

test('a stream that ends before the run says from where to go on', async () => {
  const { deps, api } = setUp();
  deps.planPage.behave = () => new Promise(() => undefined);
  const { id } = (await (await post(api, JSON.stringify({ plan }))).json()) as { id: string };
  const accept = { Accept: 'text/event-stream' };
  const stream = (await get(api, `runs/${id}`, accept)).text();
  await new Promise((resolve) => setTimeout(resolve, 5));
  deps.pass(4 * 60_000);
  expect(readEvents(await stream).map((event) => [event.name, event.id])).toEqual([
    ['created', '0'],
    ['task-began', '1'],
    ['running', '1'],
  ]);
});

test('DELETE stops a run, and answers when it has ended', async () => {
  const { deps, api } = setUp();
  deps.planPage.behave = (_, __, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('stopped'));
      });
    });
  const { id } = (await (await post(api, JSON.stringify({ plan }))).json()) as { id: string };
  await new Promise((resolve) => setTimeout(resolve, 5));
  const request = new Request('https://cloche.test/', { method: 'DELETE' });
  const stopped = await api.handle(request, `runs/${id}`);
  expect(await stopped.json()).toMatchObject({ state: 'stopped', tasks: [{ state: 'stopped' }] });
});

test.each([
  ['', 'bad-request', 400],
  ['[]', 'bad-request', 400],
  ['{}', 'bad-request', 400],
  ['{"plan": {"goal": "x", "tasks": []}}', 'bad-plan', 400],
  [
    '{"plan": {"goal": "x", "tasks": [{"id": "a", "instructions": "x", "tools": ["b:b"]}]}}',
    'bad-plan',
    400,
  ],
  ['{"plan": "goal: [", "session": 3}', 'bad-request', 400],
  [' '.repeat(1_000_001), 'too-large', 413],
])('a body that is no plan is refused: %.60s', async (body, code, status) => {
  const { api } = setUp();
  const response = await post(api, body);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    status,
    code,
  ]);
});

test('what is wrong with a text is found by its line', async () => {
  const { api } = setUp();
  const response = await post(api, JSON.stringify({ plan: 'goal: g\ntasks: [{id: a}]' }));
  const { detail } = (await response.json()) as { detail: string };
  expect(detail).toContain('line 2: tasks.0 has no “instructions”');
});

test('a run that does not exist, and a body of another type, are refused', async () => {
  const { api } = setUp();
  expect((await get(api, 'runs/nothing')).status).toBe(404);
  expect((await post(api, '{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
});
