/** `npm run eval`: the commands that the documentation prints, each option, and what each exit code means. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { projectFolder } from '../scripts/dist.mjs';
import { runCommand, runEval } from './support/eval-command.ts';
import { expect } from './support/expect.ts';
import { makeFolder, type FolderFiles } from './support/make-folder.ts';
import type { ModelEndpoint } from './support/model-endpoint.ts';
import type { ReceivedRequest, Scripted } from './support/model-endpoint/script.ts';
import { adder, startOneModel } from './support/one-model.ts';
import { asked } from './support/session-page.ts';

test.describe.configure({ timeout: 300_000 });

const sums = {
  name: 'Sums',
  threshold: 0.5,
  prompts: [
    {
      text: 'add 1 and 2',
      expect: { calls: { must: ['work:add'] }, answer: { includes: 'It is 3' } },
    },
  ],
};

function folderOf(evaluation: object = sums, more: FolderFiles = {}): FolderFiles {
  return { 'work.py': adder, 'evals/sums.json': JSON.stringify(evaluation), ...more };
}

/** Calls the tool that the prompt asks for, and repeats its result. */
function model({ body }: ReceivedRequest): Scripted {
  const { messages } = body as { messages: { role: string; content: unknown }[] };
  const result = messages.findLast(({ role }) => role === 'tool');
  const question = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  const isShort = question.includes('briefly');
  const usage = { input: isShort ? 1 : 100, cached: 0, output: 10, reasoning: 0 };
  if (result !== undefined)
    return { text: `It is ${JSON.stringify(result.content)}`.replaceAll('"', ''), usage };
  if (question.includes('double'))
    return { calls: [{ name: 'work__double', arguments: '{"a": 2}' }], usage };
  return { calls: [{ name: 'work__add', arguments: '{"a": 1, "b": 2}' }], usage };
}

let endpoint: ModelEndpoint;
let place: string;

test.beforeAll(async () => {
  endpoint = await startOneModel();
  endpoint.habits.otherwise = model;
  endpoint.habits.models = ['small', 'gpt-5-mini', 'qwen3'].map((id) => ({ id, context: 200_000 }));
  place = await mkdtemp(join(tmpdir(), 'cloche-eval-'));
});
test.afterAll(async () => {
  await endpoint.close();
  await rm(place, { recursive: true });
});
test.beforeEach(() => {
  endpoint.requests.length = 0;
});

async function inFolder(files: FolderFiles, use: (path: string) => Promise<void>): Promise<void> {
  const made = await makeFolder({ files });
  try {
    await use(made.path);
  } finally {
    await made.dispose();
  }
}

/** The lines of the shell blocks in a file of the documentation. */
async function printedCommands(doc: string): Promise<readonly string[]> {
  const text = await readFile(join(projectFolder, 'docs', doc), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line !== ''),
  );
}

test('every command that the documentation prints runs', async () => {
  const commands = await printedCommands('evals.md');
  expect(commands.length).toBeGreaterThan(2);
  await inFolder(folderOf(), async (folder) => {
    for (const printed of commands) {
      const command = printed
        .replace('CLOCHE_MODEL_KEY=… ', '')
        .replace('FOLDER', folder)
        .replace('results.json', join(place, 'results.json'))
        .replace(/--base-url \S+/, `--base-url ${endpoint.url}/v1`);
      const { code, output } = await runCommand(command);
      expect(code, `${command}\n${output}`).toBe(0);
      expect(output).toContain('100 %');
    }
  });
});

test('the options set the trials and the limits', async () => {
  await inFolder(folderOf(), async (folder) => {
    const json = join(place, 'options.json');
    const options = `--repeat 3 --max-requests 50 --max-tokens 5000 --max-cost 0.5 --only sums --json '${json}'`;
    const { code, output } = await runEval(folder, endpoint.url, options);
    expect(code, output).toBe(0);
    expect(output).toContain('The price of Mine/small is not known, so its cost is not limited.');
    const [first] = JSON.parse(await readFile(json, 'utf8')) as {
      repeats: number;
      models: { passed: number; requests: number }[];
    }[];
    expect(first).toMatchObject({ repeats: 3, models: [{ passed: 3, requests: 6 }] });
  });
  const brief = { ...sums, name: 'Brief', prompts: [{ ...sums.prompts[0], text: 'add briefly' }] };
  await inFolder(folderOf(sums, { 'evals/brief.json': JSON.stringify(brief) }), async (folder) => {
    // One evaluation reaches the limit of tokens first, the other the limit of requests.
    const limits = '--repeat 3 --max-requests 4 --max-tokens 150';
    const stopped = await runEval(folder, endpoint.url, limits);
    expect(stopped.output).toMatch(/Sums .*The limit of 150 tokens is reached\./);
    expect(stopped.output).toMatch(/Brief .*The limit of 4 requests is reached\./);
    expect(stopped.code, stopped.output).toBe(2);
  });
});

test('code 2 says that nothing was measured, and why', async () => {
  const wrong = { ...sums, prompts: [{ text: 'x', expect: { calls: { must: ['work:gone'] } } }] };
  const faults: readonly (readonly [FolderFiles, string, string])[] = [
    [{ 'work.py': adder }, '', 'has no evaluations in evals/'],
    [folderOf(), '--only other', 'No evaluation matches other. There are: evals/sums.json.'],
    [folderOf(wrong), '', 'evals/sums.json:1: there is no tool “work:gone”'],
    [folderOf(), '--repeat 0', '--repeat needs a whole number from 1 to 100, not 0.'],
    [folderOf(), '--max-cost free', '--max-cost needs a number of US dollars, not free.'],
    [folderOf(), '--kind none', '--kind none: there are openai-compatible'],
    [folderOf(), '--allow-origin example.com', '--allow-origin needs an origin'],
    [folderOf(), '--unknown', "Unknown option '--unknown'"],
    [folderOf(), '--base-url http://127.0.0.1:9/v1', 'Mine could not be reached'],
  ];
  for (const [files, options, why] of faults)
    await inFolder(files, async (folder) => {
      const { code, output } = await runEval(folder, endpoint.url, options);
      expect(output).toContain(why);
      expect(code, output).toBe(2);
    });
  expect(asked(endpoint)).toEqual([]);
});

test('approvals, requests and extensions are refused unless they are allowed', async () => {
  const careful = `
import urllib.error
import urllib.request

def add(a: int, b: int) -> str:
    """Adds two numbers."""
    said = []
    for address in ["https://elsewhere.invalid/", "${endpoint.url}/v1/models"]:
        try:
            urllib.request.urlopen(address)
        except urllib.error.HTTPError as error:
            said.append(error.code)
        except urllib.error.URLError as error:
            said.append("refused")
    return f"{a + b} {said}"

def double(a: int) -> str:
    """Doubles a number."""
    return str(2 * a)

def spec(handler, approval, *names):
    return {
        "name": f"work:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {
            "type": "object",
            "properties": {name: {"type": "integer"} for name in names},
            "required": list(names),
        },
        "requires_approval": approval,
        "handler": handler,
    }

TOOL_SPECS = [spec(add, True, "a", "b"), spec(double, False, "a")]
`;
  const guard = `
def before(tool, arguments):
    return "not today" if tool == "work:double" else True

def register(app):
    app.register_ext_info(name="guard", version="1")
    app.register_interceptor(name="guard", priority=0, before=before)
`;
  const doubles = {
    name: 'Doubles',
    threshold: 0.5,
    prompts: [
      {
        text: 'double 2',
        expect: { calls: { must: ['work:double'] }, answer: { includes: 'It is 4' } },
      },
    ],
  };
  const files = {
    'work.py': careful,
    'guard.py': guard,
    'evals/doubles.json': JSON.stringify(doubles),
  };
  await inFolder(folderOf(sums, files), async (folder) => {
    const json = join(place, 'allowed.json');
    const run = async (options: string) => {
      const { code, output } = await runEval(folder, endpoint.url, `${options} --json '${json}'`);
      const written = await readFile(json, 'utf8');
      const results = JSON.parse(written) as { name: string; models: { passed: number }[] }[];
      const passed = Object.fromEntries(
        results.map(({ name, models }) => [name, models.map((model) => model.passed)]),
      );
      return { code, output, written, passed };
    };
    const refused = await run('');
    expect(refused.output).toContain('Refused, since no user can be asked: guard (guard.py)');
    // The tool that needs an approval does not run, and the extension is not active.
    expect(refused.passed, refused.output).toEqual({ Sums: [0], Doubles: [1] });
    expect(refused.code, refused.output).toBe(1);
    const allow = `--allow-approvals --allow-extensions --allow-origin ${endpoint.url}`;
    const allowed = await run(allow);
    expect(allowed.output).not.toContain('guard (guard.py)');
    expect(allowed.output).toContain('A request of work:add to https://elsewhere.invalid.');
    expect(allowed.output).not.toContain(`A request of work:add to ${endpoint.url}.`);
    expect(allowed.passed, allowed.output).toEqual({ Sums: [1], Doubles: [0] });
    expect(allowed.output).toContain('Below the threshold');
    expect(allowed.code, allowed.output).toBe(1);
    // The endpoint refuses a request without a key: it was reached.
    expect(allowed.written).toContain("It is 3 ['refused', 401]");
  });
});

test('no page but one that a program drives gets this door', async ({ page }) => {
  await page.goto('./#clocheDriver');
  await expect(page.getByRole('heading').first()).toBeVisible();
  const names = await page.evaluate(() =>
    Object.keys(window).filter((name) => name.startsWith('cloche')),
  );
  expect(names).toEqual(['cloche']);
  // A page can define the function only after the first script, which is too late.
  await page.evaluate(() => {
    Object.assign(window, { clocheDriver: () => Object.assign(window, { clocheHeadless: 1 }) });
  });
  await page.reload();
  await expect(page.getByRole('heading').first()).toBeVisible();
  expect(await page.evaluate(() => 'clocheHeadless' in window)).toBe(false);
});
