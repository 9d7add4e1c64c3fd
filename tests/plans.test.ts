/** Plans are carried out by sub-agents over a local model endpoint that speaks the real format. */

import { press, runPlan } from './support/press-until.ts';
import type { Page } from '@playwright/test';
import type * as Client from '../src/embed/client/index.ts';
import type { ModelEndpoint } from './support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { addOneModel, call, startOneModel } from './support/one-model.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/shared-page.ts';
const source = `
made = []

def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b

def note(text: str) -> str:
    """Notes a text."""
    made.append(text)
    return f"{len(made)} noted"

def noted() -> list:
    """Lists what was noted."""
    return made

def spec(handler, **properties):
    return {
        "name": f"work:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        "handler": handler,
    }

TOOL_SPECS = [
    spec(add, a={"type": "integer"}, b={"type": "integer"}),
    spec(note, text={"type": "string"}),
    spec(noted),
]
`;

/** Of which one fails from the beginning. */
const savedTests = JSON.stringify([
  { name: 'adds', tool: 'work:add', arguments: { a: 1, b: 2 }, expect: { equals: 3 } },
  { name: 'adds wrongly', tool: 'work:add', arguments: { a: 1, b: 2 }, expect: { equals: 4 } },
]);

interface Task {
  id: string;
  state: string;
  output: unknown;
  attempt: number;
  session: string;
  reason: string;
  failures: string[];
}

interface Run {
  id: string;
  state: string;
  reason: string;
  tasks: Task[];
  usage: { calls: number; tokens: number };
}

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startOneModel();
  await shared.open({ 'work.py': source, 'tests/work.json': savedTests });
  await addOneModel(shared.page, endpoint);
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  endpoint.reset();
  session.expectModelRequests(trouble);
});

async function request(page: Page, method: string, path: string, body?: object) {
  return page.evaluate(
    async ([verb, at, text]) => {
      const response = await fetch(at, {
        method: verb,
        ...(text === '' ? {} : { body: text, headers: { 'content-type': 'application/json' } }),
      });
      return { status: response.status, body: (await response.json()) as unknown };
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
  );
}

/** Calls a method of the client's runs in the page. */
function overClient(page: Page, method: 'start' | 'stop' | 'get', given: object | string) {
  return page.evaluate(
    async ([name, value]) => {
      const module = new URL('cloche-client.js', location.href).href;
      const { connect } = (await import(module)) as typeof Client;
      const { runs } = await connect();
      return (await runs[name](value as string)) as unknown as Run;
    },
    [method, given] as const,
  );
}

async function start(page: Page, plan: object): Promise<Run> {
  const run = await overClient(page, 'start', plan);
  if (run.state === 'waiting') {
    const allow = page.getByRole('button', { name: 'Allow for this visit' });
    await expect(async () => {
      await allow.click({ timeout: 2_000 });
      await expect(allow).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  }
  return run;
}

async function ended(page: Page, id: string): Promise<Run> {
  let run: Run | undefined;
  await expect(async () => {
    run = await overClient(page, 'get', id);
    expect(['done', 'stuck', 'stopped']).toContain(run.state);
  }).toPass({ timeout: 60_000, intervals: [100] });
  if (run === undefined) throw new Error('No run was read.');
  return run;
}

/** What the last message of the user, or the results of the last calls, say. */
function lastMessage({ body }: ReceivedRequest): { role: string; text: string } {
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  const last = messages.at(-1);
  return { role: last?.role ?? '', text: JSON.stringify(last?.content ?? '') };
}

/** A model that carries a task out: calls a tool, then hands over what it got. */
function worker(received: ReceivedRequest): Scripted {
  const { messages } = received.body as { messages: { role: string; content: unknown }[] };
  const result = messages.findLast(({ role }) => role === 'tool');
  if (result !== undefined) {
    const sum = Number(/\d+/.exec(JSON.stringify(result.content))?.[0]);
    return { calls: [call('finish', { result: { sum } })] };
  }
  const numbers = /add (\d+) and (\d+)/.exec(lastMessage(received).text);
  if (numbers === null) return { text: 'I do not know what to do.' };
  return { calls: [call('work__add', { a: Number(numbers[1]), b: Number(numbers[2]) })] };
}

const output = { type: 'object', required: ['sum'], properties: { sum: { type: 'integer' } } };

const oneAfterOther = {
  goal: 'Add numbers',
  parallel: 1,
  tasks: [
    { id: 'a', instructions: 'add 1 and 2', output },
    { id: 'b', instructions: 'add 3 and 4', output, depends_on: ['a'] },
  ],
};

test('tasks run in the order of their dependencies, and their outputs are handed on', async ({
  page,
}) => {
  endpoint.habits.otherwise = worker;
  const { id } = await start(page, {
    goal: 'Add numbers',
    parallel: 2,
    tasks: [
      { id: 'a', instructions: 'add 1 and 2', output },
      { id: 'b', instructions: 'add 3 and 4', output },
      {
        id: 'c',
        instructions: 'add 5 and 6',
        output,
        depends_on: ['a', 'b'],
        inputs: { first: { task: 'a' } },
        check: { expression: "result['sum'] == 11" },
      },
    ],
  });
  const run = await ended(page, id);
  expect(run).toMatchObject({ state: 'done', usage: { calls: 3 } });
  expect(run.tasks.map(({ output: handed, state }) => [state, handed])).toEqual([
    ['done', { sum: 3 }],
    ['done', { sum: 7 }],
    ['done', { sum: 11 }],
  ]);
  // Each had a session of its own, and the last one was told what the others had made.
  expect(new Set(run.tasks.map(({ session: own }) => own)).size).toBe(3);
  const briefed = endpoint.requests
    .map((one) => JSON.stringify(one.body))
    .filter((text) => text.includes('add 5 and 6'));
  expect(briefed[0]).toContain('Result of the task b');
  expect(briefed[0]).toContain('Input first');
});

test('a claim does not count, a failed check is tried again with its reason, and tools are those of the plan', async ({
  page,
}) => {
  let attempts = 0;
  endpoint.habits.otherwise = (received) => {
    const { role, text } = lastMessage(received);
    const { tools } = received.body as { tools: { function: { name: string } }[] };
    expect(tools.map(({ function: { name } }) => name).sort()).toEqual(['finish', 'work__note']);
    if (text.includes('carry') || text.includes('Carry')) return { text: 'Done! I have noted it.' };
    if (text.includes('not called finish')) {
      attempts += 1;
      return { calls: [call('finish', { result: 'I did it' })] };
    }
    if (text.includes('the check failed')) return { calls: [call('work__note', { text: 'milk' })] };
    return role === 'tool' ? { calls: [call('finish', { result: 'now' })] } : { text: '?' };
  };
  const { id } = await start(page, {
    goal: 'Note milk',
    tools: ['work:note', 'work:noted'],
    tasks: [
      {
        id: 'note',
        instructions: 'Carry it out',
        retries: 2,
        tools: ['work:note'],
        check: { expression: "result == 'now'" },
      },
    ],
  });
  const run = await ended(page, id);
  expect(run).toMatchObject({
    state: 'done',
    tasks: [{ state: 'done', attempt: 2, output: 'now' }],
  });
  expect(run.tasks[0]?.failures[0]).toContain("result == 'now'");
  expect(attempts).toBe(1);
});

test('a check by a call runs in the Python of the task', async ({ page }) => {
  endpoint.habits.otherwise = (received) =>
    lastMessage(received).role === 'tool'
      ? { calls: [call('finish', { result: null })] }
      : { calls: [call('work__note', { text: 'bread' })] };
  const check = { call: 'work:noted', expect: { includes: ['bread'] } };
  const { id } = await start(page, {
    goal: 'Note bread',
    tasks: [{ id: 'note', instructions: 'Note bread', check }],
  });
  expect(await ended(page, id)).toMatchObject({ state: 'done' });
});

test('tests that fail before a task count, unless the plan says otherwise', async ({ page }) => {
  endpoint.habits.otherwise = () => ({ calls: [call('finish', { result: null })] });
  const check = { test: 'tests/work.json' };
  const { id } = await start(page, {
    goal: 'Break nothing',
    tasks: [
      { id: 'strict', instructions: 'Do it', retries: 0, check },
      { id: 'lenient', instructions: 'Do it', check: { ...check, ignore_earlier_failures: true } },
    ],
  });
  const run = await ended(page, id);
  expect(run.tasks.map(({ state }) => state)).toEqual(['failed', 'done']);
  expect(run.tasks[0]?.reason).toContain('adds wrongly');
  await page.goto(`./#/plans/${id}`);
  const lenient = page.getByRole('listitem', { name: 'lenient' });
  await expect(lenient).toContainText('except for 1 earlier failure');
  await lenient.getByText('Failed before the task began, not counted').click();
  await expect(lenient).toContainText('adds wrongly');
  await expect(page.getByText('let it ignore earlier failures')).toBeVisible();
});

test('a plan with mistakes is refused, and one whose cost is unknown', async ({ page }) => {
  const { status, body } = await request(page, 'POST', 'api/runs', {
    plan: {
      goal: 'x',
      tools: ['work:gone'],
      tasks: [
        { id: 'a', instructions: 'x', depends_on: ['b'] },
        { id: 'b', instructions: 'x', depends_on: ['a'], check: { call: 'work:noted' }, tools: [] },
      ],
    },
  });
  expect(status).toBe(400);
  const { detail } = body as { detail: string };
  expect(detail).toContain('work:gone');
  expect(detail).toContain('a → b → a');
  expect(detail).toContain('which this task may not use');

  const tasks = [{ id: 'a', instructions: 'add 1 and 2' }];
  const { id } = await start(page, { goal: 'Spend', budget: { cost: 1 }, tasks });
  expect((await ended(page, id)).reason).toContain('The price of small is unknown');
  expect(endpoint.requests).toEqual([]);
});

test('a run is stopped at once, and continues where it stopped', async ({ page }) => {
  let hangs = true;
  endpoint.habits.otherwise = (received) =>
    hangs && lastMessage(received).text.includes('add 3') ? ('hang' as const) : worker(received);
  const { id } = await start(page, oneAfterOther);
  await expect.poll(() => endpoint.requests.length).toBe(3);
  const watched = page.evaluate(async (run) => {
    const module = new URL('cloche-client.js', location.href).href;
    const { connect } = (await import(module)) as typeof Client;
    const seen: string[] = [];
    for await (const event of (await connect()).runs.watch(run))
      seen.push(event.type === 'result' ? `${event.type} ${event.run.state}` : event.name);
    return seen;
  }, id);
  expect(await overClient(page, 'stop', id)).toMatchObject({
    state: 'stopped',
    tasks: [{ state: 'done' }, { state: 'stopped' }],
  });
  const seen = await watched;
  expect([seen[0], seen.at(-1)]).toEqual(['created', 'result stopped']);
  hangs = false;
  expect((await ended(page, id)).state).toBe('stopped');
});

test('a plan is written in the page, its problems are shown by line, and its run is followed', async ({
  page,
}) => {
  let isRight = false;
  endpoint.habits.otherwise = (received) => {
    const answer = worker(received);
    if (
      isRight ||
      typeof answer === 'string' ||
      !('calls' in answer) ||
      answer.calls[0]?.name !== 'finish'
    )
      return answer;
    return { calls: [call('finish', { result: { sum: -1 } })] };
  };
  await page.keyboard.press('Control+k');
  await page.keyboard.type('New plan');
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: 'Plan' });
  await field.fill(`goal: Add numbers
tasks:
  - id: a
    title: First sum
    instructions: add 1 and 2
    depends_on: [b]
    retries: 0
    check: { expression: "result['sum' > 0" }
  - id: c
    title: Second sum
    instructions: add 3 and 4
    depends_on: [a]
`);
  await expect(page.getByText('there is no task “b”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Line 6' })).toBeVisible();
  await expect(page.getByText('is not valid Python: SyntaxError')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Line 8' })).toBeVisible();
  // The text survives a reload.
  await page.reload();
  await expect(field).toHaveValue(/depends_on: \[b\]/);
  const corrected = (await field.inputValue()).replace('[b]', '[]').replace("'sum' >", "'sum'] >");
  await field.fill(corrected);
  await expect(page.getByText('The plan has no problems.')).toBeVisible();
  await runPlan(page);
  await expect(page.getByRole('status').filter({ hasText: 'Needs attention' })).toBeVisible();
  const first = page.getByRole('listitem', { name: 'First sum' });
  await expect(first).toContainText('Failed');
  await expect(page.getByRole('listitem', { name: 'Second sum' })).toContainText('Blocked');
  isRight = true;
  await press(first.getByRole('button', { name: /^Run again/ }));
  await expect(page.getByRole('status').filter({ hasText: 'Done, 2 of 2' })).toBeVisible();
  // Its button is gone while the task runs, and the focus stays near.
  await expect(first).toBeFocused();
  await expect(first).toContainText('{"sum":3}');
  // What is done is known after a reload, and its session can be read.
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: 'Done, 2 of 2' })).toBeVisible();
  await first.getByRole('link', { name: 'Show its session' }).click();
  await expect(page.getByRole('region', { name: /^Call to .*add/ })).toBeVisible();
  // Sessions of sub-agents are not in the list of sessions.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Sessions' })
    .click();
  await expect(page.getByRole('link', { name: 'First sum' })).toHaveCount(0);
});

test('a run whose page was closed continues in another page, and repeats nothing', async ({
  page,
}) => {
  let hangs = true;
  const adds: string[] = [];
  endpoint.habits.otherwise = (received) => {
    const answer = worker(received);
    if (typeof answer === 'string' || !('calls' in answer)) return answer;
    if (answer.calls[0]?.name === 'finish') return hangs ? ('hang' as const) : answer;
    adds.push(lastMessage(received).text.includes('add 1') ? 'a' : 'b');
    return answer;
  };
  const { id } = await start(page, oneAfterOther);
  await expect.poll(() => endpoint.requests.length).toBe(2);
  await page.goto(`./#/plans/${id}`);
  await page.reload();
  hangs = false;
  await press(page.getByRole('button', { name: 'Resume' }));
  await expect(page.getByRole('status').filter({ hasText: 'Done, 2 of 2' })).toBeVisible();
  expect(adds).toEqual(['a', 'b']);
});
