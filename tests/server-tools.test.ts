/** Sessions, plans, saved tests, evaluations and comparisons with the tools of an MCP server. */

import { sleep, startMcpServer, type TestServer } from './support/mcp-server.ts';
import { startModelEndpoint, type ModelEndpoint } from './support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { adder, call } from './support/one-model.ts';
import { press, runPlan } from './support/press-until.ts';
import { allowing, answer, question } from './support/questions.ts';
import { runTests } from './support/saved-tests.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/shared-page.ts';

const echo = {
  name: 'echo',
  description: 'Repeats a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

let server: TestServer;
let endpoint: ModelEndpoint;
/** The name of the server's tool. */
let tool: string;

/** Calls the server's tool with the name of the model, and says what it returned. */
function model({ body }: ReceivedRequest): Scripted {
  const { model: id, messages } = body as {
    model: string;
    messages: { role: string; content: unknown }[];
  };
  const result = messages.findLast(({ role }) => role === 'tool');
  if (result === undefined)
    return { calls: [{ name: tool.replace(':', '__'), arguments: JSON.stringify({ text: id }) }] };
  return { text: `The server: ${JSON.stringify(result.content)}` };
}

test.beforeAll(async ({ shared }) => {
  server = await startMcpServer({
    tools: [echo],
    run: async (_, { args, progress, signal }) => {
      progress(1, 2, 'half of it');
      if (String(args.text).startsWith('slow')) await sleep(signal, 300_000);
      return { content: [{ type: 'text', text: `It said ${String(args.text)}.` }] };
    },
  });
  tool = `local${new URL(server.url).port}:echo`;
  endpoint = await startModelEndpoint();
  endpoint.habits.models = [{ id: 'large' }, { id: 'small' }];
  endpoint.habits.otherwise = model;
  const saved = [
    { name: 'says it', tool, arguments: { text: 'a' }, expect: { includes: 'It said a' } },
    { name: 'says more', tool, arguments: { text: 'a' }, expect: { includes: 'It said b' } },
    { name: 'checks', tool, arguments: {}, expect: { error: 'ValidationError' } },
  ];
  const evaluation = {
    name: 'Echo',
    tools: [tool],
    prompts: [
      {
        name: 'Repeats',
        text: 'Say it.',
        expect: { calls: { must: [tool] }, answer: { includes: 'It said' } },
      },
    ],
  };
  await shared.open({
    'work.py': adder,
    'tests/server.json': JSON.stringify(saved),
    'evals/echo.json': JSON.stringify(evaluation),
  });
  const { page } = shared;
  session.expectModelRequests(shared.trouble);
  const url = `${endpoint.url}/v1`;
  await session.addProvider(page, { kind: 'openai-compatible', name: session.mine, url, key: '' });
  await page.goto('./#/servers');
  await page.getByLabel('Address of an MCP server').fill(server.url);
  await page.getByRole('button', { name: 'Add server' }).click();
  const card = page.getByRole('region', { name: new URL(server.url).host, exact: true });
  await expect(card.getByRole('status')).toContainText('Connected');
  await expect(card.getByRole('link', { name: tool })).toBeVisible();
});
test.afterAll(async () => {
  await server.close();
  await endpoint.close();
});

test('in a session, a call of a server’s tool is denied, shown with its progress, stopped, and traced', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  await session.newSession(page, session.mine, /large/);
  const say = (text: string) => ({
    calls: [{ name: tool.replace(':', '__'), arguments: JSON.stringify({ text }) }],
  });
  endpoint.answer(say('no'), { text: 'Then not.' });
  await session.send(page, 'Say no.');
  await expect(question(page)).toContainText(server.url);
  await answer(page, /^deny$/i);
  await expect(page.getByText('Then not.')).toBeVisible();
  expect(server.received.filter(({ body }) => body.includes('tools/call'))).toEqual([]);
  endpoint.answer(say('slow'));
  await session.send(page, 'Say it slowly.');
  await answer(page, /^allow once$/i);
  await expect(session.cards(page, 'echo').last()).toContainText('half of it');
  await page.keyboard.press('Escape');
  await expect.poll(() => server.cancelled).toEqual(['echo']);
  await session.idle(page);
  endpoint.answer(say('yes'), { text: 'It is said.' });
  await session.send(page, 'Say yes.');
  await answer(page, /^allow once$/i);
  await expect(page.getByText('It is said.')).toBeVisible();
  await session.idle(page);
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Trace' }).click();
  const turn = page.getByRole('region', { name: 'Turn 3' });
  await turn.getByRole('button', { name: new RegExp(`^${tool}`) }).click();
  await expect(turn).toContainText('It said yes.');
});

test('in a plan, a task calls a server’s tool: the question names the server, Stop ends the call there, and a reload changes nothing', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  let text = 'slowly';
  endpoint.habits.otherwise = ({ body }) => {
    const { messages } = body as { messages: { role: string; content: unknown }[] };
    const result = messages.findLast(({ role }) => role === 'tool');
    return JSON.stringify(result?.content ?? '').includes('It said')
      ? { calls: [call('finish', { result: text })] }
      : { calls: [call(tool.replace(':', '__'), { text })] };
  };
  const isCalled = (words: string): boolean =>
    server.received.some(
      ({ body }) => body.includes('tools/call') && body.includes(`"text":"${words}"`),
    );
  const status = (words: string) => page.getByRole('status').filter({ hasText: words });
  const asked = page.getByRole('region', { name: 'Questions from sub-agents' });
  const task = page.getByRole('listitem', { name: 'Repeat it' });
  const cancelled = server.cancelled.length;
  const plan = {
    goal: 'Repeat',
    tools: [tool],
    tasks: [{ id: 'say', title: 'Repeat it', instructions: 'Say it.' }],
  };

  await test.step('the server is asked only once the user has allowed it', async () => {
    await page.goto('./#/plans/new');
    await page.getByRole('button', { name: 'Text', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Plan', exact: true });
    await field.fill(JSON.stringify(plan));
    await runPlan(page);
    await expect(asked).toContainText(`asks to run ${tool}`);
    await expect(asked).toContainText(`The arguments are sent to ${server.url}`);
    await expect(asked).toContainText('Called for the task Repeat it');
    expect(isCalled('slowly')).toBe(false);
  });

  await test.step('a question that was open during a reload is asked again', async () => {
    await page.reload();
    await expect(status('Not running in this tab, 0 of 1')).toBeVisible();
    await press(page.getByRole('button', { name: 'Resume' }));
    await expect(asked).toContainText(`The arguments are sent to ${server.url}`);
    expect(isCalled('slowly')).toBe(false);
  });

  await test.step('Stop ends the call on the server', async () => {
    await press(asked.getByRole('button', { name: /^allow once$/i }));
    await expect.poll(() => isCalled('slowly')).toBe(true);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(() => server.cancelled.slice(cancelled)).toEqual(['echo']);
    await expect(status('Stopped, 0 of 1')).toBeVisible();
  });

  await test.step('after a reload, the run continues with another call', async () => {
    await page.reload();
    await expect(status('Stopped, 0 of 1')).toBeVisible();
    text = 'again';
    await press(page.getByRole('button', { name: 'Resume' }));
    await expect(asked).toContainText('"again"');
    await expect(asked).toContainText(`The arguments are sent to ${server.url}`);
    await press(asked.getByRole('button', { name: /^allow once$/i }));
    await expect(status('Done, 1 of 1')).toBeVisible();
    await expect(task).toContainText('"again"');
    expect(server.cancelled).toHaveLength(cancelled + 1);
  });

  await test.step('the log of the run, its session and the runs of the tool show what has happened', async () => {
    const views = page.getByRole('group', { name: 'View of the run' });
    await views.getByRole('button', { name: 'Log' }).click();
    const events = page.getByRole('list', { name: 'Events of the run' });
    await expect(events.getByRole('listitem').filter({ hasText: 'Run stopped' })).toHaveCount(1);
    await expect(events).toContainText('say: result submitted');
    await views.getByRole('button', { name: 'Tasks' }).click();
    await task.getByRole('link', { name: 'Show its session' }).click();
    await expect(session.cards(page, 'echo').last()).toContainText('It said again.');
    await page.goto(`./#/tools/${tool}/runs`);
    const runs = page.getByRole('list').getByRole('link');
    await expect(runs.filter({ hasText: '"again"' })).toContainText('It said again.');
    await expect(runs.filter({ hasText: '"slowly"' }).first()).toContainText('cancelled');
  });
  endpoint.habits.otherwise = model;
});

test('saved tests call a server’s tool, judge its results, and are on its page', async ({
  page,
  trouble,
}) => {
  trouble.expect(/^foreign request/);
  const ran = await allowing(page, runTests(page, { tool }));
  expect(ran).toMatchObject({ passed: 2, failed: 1, notRun: 0 });
  expect(ran.results.map(({ name, state }) => [name, state])).toEqual([
    ['says it', 'passed'],
    ['says more', 'failed'],
    ['checks', 'passed'],
  ]);
  await page.goto(`./#/tools/${tool}/tests`);
  await expect(page.getByText('says more')).toBeVisible();
});

test('an evaluation has a model call a server’s tool', async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  await page.goto('./#/evals');
  await page.getByRole('button', { name: 'Run Echo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run this evaluation' });
  await dialog.getByLabel('Tools that require approval').selectOption('allow');
  const before = server.received.length;
  await press(dialog.getByRole('button', { name: /^Run \d+ trials?$/ }));
  await expect(page.getByText(/^Done, \d+ trials?$/)).toBeVisible();
  const figures = page.getByRole('region', { name: 'Results by model' });
  await expect(figures.getByRole('row').nth(1)).toContainText('100 %');
  const sent = server.received.slice(before);
  expect(sent.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
});

test('two models are compared by their calls of a server’s tool', async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  await page.goto('./#/sessions/new/new');
  const columns = page.getByRole('table', { name: 'Sessions' }).getByRole('columnheader');
  for (const [at, id] of ['large', 'small'].entries()) {
    const column = columns.nth(at);
    await column.getByRole('button', { name: /^Model:/ }).click();
    await column.getByRole('region').getByRole('button', { name: id }).click();
    await expect(column.getByRole('button', { name: `Model: ${id}` })).toBeVisible();
  }
  const field = page.getByRole('textbox', { name: 'Message to 2 models' });
  await field.fill('Say it.');
  await field.press('Enter');
  for (const asked of ['1', '2']) {
    await expect(question(page)).toContainText(server.url);
    await expect(question(page), asked).toContainText(/Called in session [12]/);
    await answer(page, /^allow once$/i);
  }
  const turn = page.getByRole('region', { name: 'Turn 1' });
  await expect(turn).toContainText('It said large.');
  await expect(turn).toContainText('It said small.');
  await turn.getByRole('button', { name: 'Differ in arguments' }).click();
  const differences = turn.getByRole('group', { name: 'Arguments: differences' });
  await expect(differences).toContainText('1: large: "large"');
  await expect(differences).toContainText('2: small: "small"');
});
