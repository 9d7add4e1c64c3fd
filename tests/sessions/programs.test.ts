/** Programs of a model: their calls, approvals and ends in the built app, with a scripted model. */

import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { countEndings, endingsHere } from '../support/call-here.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { loggedCalls, loggedPrograms, program } from '../support/programs.ts';
import { answer, question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from '../support/shared-page.ts';

const work = `
import asyncio

erased = []

def square(n: int) -> dict:
    """Squares a number."""
    return {"n": n, "square": n * n, "padding": "x" * 2_000}

def erase(name: str) -> str:
    """Erases something."""
    erased.append(name)
    return f"erased {name}"

def fail(name: str) -> str:
    """Fails."""
    raise ValueError(f"no {name}")

async def slow(n: int) -> int:
    """Takes long."""
    await asyncio.sleep(600)
    return n

def spec(handler, parameter, kind, **more):
    schema = {"type": "object", "properties": {parameter: {"type": kind}}, "required": [parameter]}
    name = f"work:{handler.__name__}"
    return {"name": name, "description": handler.__doc__, "parameters": schema, "handler": handler, **more}

TOOL_SPECS = [
    spec(square, "n", "integer"),
    spec(erase, "name", "string", requires_approval=True),
    spec(fail, "name", "string"),
    spec(slow, "n", "integer"),
]
`;

const samples = ['basics', 'calculator', 'encoding', 'json_tools', 'stats', 'text_tools'];

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.models = [{ id: 'small', context: 1_000_000 }];
  const files = await Promise.all(
    samples.map(async (name) => {
      const file = `${name}.py`;
      const text = await readFile(new URL(`../../tools-samples/${file}`, import.meta.url));
      return [file, text] as const;
    }),
  );
  const all = { 'work.py': work, ...Object.fromEntries(files) };
  await session.openWithModels(shared, endpoint, '', all);
});
test.afterAll(() => endpoint.close());
test.beforeEach(async ({ page, trouble }) => {
  endpoint.reset();
  session.expectModelRequests(trouble);
  await session.newSession(page, session.mine, /small/);
  await page.evaluate(countEndings);
});

test('twelve calls of one program: one asks, one fails and is caught; then Stop, and kept variables', async ({
  page,
}) => {
  await test.step('the program runs on after the approval, and the model sees only its result', async () => {
    const code = `
squares = await asyncio.gather(*[work.square(n) for n in range(10)])
said = await work.erase(name="notes")
try:
    await work.fail(name="way")
except ToolError as error:
    caught = str(error)
print(said)
sum(one["square"] for one in squares), caught.splitlines()[0]`;
    endpoint.answer({ calls: [program(code)] }, { text: 'The sum is 285.' });
    await session.send(page, 'Add up the squares, and erase the notes.');
    await expect(question(page)).toContainText('work:erase');
    await answer(page, /^Allow for this program$/);
    await expect(page.getByText('The sum is 285.')).toBeVisible();
    await session.idle(page);
    const offered = session.asked(endpoint)[0];
    expect(offered && session.offeredTools(offered)).toContain('run_python');
    const { text } = session.asked(endpoint).at(-1) ?? { text: '' };
    expect(text).toContain('erased notes');
    expect(text).toContain('[285, ');
    expect(text).toContain('ValueError: no way');
    expect(text).not.toContain('xxxxx');
    const calls = await loggedCalls(page);
    expect(calls).toHaveLength(12);
    expect(new Set(calls.map(({ parent }) => parent)).size).toBe(1);
    for (const call of calls) expect(call).toMatchObject({ caller: 'program', of: 'run_python' });
    expect(calls.filter(({ error }) => error !== undefined).map(({ tool }) => tool)).toEqual([
      'work:fail',
    ]);
    expect(await page.evaluate(endingsHere)).toEqual([1]);
  });

  await test.step('the calls are below the program, with whole results, in the trace and in Runs', async () => {
    const tree = session.cards(page, 'run_python').getByRole('region', { name: 'Calls of this' });
    await expect(tree).toContainText('12 calls, 1 failed');
    // The last item of the list is the one that shows more.
    await expect(tree.getByRole('listitem')).toHaveCount(11);
    await tree.getByRole('button', { name: 'Show more' }).click();
    await expect(tree.getByRole('listitem')).toHaveCount(12);
    const call = tree.getByRole('button', { name: /square/ }).first();
    await call.focus();
    await page.keyboard.press('Enter');
    await expect(tree).toContainText('x'.repeat(500));
    await page.keyboard.press('Enter');
    await tree.getByRole('button', { name: /^12 calls/ }).click();
    await expect(tree.getByRole('listitem')).toHaveCount(0);
    const view = page.getByRole('group', { name: 'View' });
    await view.getByRole('button', { name: 'Trace' }).click();
    const turn = page.getByRole('region', { name: 'Turn 1' });
    await expect(turn.getByRole('button', { name: /^work:/ })).toHaveCount(12);
    await view.getByRole('button', { name: 'Transcript' }).click();
    await page.goto(`${page.url()}?panel=runs`);
    await page.getByText('12 calls of this program').click();
    await expect(page.getByRole('link', { name: /work:square/ })).toHaveCount(10);
    await page.goto(page.url().replace('?panel=runs', ''));
  });

  await test.step('another program keeps the variables, but not the approval', async () => {
    const code = `
await asyncio.gather(work.erase(name=f"{len(squares)} squares"), work.erase(name="the rest"))`;
    endpoint.answer({ calls: [program(code, true)] }, { text: 'They are still there.' });
    await session.send(page, 'Erase them.');
    const calls = question(page).getByRole('list', { name: 'Calls' });
    await expect(calls.getByRole('listitem')).toHaveCount(2);
    await calls.getByRole('button', { name: /10 squares/ }).click();
    await expect(calls.getByRole('group', { name: 'Arguments of call 1' })).toContainText('10');
    await expect(question(page).getByRole('button', { name: 'Allow these 2 calls' })).toBeVisible();
    const tree = page.getByRole('region', { name: 'Calls of this program' }).last();
    await expect(tree.getByText('Waiting for your answer')).toHaveCount(2);
    await answer(page, /^Deny$/);
    await expect(page.getByText('They are still there.')).toBeVisible();
    await session.idle(page);
    expect(session.asked(endpoint).at(-1)?.text).toContain('The user denied it');
  });

  await test.step('row 51: a hostile program costs itself alone', async () => {
    const before = (await loggedCalls(page)).length;
    const hostile = `
from cloche import asking
late = asyncio.ensure_future(work.slow(1))
await work.square(1)
work.square = print
print("y" * 5_000_000)
forged = {"ask": "call", "tool": "work:square", "arguments": '{"n": 2}'}
await asking.ask({**forged, "parent": "another", "caller": "user", "id": "mine"})`;
    endpoint.answer(
      { calls: [program(hostile)] },
      { calls: [program('(await work.square(3))["square"]')] },
      { text: 'The hostile program is over.' },
    );
    await session.send(page, 'Attack.');
    await expect(page.getByText('The hostile program is over.')).toBeVisible();
    await session.idle(page);
    const [attack, after] = await loggedPrograms(page, 2);
    expect(attack?.text.length).toBeLessThanOrEqual(20_000);
    expect(after?.text).toBe('9');
    const made = (await loggedCalls(page)).slice(before);
    for (const call of made) expect(call).toMatchObject({ caller: 'program', of: 'run_python' });
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);
    expect(made.filter(({ tool }) => tool === 'work:slow')).toMatchObject([
      { parent: attack?.id, error: 'cancelled' },
    ]);
    expect(made.at(-1)).toMatchObject({ tool: 'work:square', parent: after?.id });
    expect(await page.evaluate(endingsHere)).toEqual([1]);
  });

  await test.step('Stop ends a program and its calls at once', async () => {
    const before = (await loggedCalls(page)).length;
    endpoint.answer({
      calls: [program('await asyncio.gather(*map(work.slow, range(8)), return_exceptions=True)')],
    });
    await session.send(page, 'Wait.');
    const running = () =>
      page.evaluate(
        () => globalThis.cloche.calls.running.filter(({ tool }) => tool === 'work:slow').length,
      );
    await expect.poll(running).toBe(8);
    const tree = page.getByRole('region', { name: 'Calls of this program' }).last();
    await expect(tree).toContainText('8 calls, 8 running');
    await tree.getByRole('button', { name: 'Cancel this call' }).first().click();
    await expect(tree).toContainText('8 calls, 7 running, 1 failed');
    expect(await running()).toBe(7);
    await page.getByRole('button', { name: 'Stop' }).click();
    await session.idle(page);
    expect(await running()).toBe(0);
    const ended = (await loggedCalls(page)).slice(before);
    expect(ended.map(({ error }) => error)).toEqual(Array(8).fill('cancelled'));
    expect(await page.evaluate(endingsHere)).toEqual([1]);
  });
});

test('the user runs a program in the console, and saves it as a tool', async ({ page }) => {
  await page.goto('./#/');
  await page.getByRole('link', { name: 'Open console' }).click();
  const drawer = page.getByRole('region', { name: 'Drawer' });
  await drawer.getByRole('textbox', { name: 'Program' }).click();
  await page.keyboard.type('x = await work.squ');
  await drawer.getByRole('option', { name: /square/ }).click();
  await page.keyboard.type('4)\nx["square"]');
  await page.keyboard.press('ControlOrMeta+Enter');
  const ran = drawer.getByRole('region', { name: 'Program' });
  await expect(ran.getByRole('heading', { name: 'Result' })).toBeVisible();
  await expect(ran).toContainText('16');
  expect((await loggedCalls(page)).at(-1)).toMatchObject({ caller: 'program', of: 'run_python' });
  await drawer.getByRole('link', { name: 'Python', exact: true }).click();
  await expect(drawer.getByRole('row', { name: /Programs in the console ready/ })).toBeVisible();
  await drawer.getByRole('link', { name: 'Console' }).click();
  await expect(drawer.getByRole('textbox', { name: 'Program' })).toContainText('x["square"]');
  // Without it, the browser would ask whether the folder may be written.
  await page.evaluate(() => {
    const requestPermission = () => Promise.resolve('denied');
    Object.defineProperty(FileSystemHandle.prototype, 'requestPermission', {
      value: requestPermission,
    });
  });
  await drawer.getByRole('button', { name: 'Save as a tool' }).click();
  await page.getByRole('textbox', { name: 'Name of the tool' }).fill('square_four');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save to a copy of the folder?' });
  await dialog.getByRole('button', { name: 'Save to a copy' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto('./#/tools/square_four:square_four');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('16');
});

test(
  'a program that asks without end asks five times, and then is refused without a question',
  { tag: '@full' },
  async ({ page }) => {
    const code = `
refusals = []
for n in range(60):
    try:
        await work.erase(name=f"file {n}")
    except ToolError as error:
        refusals.append(str(error))
len(refusals), refusals[0], refusals[-1]`;
    endpoint.answer({ calls: [program(code)] }, { text: 'It was refused.' });
    await session.send(page, 'Erase everything.');
    for (let n = 0; n < 5; n += 1) {
      await expect(question(page)).toContainText(`file ${n}`);
      await answer(page, /^Deny$/);
    }
    await expect(page.getByText('It was refused.')).toBeVisible();
    await session.idle(page);
    const [ran] = await loggedPrograms(page, 1);
    expect(ran?.text).toMatch(/^\[60, ".*The user denied it.*", ".*is asked nothing more for it/s);
  },
);

interface SampleCall {
  readonly tool: string;
  readonly args: unknown;
}

const numbers = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { maxLength: 5 });
const words = fc.string({ unit: 'grapheme', maxLength: 12 });
const sampleCall: fc.Arbitrary<SampleCall> = fc.oneof(
  fc.record({
    tool: fc.constant('basics:split_bill'),
    args: fc.record({
      total: fc.integer({ min: 0, max: 500 }),
      people: fc.integer({ min: 0, max: 5 }),
    }),
  }),
  fc.record({
    tool: fc.constant('basics:roll_dice'),
    args: fc.record({ dice: fc.constantFrom('2d6', 'd20', 'x'), seed: fc.nat(99) }),
  }),
  fc.record({ tool: fc.constant('encoding:name_uuid'), args: fc.record({ name: words }) }),
  fc.record({ tool: fc.constant('text_tools:slugify'), args: fc.record({ text: words }) }),
  fc.record({ tool: fc.constant('stats:describe_numbers'), args: fc.record({ numbers }) }),
  fc.record({
    tool: fc.constant('json_tools:flatten_json'),
    args: fc.record({ document: fc.dictionary(words, fc.oneof(numbers, words), { maxKeys: 3 }) }),
  }),
  fc.record({
    tool: fc.constant('calculator:calculate'),
    args: fc.record({ expression: fc.constantFrom('2 ** 70', '1 / 3', '1 / 0', 'hypot(3, 4)') }),
  }),
);

const sampleProgram = fc.record({
  calls: fc.array(sampleCall, { minLength: 1, maxLength: 5 }),
  way: fc.constantFrom('gather', 'loop', 'names'),
});

function codeOf({ calls, way }: { calls: readonly SampleCall[]; way: string }): string {
  const given = `json.loads(${JSON.stringify(JSON.stringify(calls))})`;
  const named = calls.map(({ tool }, n) => `one(${tool.replace(':', '.')}, calls[${n}]["args"])`);
  const every = {
    gather: 'await asyncio.gather(*[one(tools[c["tool"]], c["args"]) for c in calls])',
    loop: '[await one(tools[c["tool"]], c["args"]) for c in calls]',
    names: `[${named.map((call) => `await ${call}`).join(', ')}]`,
  }[way];
  return `
async def one(function, arguments):
    try:
        return [True, await function(**arguments)]
    except ToolError as error:
        return [False, str(error)]
calls = ${given}
json.dumps(${every ?? ''})`;
}

test(
  '300 programs over the samples give what the same calls give one by one',
  { tag: '@full' },
  async ({ page }) => {
    test.setTimeout(300_000);
    const seed = Number(process.env.PROGRAM_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const programs = fc.sample(sampleProgram, { numRuns: 300, seed });
    console.info(`PROGRAM_SEED=${seed}`);
    const before = (await loggedCalls(page)).length;
    for (let from = 0; from < programs.length; from += 100)
      endpoint.answer({
        calls: programs.slice(from, from + 100).map((one) => program(codeOf(one))),
      });
    endpoint.answer({ text: 'All programs have run.' });
    await session.send(page, 'Run them.');
    await expect(page.getByText('All programs have run.')).toBeVisible({ timeout: 240_000 });
    await session.idle(page);
    const results = await loggedPrograms(page, 300);
    const singles = await page.evaluate(
      async (all) => {
        const answers: unknown[] = [];
        for (const { tool, args } of all) {
          const result = await globalThis.cloche.calls.call(new AbortController().signal, {
            ...{ id: crypto.randomUUID(), tool, arguments: JSON.stringify(args), caller: 'page' },
            ...{ sessionId: '', sessionKey: '', turnId: '', agentId: '', validate: true },
          });
          const [part] = result.content;
          if (result.isError) answers.push([false, result.textResultForLlm]);
          else if (part?.type === 'json') answers.push([true, JSON.parse(part.text)]);
          else answers.push([true, part !== undefined && 'text' in part ? part.text : null]);
        }
        return answers;
      },
      programs.flatMap(({ calls }) => calls),
    );
    // The programs of an answer run in any order.
    const textOf = new Map(results.map(({ code, text }) => [code, text]));
    const given = programs.flatMap((one) => {
      const text = textOf.get(program(codeOf(one)).arguments) ?? '[]';
      return JSON.parse(text) as unknown[];
    });
    expect(given, `PROGRAM_SEED=${seed} repeats these programs`).toEqual(singles);
    expect(singles.some((one) => (one as [boolean])[0])).toBe(true);
    expect(singles.some((one) => !(one as [boolean])[0])).toBe(true);
    const nested = (await loggedCalls(page)).slice(before);
    expect(nested).toHaveLength(singles.length);
    const parents = new Set(results.map(({ id }) => id));
    for (const { parent } of nested) expect(parents.has(parent)).toBe(true);
    expect(await page.evaluate(endingsHere)).toEqual([1]);
  },
);
