/** A folder of 200 files with 1,000 tools; 20 of the files are broken in 20 ways. */

import { manyFiles } from '../bench/folders.mjs';
import { invoke, listing, openFolder } from './support/app.ts';
import { brokenFiles } from './support/broken-files.ts';
import { drop } from '../bench/drop.mjs';
import { expectNoStall } from './support/stalls.ts';
import { expect, test } from './support/test.ts';

test.setTimeout(400_000);

test('20 broken files among 200 are reported', { tag: '@full' }, async ({ page, folder }) => {
  const good = Object.fromEntries(manyFiles(200));
  const broken = Object.fromEntries(
    Object.entries(brokenFiles).map(([module, { source }]) => [`${module}.py`, source]),
  );
  const { path } = await folder({ ...good, ...broken }, 'many-tools');
  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const phase = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().phase);
  await expectNoStall(page, async () => {
    await drop(page, path);
    // Progress is shown while the scan runs.
    await expect(page.getByText(/of 220/).first()).toBeVisible({ timeout: 240_000 });
    await expect.poll(phase, { timeout: 180_000, intervals: [500] }).toBe('ready');
  });

  const { tools, problems } = await listing(page);
  expect(tools).toHaveLength(1000);
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ file }) => file).sort()).toEqual(Object.keys(broken).sort());
  for (const [module, { what, line, says }] of Object.entries(brokenFiles)) {
    const problem = errors.find(({ file }) => file === `${module}.py`);
    expect.soft(problem?.message, what).toMatch(says);
    expect.soft(problem?.line, what).toBe(line);
    expect.soft(problem?.hint, what).toMatch(/\w+/);
  }
  for (const name of ['tools_000:compute_0', 'tools_099:compute_4', 'tools_199:compute_2']) {
    const result = await invoke(page, name, { value: 9 });
    expect(result.resultType, result.textResultForLlm).toBe('success');
  }
});

test('a folder past the limits', { tag: '@full' }, async ({ page, folder }) => {
  const [[name, text]] = manyFiles(1, 1) as [[string, string]];
  const { path } = await folder({
    [name]: text,
    'big.bin': new Uint8Array(51 * 1024 * 1024),
    'node_modules/x/index.py': 'raise SystemExit',
    '__pycache__/y.py': 'raise SystemExit',
    'CON.py': 'TOOL_SPECS = []\n',
    '🐍.py': 'TOOL_SPECS = []\n',
    'json.py': 'TOOL_SPECS = []\n',
  });
  await page.goto('./');
  const { tools, problems } = await openFolder(page, path);
  expect(tools.map((tool) => tool.name)).toEqual(['tools_000:compute_0']);
  expect(problems.find(({ file }) => file === 'big.bin')?.message).toMatch(/50 MB/);
  expect(problems.find(({ file }) => file === 'json.py')?.severity).toBe('warning');
  expect(problems.filter(({ file }) => /node_modules|pycache/.test(file))).toEqual([]);
});
