/** Plans that a model writes and changes, the rules for tools, and approvals of sub-agents, through the interface. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { violations } from './support/axe.ts';
import type { MadeFolder } from './support/make-folder.ts';
import type { ModelEndpoint } from './support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { press, pressUntil, runPlan } from './support/press-until.ts';
import { addOneModel, call, startOneModel } from './support/one-model.ts';
import * as session from './support/session-page.ts';
import { expect, test } from './support/shared-page.ts';

const source = `
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b

def note(text: str) -> str:
    """Notes a text."""
    return "noted " + text

def spec(handler, approval, **properties):
    return {
        "name": f"work:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        "handler": handler,
        "requires_approval": approval,
    }

TOOL_SPECS = [
    spec(add, False, a={"type": "integer"}, b={"type": "integer"}),
    spec(note, True, text={"type": "string"}),
]
`;

let endpoint: ModelEndpoint;
let folder: MadeFolder;

test.beforeAll(async ({ shared }) => {
  endpoint = await startOneModel();
  await shared.open({});
  folder = await shared.openFolder({ 'work.py': source });
  await addOneModel(shared.page, endpoint);
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  endpoint.reset();
  session.expectModelRequests(trouble);
});

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

function textOf({ body }: ReceivedRequest): string {
  return JSON.stringify((body as { messages: unknown[] }).messages);
}

function toolsOf({ body }: ReceivedRequest): string[] {
  const { tools = [] } = body as { tools?: { function: { name: string } }[] };
  return tools.map(({ function: { name } }) => name).sort();
}

async function run(page: Page, plan: object | string): Promise<void> {
  await page.goto('./#/plans/new');
  const text = typeof plan === 'string' ? plan : JSON.stringify(plan);
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByRole('textbox', { name: 'Plan', exact: true }).fill(text);
  await runPlan(page);
}

test('a model writes a plan, which is edited as a form and as a graph before it runs', async ({
  page,
}) => {
  endpoint.habits.otherwise = (received): Scripted => {
    if (textOf(received).includes('Write a plan for this goal'))
      return {
        calls: [
          call('finish', {
            result: { goal: 'Add up', tasks: [{ id: 'one', instructions: 'add 1 and 2' }] },
          }),
        ],
      };
    return { calls: [call('finish', { result: 3 })] };
  };
  await page.goto('./#/plans/new');
  await page.getByRole('textbox', { name: 'Let a model write the tasks' }).fill('Add numbers');
  await pressUntil(
    page.getByRole('button', { name: 'Write plan' }),
    page.getByText('The plan has no problems.'),
  );
  const text = page.getByRole('textbox', { name: 'Plan', exact: true });
  await expect(text).toHaveValue(/goal: Add up/);
  expect(endpoint.requests.map(toolsOf)).toEqual([['finish']]);
  expect(textOf(endpoint.requests[0]!)).toContain('work:add');

  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await page.getByRole('button', { name: 'Add task' }).click();
  const second = page.getByRole('region', { name: 'Task task-2' });
  await second.getByRole('checkbox', { name: 'one' }).check();
  await expect(page.getByText('1 problem').first()).toBeVisible();
  await second.getByRole('textbox', { name: 'Instructions' }).fill('Say the sum');
  await second.getByRole('textbox', { name: 'Id' }).click();
  await expect(page.getByText('The plan has no problems.')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // An id that changes is changed where other tasks refer to it.
  await page.getByRole('button', { name: '1. one' }).click();
  const first = page.getByRole('region', { name: 'Task one' });
  await first.getByRole('textbox', { name: 'Id' }).fill('sum');
  await first.getByRole('textbox', { name: 'Title' }).click();
  const sum = page.getByRole('region', { name: 'Task sum' });
  for (const [name, place] of [
    ['Move down', '2. sum'],
    ['Move up', '1. sum'],
  ] as const) {
    await sum.getByRole('button', { name }).press('Enter');
    await expect(page.getByRole('button', { name: place })).toHaveAttribute('aria-pressed', 'true');
    await expect(sum.getByRole('button', { name })).toBeFocused();
  }
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await page.getByRole('button', { name: 'sum', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Task task-2' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove task' }).click();
  await expect(sum).toBeFocused();
  await expect(page.getByRole('button', { name: /^task-2/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(text).toHaveValue(/depends_on:\n\s+- sum/);
  await runPlan(page);
  await expect(status(page, 'Done, 2 of 2')).toBeVisible();
});

test('tools are inherited, all, or those of the plan or the task; a tool that vanishes interrupts', async ({
  page,
}) => {
  endpoint.habits.otherwise = () => ({ calls: [call('finish', { result: 1 })] });
  const task = (id: string, more: object = {}) => ({ id, instructions: `Do ${id}.`, ...more });
  await run(page, {
    goal: 'Rules',
    tools: ['work:note'],
    parallel: 1,
    tasks: [
      task('given'),
      task('all', { tools: 'all' }),
      task('inherited', { tools: 'inherit' }),
      task('own', { tools: ['work:add'] }),
    ],
  });
  await expect(status(page, 'Done, 4 of 4')).toBeVisible();
  const both = ['finish', 'work__add', 'work__note'];
  expect(endpoint.requests.map(toolsOf)).toEqual([
    ['finish', 'work__note'],
    both,
    both,
    ['finish', 'work__add'],
  ]);

  // The selection of a sub-agent is locked, and shows what it was given.
  await page
    .getByRole('listitem', { name: 'own' })
    .getByRole('link', { name: 'Show its session' })
    .click();
  await page.getByRole('button', { name: 'Local tools: 1 tool, locked' }).click();
  await expect(page.getByText('The selection is locked')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'work:add' })).toBeDisabled();
  await expect(page.getByRole('checkbox', { name: 'work:note' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  // In a session with one tool, a plan inherits this one.
  endpoint.reset();
  endpoint.habits.otherwise = (received): Scripted =>
    toolsOf(received).includes('finish')
      ? { calls: [call('finish', { result: 1 })] }
      : { text: 'Hello.' };
  await session.newSession(page, 'Mine', /small/);
  await page.getByRole('button', { name: /^Local tools/ }).click();
  await page.getByRole('checkbox', { name: 'work:note' }).uncheck();
  await page.keyboard.press('Escape');
  await session.send(page, 'Hello');
  await expect(page).toHaveURL(/sessions\/[\w-]{20,}/);
  const id = page.url().split('sessions/')[1] ?? '';
  await session.idle(page);
  await page.goto(`./#/plans/new?session=${id}`);
  await page
    .getByRole('textbox', { name: 'Plan', exact: true })
    .fill(JSON.stringify({ goal: 'Inherit', tasks: [task('a')] }));
  await runPlan(page);
  await expect(status(page, 'Done, 1 of 1')).toBeVisible();
  // The session itself has more built-in tools, and this one of the folder.
  expect(toolsOf(endpoint.requests[1]!)).toEqual(['finish', 'work__add']);

  // A tool that is gone when the run goes on.
  endpoint.habits.otherwise = () => 'hang';
  await run(page, { goal: 'Gone', tools: ['work:note'], tasks: [task('a')] });
  await expect(status(page, 'Running, 0 of 1')).toBeVisible();
  await expect.poll(() => endpoint.requests.length).toBe(3);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(status(page, 'Stopped')).toBeVisible();
  const without = source.replace('    spec(note, True, text={"type": "string"}),\n', '');
  await writeFile(join(folder.path, 'work.py'), without);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('1 tool in 1 file')).toBeVisible();
  await press(page.getByRole('button', { name: 'Resume' }));
  await expect(page.getByText('no longer available: work:note').first()).toBeVisible();
  await writeFile(join(folder.path, 'work.py'), source);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('2 tools in 1 file')).toBeVisible();
  endpoint.habits.otherwise = () => ({ calls: [call('finish', { result: 1 })] });
  await press(page.getByRole('button', { name: 'Resume' }));
  await expect(status(page, 'Done, 1 of 1')).toBeVisible();
});

test('the page of a run lists what its sub-agents ask, which is answered there, also for all of them', async ({
  page,
}) => {
  endpoint.habits.otherwise = (received): Scripted => {
    const text = textOf(received);
    if (text.includes('noted')) return { calls: [call('finish', { result: 'noted' })] };
    if (text.includes('The user denied')) return { calls: [call('finish', { result: 'denied' })] };
    return { calls: [call('work__note', { text: /Note (\w)\./.exec(text)?.[1] ?? '' })] };
  };
  const tasks = ['a', 'b', 'c'].map((id) => ({
    id,
    title: `Note ${id}`,
    instructions: `Note ${id}.`,
  }));
  await run(page, { goal: 'Note', parallel: 3, tasks });
  const asked = page.getByRole('region', { name: 'Questions from sub-agents' });
  await expect(asked.getByText('3 questions from sub-agents wait for your answer')).toBeVisible();
  const ofTask = (id: string) =>
    asked.getByRole('listitem').filter({ hasText: `Called for the task Note ${id}` });
  await expect(ofTask('b')).toContainText('asks to run work:note');
  await expect(ofTask('b')).toContainText(/"text": ?"b"/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  // On a phone, no answer stands above the question that it belongs to.
  await page.setViewportSize({ width: 390, height: 640 });
  for (const id of ['a', 'b', 'c']) {
    const head = await ofTask(id).getByRole('heading').boundingBox();
    const deny = await ofTask(id).getByRole('button', { name: 'Deny' }).boundingBox();
    expect(deny?.y).toBeGreaterThan((head?.y ?? Infinity) + (head?.height ?? 0));
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await ofTask('b')
    .getByRole('textbox', { name: /^Reason/ })
    .fill('Not this one');
  await ofTask('b').getByRole('button', { name: 'Deny' }).click();
  await expect(ofTask('b')).toHaveCount(0);
  // Elsewhere, they are asked one by one.
  await page.getByRole('link', { name: 'All plans' }).click();
  await expect(page.getByRole('dialog')).toContainText('Called for the task Note');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await ofTask('c').getByRole('button', { name: 'More answers' }).click();
  await pressUntil(
    page.getByRole('button', { name: 'Allow for this run' }),
    status(page, 'Done, 3 of 3'),
  );
  const denied = endpoint.requests.filter((one) => textOf(one).includes('Not this one'));
  expect(denied).toHaveLength(1);
});

test('a stuck plan is changed by a model if it allows that, and the change is shown as a diff', async ({
  page,
}) => {
  endpoint.habits.otherwise = (received): Scripted => {
    const text = textOf(received);
    if (text.includes('cannot go on'))
      return {
        calls: [
          call('finish', {
            result: {
              reason: 'Smaller',
              tasks: [{ id: 'easy', instructions: 'Do the easy part' }],
            },
          }),
        ],
      };
    return text.includes('easy part')
      ? { calls: [call('finish', { result: 1 })] }
      : { text: 'No.' };
  };
  await run(page, {
    goal: 'Hard',
    revisions: 1,
    tasks: [{ id: 'hard', instructions: 'Do the hard part' }],
  });
  await expect(status(page, 'Done, 1 of 1')).toBeVisible();
  await page.getByRole('button', { name: 'Changes' }).click();
  await expect(page.getByText('Changed by the model')).toBeVisible();
  await expect(page.getByLabel('Changed lines')).toContainText('easy part');
  expect(await violations(page)).toEqual([]);
});

test('a page cannot run a plan without the user, who may refuse', async ({ page }) => {
  const plan = { goal: 'Spend', tasks: [{ id: 'a', instructions: 'Spend' }] };
  const started = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('api/runs', { method: 'POST', headers, body });
    return (await response.json()) as { id: string; state: string };
  }, JSON.stringify({ plan }));
  expect(started.state).toBe('waiting');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Run a plan with 1 task?');
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await page.goto(`./#/plans/${started.id}`);
  await expect(status(page, 'Stopped')).toBeVisible();
  await expect(page.getByText('The user did not allow the run.')).toBeVisible();
  expect(endpoint.requests).toEqual([]);
});

test('the focus never moves to a button that starts something, and a budget of money that is added needs a price', async ({
  page,
}) => {
  endpoint.habits.otherwise = () => 'hang';
  await page.goto('./#/plans/new');
  const field = page.getByRole('textbox', { name: 'Plan', exact: true });
  await field.fill('');
  const example = page.getByRole('button', { name: 'Insert an example' });
  await example.press('Enter');
  await expect(page.getByRole('group', { name: 'Actions on the plan' })).toBeFocused();
  await page.keyboard.press('Enter');
  // A button without the focus passes nothing.
  await field.fill('');
  await example.focus();
  await example.blur();
  const active = await field.evaluate(async (element: HTMLTextAreaElement) => {
    element.value = 'goal: x';
    element.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    return document.activeElement?.tagName;
  });
  await expect(example).toHaveCount(0);
  expect(active).toBe('BODY');
  await field.fill('goal: Spend\ntasks:\n  - id: a\n    instructions: add 1 and 2\n');
  await runPlan(page);
  await expect.poll(() => endpoint.requests.length).toBe(1);
  await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
  await expect(page.getByRole('group', { name: 'Actions on the run' })).toBeFocused();
  await page.getByRole('button', { name: 'Change plan' }).click();
  await field.fill(`budget: { cost: 1 }\n${await field.inputValue()}`);
  await pressUntil(
    page.getByRole('button', { name: 'Save and continue' }),
    page.getByText(/The price of small is unknown/).first(),
  );
  expect(endpoint.requests).toHaveLength(1);
});
