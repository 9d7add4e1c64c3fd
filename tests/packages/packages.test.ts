/** Packages that tool files declare: from wheels/, from an index, stored for offline use; each failure affects only its file. */

import type { Page } from '@playwright/test';
import { hasCompiledPackages } from '../../bench/stored-snapshot.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { invoke, listing, openFolder, scanned } from '../support/app.ts';
import { makeFolder } from '../support/make-folder.ts';
import { loggedPrograms } from '../support/programs.ts';
import { startPackageIndex, type PackageIndex } from '../support/package-index.ts';
import { pressUntil } from '../support/press-until.ts';
import { answer, nothingAsked, question } from '../support/questions.ts';
import { Site } from '../support/site.ts';
import { snapshotBytes } from '../support/snapshots.ts';
import { expect, test } from '../support/test.ts';
import type { Trouble } from '../support/trouble.ts';
import { compiledWheel } from '../support/compiled-wheel.ts';
import { button, openZip } from '../support/opening.ts';
import { debianWheels } from '../support/wheels.ts';
import { plain, requestsVersion, toolFile, withRequests } from './sources.ts';

const ready = { timeout: 120_000 };

let wheels: ReadonlyMap<string, Uint8Array>;
let index: PackageIndex;

test.beforeAll(async () => {
  wheels = await debianWheels();
});
test.beforeEach(async ({ trouble }) => {
  index = await startPackageIndex(
    new Map([...wheels, compiledWheel('python-slugify', 'slugify', 42)]),
  );
  trouble.allowOrigin(new URL(index.url).origin);
  expectFetches(trouble);
});
test.afterEach(() => index.close());

/** The distribution is out of reach here, and the index answers for it. */
function expectFetches(trouble: Trouble): void {
  trouble.expect(/foreign request: \S+ https:\/\/(cdn\.jsdelivr\.net|pypi\.org)\//);
  trouble.expect(/net::ERR|Failed to load resource/);
}

async function useIndex(page: Page): Promise<void> {
  await page.goto(`${page.url().split('#')[0] ?? ''}#/policy/packages`);
  await page.getByText('Package index: ').click();
  const field = page.getByLabel('Package index');
  await field.fill(index.url);
  await pressUntil(
    page.getByRole('button', { name: 'Use this index' }),
    page.getByRole('button', { name: 'Use PyPI' }),
  );
}

async function problemsOf(page: Page): Promise<[string, string][]> {
  return (await listing(page)).problems.map(({ file, code }) => [file, code]);
}

async function version(page: Page): Promise<string> {
  return (await invoke(page, 'fetcher:version')).textResultForLlm;
}

const [besideName, beside] = compiledWheel('beside-native', 'beside_native', 7);
/** A tool file, and the wheel beside the tools that it needs. */
const withWheelBeside = {
  'beside.py': toolFile('beside', ['beside-native'], 'import beside_native', {
    size: 'beside_native.SIZE',
  }),
  [`wheels/${besideName}`]: beside,
};

/** A folder with a file that needs `requests`, opened, with packages allowed from the local index. */
async function openedWithRequests(page: Page, path: string): Promise<void> {
  await openFolder(page, path);
  await answer(page, /not now/i);
  await useIndex(page);
  await answer(page, /always allow/i);
  await expect.poll(() => problemsOf(page), ready).toEqual([]);
}

/** Runs a program in the console. @returns what a model would see of it */
async function runProgram(page: Page, code: string): Promise<string> {
  const ran = async (): Promise<number> => (await loggedPrograms(page, 100)).length;
  const before = await ran();
  await page.evaluate(() => (location.hash = '#/?panel=console'));
  await page.getByRole('textbox', { name: 'Program' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(code);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect.poll(ran, ready).toBe(before + 1);
  return (await loggedPrograms(page, 1))[0]?.text ?? '';
}

test('a file is loaded with its packages when the user allows them, fails alone before, and works offline afterwards', async ({
  page,
  context,
  folder,
}) => {
  const { path } = await folder({
    'fetcher.py': withRequests,
    'plain.py': plain,
    ...withWheelBeside,
  });
  await page.goto('./');
  await openFolder(page, path);
  await expect(question(page)).toContainText('requests>=2.28');
  await expect(question(page)).toContainText('fetcher.py');
  await expect(question(page)).toContainText('pypi.org');
  await answer(page, /not now/i);
  expect(await problemsOf(page)).toEqual([['fetcher.py', 'package-not-allowed']]);
  expect((await invoke(page, 'plain:two')).textResultForLlm).toBe('2');
  // A wheel beside the tools needs neither permission nor network.
  expect((await invoke(page, 'beside:size')).textResultForLlm).toBe('7');
  const importing = 'import requests\nrequests.__version__';
  const refused = await runProgram(page, importing);
  expect(refused).toContain("ModuleNotFoundError: No module named 'requests'");
  expect(refused).toMatch(/requests>=2\.28.* is not in the folder wheels\/.* is not allowed/);
  expect(refused).toContain('allow packages on the Policy page');
  // A program can catch the error, and nothing is asked or fetched.
  const caught = 'try:\n    import requests\nexcept ImportError:\n    pass\nawait plain.two()';
  expect(await runProgram(page, caught)).toBe('2');
  await nothingAsked(page);
  expect(index.requests).toEqual([]);
  await useIndex(page);
  await expect(question(page)).toContainText(new URL(index.url).host);
  await answer(page, /visit/i);
  await expect.poll(() => problemsOf(page), ready).toEqual([]);
  expect(await version(page)).toBe(requestsVersion);
  const table = page.getByRole('table', { name: /packages in this folder/i });
  for (const name of ['requests', 'urllib3', 'idna', 'certifi', 'charset-normalizer'])
    await expect(table.getByRole('cell', { name, exact: true })).toBeVisible();
  // Control: the same program runs once the user has allowed packages.
  expect(await runProgram(page, importing)).toBe(requestsVersion);
  await nothingAsked(page);
  // Packages that are stored need neither, although the answer held for this visit only.
  await index.close();
  await context.setOffline(true);
  await page.reload();
  await scanned(page);
  expect(await problemsOf(page)).toEqual([]);
  expect(await version(page)).toBe(requestsVersion);
  await nothingAsked(page);
});

test(
  'packages work offline, pure and compiled, also after Python was restored',
  {
    tag: ['@cold', '@full'],
  },
  async ({ page, context, folder, trouble }) => {
    // A first visit that stores everything, and two more.
    test.slow();
    trouble.expect(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
    const site = await Site.make('/tools/');
    await site.deploy(distFolder);
    const url = await site.start();
    trouble.allowOrigin(new URL(url).origin);
    const { path } = await folder({
      'fetcher.py': withRequests,
      'plain.py': plain,
      'native.py': toolFile('native', ['python-slugify'], 'import slugify', {
        size: 'slugify.SIZE',
      }),
      ...withWheelBeside,
    });
    const result = async (tool: string): Promise<string> =>
      (await invoke(page, tool)).textResultForLlm;
    await page.goto(url);
    await openedWithRequests(page, path);
    expect(await result('fetcher:compiled')).toBe('false');
    await expect.poll(() => page.evaluate(hasCompiledPackages), ready).toBe(true);
    expect(await snapshotBytes(page)).toBeGreaterThan(0);
    const offline = page
      .getByRole('contentinfo')
      .getByRole('link')
      .filter({ hasText: 'Offline ready' });
    await expect(offline).toBeVisible(ready);
    await site.stop();
    await index.close();
    await context.setOffline(true);
    await page.reload();
    // The service worker answers with the stored listing until the page accepts requests, so the page itself says that it is ready.
    await scanned(page);
    expect(await problemsOf(page)).toEqual([]);
    expect(await version(page)).toBe(requestsVersion);
    expect(await result('fetcher:compiled')).toBe('true');
    expect([await result('native:size'), await result('beside:size')]).toEqual(['42', '7']);
    await page.goto(`${url}#/settings/storage`);
    await page.getByRole('button', { name: 'Remove packages' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove packages' }).click();
    await expect(page.getByRole('button', { name: 'Remove packages' })).toHaveCount(0);
    await page.reload();
    await expect
      .poll(() => problemsOf(page), ready)
      .toEqual([
        ['fetcher.py', 'package-unreachable'],
        ['native.py', 'package-unreachable'],
      ]);
    expect(await page.evaluate(hasCompiledPackages)).toBe(false);
    expect(await result('beside:size')).toBe('7');
    const [problem] = (await listing(page)).problems;
    expect(problem?.message).toContain('requests');
    expect(problem?.hint).toMatch(/go online/i);
    expect((await invoke(page, 'plain:two')).textResultForLlm).toBe('2');
    await context.setOffline(false);
    await site.dispose();
  },
);

test(
  'wheels beside the tools need no permission and no network, also when a change declares them',
  { tag: '@full' },
  async ({ page, folder }) => {
    const beside = Object.fromEntries(
      [...wheels].map(([name, bytes]) => [`wheels/${name}`, bytes]),
    );
    const made = await folder({ 'plain.py': plain, ...beside });
    await page.goto('./');
    await openFolder(page, made.path);
    await made.write({ 'requirements.txt': 'idna  # of requests\n', 'names.py': named });
    const call = async (): Promise<string> => (await invoke(page, 'names:encode')).textResultForLlm;
    await expect.poll(call, ready).toBe('xn--4ca');
    await made.write({ 'fetcher.py': withRequests });
    await expect.poll(() => version(page), ready).toBe(requestsVersion);
    // The same when the folder is opened.
    await page.reload();
    await scanned(page);
    expect(await problemsOf(page)).toEqual([]);
    expect(await version(page)).toBe(requestsVersion);
    await nothingAsked(page);
  },
);

test(
  'a file of a framework gets its compiled package with one button, and its tool runs',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('./');
    await openZip(page, 'sizes.zip', [{ name: 'sizes/sizes.py', content: needsCompiled }]);
    await expect.poll(() => problemsOf(page), ready).toEqual([['sizes.py', 'needs-package']]);
    const before = await invoke(page, 'sizes:size', { count: 2 });
    expect([before.resultType, before.error]).toEqual([
      'failure',
      expect.stringContaining('needs the package python-slugify (slugify)'),
    ]);
    await page.goto('./#/?panel=problems');
    await button(page, 'Add the package “python-slugify”').first().click();
    await expect(question(page)).toContainText('python-slugify', ready);
    await answer(page, /not now/i);
    expect(index.requests).toEqual([]);
    await useIndex(page);
    await answer(page, /visit/i);
    await expect.poll(() => problemsOf(page), ready).toEqual([]);
    expect(await invoke(page, 'sizes:size', { count: 2 })).toMatchObject({
      textResultForLlm: '84',
    });
    expect(index.requests.some((path) => path.endsWith('_wasm32.whl'))).toBe(true);
  },
);

test('a wheel with another hash is refused', { tag: '@full' }, async ({ page, folder }) => {
  const { path } = await folder({ 'fetcher.py': withRequests, 'plain.py': plain });
  const [name = ''] = [...wheels.keys()].filter((file) => file.startsWith('urllib3'));
  index.habits.corrupted.add(name);
  await page.goto('./');
  await openFolder(page, path);
  await answer(page, /not now/i);
  await useIndex(page);
  await answer(page, /visit/i);
  await expect.poll(() => problemsOf(page), ready).toEqual([['fetcher.py', 'package-integrity']]);
  expect((await invoke(page, 'plain:two')).textResultForLlm).toBe('2');
});

test('an unmet declaration fails its file alone', { tag: '@full' }, async ({ page }) => {
  const made = await makeFolder({
    files: {
      'a_fetcher.py': withRequests.replaceAll('fetcher:', 'a_fetcher:'),
      'b_other.py': toolFile('b_other', ['requests==2.27'], 'import requests', { one: '1' }),
      'c_unknown.py': toolFile('c_unknown', ['no-such-project'], '', { one: '1' }),
      'd_broken.py': '# /// script\n# dependencies = [\n# ///\nTOOL_SPECS = []\n',
      'e_bad.py': toolFile('e_bad', ['not a requirement'], '', { one: '1' }),
      'f_python.py': toolFile('f_python', [], '', { one: '1' }).replace('>=3.11', '<3'),
      'plain.py': plain,
    },
  });
  await page.goto('./');
  await openFolder(page, made.path);
  await answer(page, /not now/i);
  await useIndex(page);
  await answer(page, /visit/i);
  const expected = [
    ['b_other.py', 'package-not-found'],
    ['c_unknown.py', 'package-not-found'],
    ['d_broken.py', 'bad-metadata-block'],
    ['e_bad.py', 'bad-requirement'],
    ['f_python.py', 'python-version'],
  ];
  await expect.poll(async () => (await problemsOf(page)).sort(), ready).toEqual(expected);
  expect((await invoke(page, 'a_fetcher:version')).textResultForLlm).toBe(requestsVersion);
  expect((await invoke(page, 'plain:two')).textResultForLlm).toBe('2');
  await made.dispose();
});

const needsCompiled = `import slugify
from smolagents import tool


@tool
def size(count: int) -> int:
    """Sizes of texts.

    Args:
        count: How many.
    """
    return slugify.SIZE * count
`;

const named = [
  'import idna',
  '',
  'def encode():',
  '    return idna.encode("ä").decode()',
  '',
  'TOOL_SPECS = [{"name": "names:encode", "description": "Encodes.", "handler": encode,',
  '    "parameters": {"type": "object", "properties": {}}}]',
  '',
].join('\n');
