/** Tool files whose faults were reported, opened in the app: all their tools load, and calls give what is expected. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../scripts/dist.mjs';
import { invoke, listing, openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';

const faults = join(projectFolder, 'tests/faults');

async function toolFiles(): Promise<Record<string, string>> {
  const folders = [faults, join(faults, 'schemas')];
  const paths = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  const found = paths
    .flat()
    .filter((path) => path.endsWith('.py') && !path.includes('foreign_zips'));
  const texts = await Promise.all(found.map((path) => readFile(path, 'utf8')));
  return Object.fromEntries(
    found.map((path, at) => [path.split('/').at(-1) ?? '', texts[at] ?? '']),
  );
}

test('all tools of the reported files load, with the causes, output and checks that were missing', async ({
  page,
  folder,
}) => {
  await page.goto('/');
  const files = await toolFiles();
  const { path } = await folder(files);
  await openFolder(page, path);
  const { tools, problems } = await listing(page);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const modules = new Set(tools.map(({ name }) => `${name.split(':')[0] ?? ''}.py`));
  expect([...modules].sort()).toEqual(Object.keys(files).sort());

  const group = await invoke(page, '05-task-group:group');
  expect(group.textResultForLlm).toContain('no such city: Oslo');
  expect(group.textResultForLlm).toMatch(/Raised in 05-task-group\.py, line \d+/);
  const notes = await invoke(page, '05-task-group:notes');
  expect(notes.textResultForLlm).toContain('while reading row 7 of prices.csv');
  const chain = await invoke(page, '05-task-group:chain');
  expect(chain.textResultForLlm).toContain("KeyError: 'api_key'");

  expect((await invoke(page, '14-output:own')).stdout).toBe('to sys.__stdout__\n');
  expect(await invoke(page, '14-output:descriptor')).toMatchObject({
    stdout: 'fd 1\n',
    stderr: 'fd 2\n',
  });
  await invoke(page, '14-output:swap');
  expect((await invoke(page, '14-output:after')).stdout).toBe('visible?\n');

  // The controls: what the schemas allow is accepted.
  const invalid = [
    await invoke(page, '16-references:idref', { v: 'x' }),
    await invoke(page, '16-references:dynamic', { v: { kids: [{ x: 1 }] } }),
  ];
  expect(invalid.map(({ error }) => error?.split(':')[0])).toEqual([
    'ValidationError',
    'ValidationError',
  ]);
  const valid = [
    await invoke(page, '16-references:idref', { v: 1 }),
    await invoke(page, '16-references:dynamic', { v: { kids: [{ kids: [] }] } }),
    await invoke(page, 'mini:enum_d7', { a: 'x' }),
  ];
  expect(valid.map(({ resultType }) => resultType)).toEqual(['success', 'success', 'success']);
});
