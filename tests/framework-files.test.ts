/** Files written for other frameworks, dropped on the app: they give the frameworks' tools, and calls give their results. */
import { invoke, listing, openFolder, scanned } from './support/app.ts';
import { expectedTools, foreignFiles, toolId, valueOf } from './support/framework-files.ts';
import { begin, ready } from './support/opening.ts';
import { allowing } from './support/questions.ts';
import { runTests } from './support/saved-tests.ts';
import { expect, test } from './support/test.ts';

test('33 files of 20 frameworks give 48 tools, and 45 calls give their results', async ({
  page,
  folder,
}) => {
  test.slow();
  const { path } = await folder(await foreignFiles());
  await page.goto('/');
  await openFolder(page, path);
  await scanned(page);
  const expected = await expectedTools();
  const { problems } = await listing(page);
  const found = await page.evaluate(async () => {
    const { tools } = (await (await fetch('api/tools')).json()) as {
      tools: { name: string; parameters: { properties?: Record<string, unknown> } }[];
    };
    return tools.map(({ name, parameters }) => [
      name,
      Object.keys(parameters.properties ?? {}).sort(),
    ]);
  });
  const wanted = Object.entries(expected).flatMap(([file, { tools: own }]) =>
    own.map(({ name, parameters }) => [toolId(file, name), Object.keys(parameters).sort()]),
  );
  expect(found.sort()).toEqual(wanted.sort());
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  for (const [file, { calls }] of Object.entries(expected)) {
    for (const call of calls) {
      // A tool requires approval if its framework asks for confirmation.
      const result = await allowing(page, invoke(page, toolId(file, call.tool), call.arguments));
      // Text that is valid JSON counts as its value, because the frameworks' own results do not distinguish the two.
      const value = typeof call.result === 'string' ? valueOf(call.result) : call.result;
      expect([call.tool, valueOf(result.textResultForLlm)]).toEqual([call.tool, value]);
    }
  }
  await page.goto(`${page.url().split('#')[0] ?? ''}#/tools/lc_tool:word_count`);
  await page.getByRole('link', { name: 'Details' }).click();
  await expect(page.getByText('LangChain, stand-in')).toBeVisible();
});

test(
  'the examples on the start page open, and their tests pass',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('./');
    await begin(page, 'Open eight examples of other frameworks');
    await ready(page, 'foreign');
    const { passed, failed, notRun } = await runTests(page);
    expect({ passed, failed, notRun }).toEqual({ passed: 15, failed: 0, notRun: 0 });
    expect((await listing(page)).problems.filter(({ severity }) => severity === 'error')).toEqual(
      [],
    );
  },
);
