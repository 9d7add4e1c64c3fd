/** Saved tests in the app, over the API, and under ordinary Python. */

import type { Page } from '@playwright/test';
import { openFolder } from './support/app.ts';
import { answer, question } from './support/questions.ts';
import { hello } from './support/hello.ts';
import { button, python, ready } from './support/opening.ts';
import {
  runTests,
  samplesWithTests,
  underPython,
  writablePicks,
  writeFile,
} from './support/saved-tests.ts';
import { expect, test } from './support/test.ts';

const sums = `
def add(a: int, b: int = 1) -> dict:
    """Adds."""
    return {"n": a + b, "parts": [a, b]}

def fail(kind: str) -> None:
    """Fails."""
    raise {"value": ValueError, "key": KeyError}[kind]("no")

def say(word: str) -> str:
    """Says a word."""
    return word

def _spec(handler, properties, required=()):
    return {"name": f"sums:{handler.__name__}", "description": handler.__doc__, "handler": handler,
            "parameters": {"type": "object", "properties": properties, "required": list(required)}}

_NUMBER = {"type": "integer", "minimum": 0, "description": "A number"}
_WORD = {"type": "string", "description": "A word"}
TOOL_SPECS = [
    _spec(add, {"a": _NUMBER, "b": _NUMBER}, ["a"]),
    _spec(fail, {"kind": _WORD}, ["kind"]),
    _spec(say, {"word": _WORD}, ["word"]),
]
`;

const big = '10000000000000000000000000000000000000000';
const add = '"tool": "sums:add", "arguments": {"a": 2}';
/** Saved tests, each with whether it passes. */
const cases: readonly (readonly [test: string, passes: boolean])[] = [
  [`{"name": "succeeds", ${add}}`, true],
  [`{"name": "equals", ${add}, "expect": {"equals": {"parts": [2, 1], "n": 3.0}}}`, true],
  [`{"name": "equals less", ${add}, "expect": {"equals": {"n": 3}}}`, false],
  [
    `{"name": "exact", "tool": "sums:add", "arguments": {"a": ${big}, "b": 0}, "expect": {"includes": {"n": ${big}}}}`,
    true,
  ],
  [
    `{"name": "off by one", "tool": "sums:add", "arguments": {"a": ${big}, "b": 1}, "expect": {"includes": {"n": ${big}}}}`,
    false,
  ],
  [`{"name": "includes", ${add}, "expect": {"includes": {"parts": [1]}}}`, true],
  [`{"name": "wrong order", ${add}, "expect": {"includes": {"parts": [1, 2]}}}`, false],
  [
    `{"name": "schema", ${add}, "expect": {"schema": {"required": ["n"], "properties": {"n": {"maximum": 3}}}}}`,
    true,
  ],
  [
    `{"name": "not the schema", ${add}, "expect": {"schema": {"properties": {"n": {"type": "string"}}}}}`,
    false,
  ],
  [
    `{"name": "expression", ${add}, "expect": {"expression": "result['n'] == 3 and len(text) > 5"}}`,
    true,
  ],
  [`{"name": "false expression", ${add}, "expect": {"expression": "result['n'] > 3"}}`, false],
  [`{"name": "raising expression", ${add}, "expect": {"expression": "result['m']"}}`, false],
  [
    '{"name": "error", "tool": "sums:fail", "arguments": {"kind": "value"}, "expect": {"error": "ValueError"}}',
    true,
  ],
  [
    '{"name": "other error", "tool": "sums:fail", "arguments": {"kind": "key"}, "expect": {"error": "ValueError"}}',
    false,
  ],
  [
    '{"name": "no error", "tool": "sums:say", "arguments": {"word": "hi"}, "expect": {"error": "ValueError"}}',
    false,
  ],
  [
    '{"name": "schema of arguments", "tool": "sums:add", "arguments": {"a": -1}, "expect": {"error": "ValidationError"}}',
    true,
  ],
  [
    '{"name": "signature", "tool": "sums:add", "arguments": {"c": 1}, "expect": {"error": "TypeError"}}',
    true,
  ],
  [
    '{"name": "text", "tool": "sums:say", "arguments": {"word": "a word"}, "expect": {"includes": "word", "equals": "a word"}}',
    true,
  ],
  [
    '{"name": "spelt value", "tool": "sums:say", "arguments": {"word": "[1, 2]"}, "expect": {"equals": [1, 2]}}',
    true,
  ],
  ['{"name": "no such tool", "tool": "sums:none"}', false],
];

test(
  'each kind of expectation judges alike in the app and under ordinary Python',
  { tag: '@full' },
  async ({ page, folder }) => {
    const made = await folder({
      'sums.py': sums,
      'tests/sums.json': `[\n${cases.map(([text]) => text).join(',\n')}\n]`,
      'tests/broken.json': '[\n{"tool": 1}, ',
    });
    await page.goto('./');
    const { problems } = await openFolder(page, made.path);
    expect(problems).toMatchObject([{ code: 'bad-test', file: 'tests/broken.json', line: 2 }]);
    const ran = await runTests(page);
    expect(ran.results.map(({ name, state }) => `${name}: ${state}`)).toEqual(
      cases.map(([text, passes]) => {
        const { name } = JSON.parse(text) as { name: string };
        return `${name}: ${passes ? 'passed' : 'failed'}`;
      }),
    );
    const { output, code } = await underPython(made.path);
    const failed = ran.results.filter(({ state }) => state === 'failed');
    const lines = failed
      .filter(({ name }) => name !== 'no such tool')
      .map(
        ({ file, name, tool, reasons }) =>
          `FAILED ${file}: ${name} (${tool}): ${reasons.join('; ')}`,
      );
    for (const line of lines) expect(output.split('\n')).toContain(line);
    // The broken file counts as well.
    expect(output.split('\n').at(-2)).toBe(`${ran.passed} passed, ${failed.length + 1} failed`);
    expect(code).toBe(1);
  },
);

/** Allows each tool that asks, until the work is done. */
async function allowingAll<T>(page: Page, work: Promise<T>): Promise<T> {
  const done = work.then(
    () => true,
    () => true,
  );
  const asked = (): Promise<boolean> =>
    question(page)
      .waitFor({ timeout: 1_000 })
      .then(
        () => answer(page, /^allow once$/i),
        () => undefined,
      )
      .then(() => false);
  while (!(await Promise.race([done, asked()])));
  return work;
}

test('a run becomes a test, which turns red with a change of the tool and green when it is undone', async ({
  page,
}) => {
  await writablePicks(page, { 'greet.py': hello });
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await button(page, 'Open folder').first().click();
  await ready(page, 'greetings');
  await page.getByRole('link', { name: 'hello', exact: true }).first().click();
  await button(page, 'Run').first().click();
  await expect(page.getByRole('region', { name: 'Result' }).getByText('world')).toBeVisible(python);
  await button(page, 'Save as test').click();
  await page.getByRole('dialog').getByLabel('Name').fill('greets the world');
  await button(page, 'Save test').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('./#/tools/greet:hello/tests');
  const status = page.getByRole('status').filter({ hasText: 'passed' });
  await expect(status).toHaveText('1 passed, 0 failed', python);
  await writeFile(page, 'greet.py', hello.replace('"world"', '"moon"'));
  await expect(status).toHaveText('0 passed, 1 failed', python);
  await expect(page.getByText('result.hello: expected "world", got "moon"')).toBeVisible();
  expect(await runTests(page, { tool: 'greet:hello' })).toMatchObject({
    passed: 0,
    failed: 1,
    results: [{ name: 'greets the world', state: 'failed', file: 'tests/greet.json' }],
  });
  await writeFile(page, 'greet.py', hello);
  await expect(status).toHaveText('1 passed, 0 failed', python);
  const listed = await page.evaluate(
    async () => (await fetch('api/tests')).json() as Promise<unknown>,
  );
  expect(listed).toMatchObject({ tests: [{ name: 'greets the world', state: 'passed' }] });
});

const full = { tag: '@full' };
test(
  'every sample test passes in the app and under ordinary Python',
  full,
  async ({ page, folder }) => {
    test.setTimeout(300_000);
    const made = await folder(await samplesWithTests(), 'samples');
    await page.goto('./');
    await openFolder(page, made.path);
    const ran = await allowingAll(page, runTests(page));
    expect(ran.results.filter(({ state }) => state !== 'passed')).toEqual([]);
    expect(ran.passed).toBeGreaterThan(100);
    expect(await underPython(made.path)).toEqual({
      output: `${ran.passed} passed, 0 failed\n`,
      code: 0,
    });
  },
);
