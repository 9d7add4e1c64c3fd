/** What a user finds, sees and copies on the page, by keyboard and by pointer. */

import { expect, test } from './support/shared-page.ts';
import { jsonArguments } from '../support/json-arguments.ts';

/** Shown as source; what it does is in tools/tables.ts. */
const tables = `
def rows(n: int = 3, note: str = "none", fine: bool = True) -> dict:
    """Rows of a table."""

def nested() -> dict:
    return {"10": [1, 2.0, {"deep": None}], "2": "text"}

def slow() -> str:
    return "done"

def wide(a_name_that_is_longer_than_most_names_of_arguments_are: str) -> dict:
    return {"done": True, "and a line that is longer than a phone is wide": "%s" % ("x" * 300)}
`;

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'tables.py': tables }, 'faces');
  await shared.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
});

test('everything is found from the keyboard', async ({ page }) => {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Commands, tools and files' });
  await expect(field).toBeFocused();
  await field.fill('nest');
  await expect(page.getByRole('option').first()).toHaveText(/tables:nested/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'tables:nested' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await field.fill('rows tables');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('option').first()).toHaveText(/tables:rows/);
  await field.fill('show python');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Python', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Close drawer' }).click();

  await page.keyboard.press('Control+k');
  await field.fill('theme: dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');

  await page.getByRole('heading', { level: 1 }).first().click();
  await page.keyboard.press('?');
  const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(map.getByRole('heading', { name: 'Everywhere' })).toBeInViewport({ ratio: 1 });
  await expect(map).toContainText('Commands, tools and files');
  await expect(map).toContainText('Close drawer');
  // Even if no tool is open.
  await expect(map.getByText(/^run the tool/)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the main pages are in the header, those of the folder in its menu, and all of them in the palette', async ({
  page,
}) => {
  const main = page.getByRole('navigation', { name: 'Main' });
  for (const [name, heading] of [
    ['Sessions', 'Sessions'],
    ['Plans', 'Plans'],
    ['Evaluations', 'Evaluations'],
    ['API', 'API'],
  ] as const) {
    await main.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
    await expect(main.locator('[aria-current]')).toHaveText(name);
  }
  const folder = page.getByRole('button', { name: 'Folder faces' });
  for (const [name, heading] of [
    ['Extensions', 'Extensions'],
    ['Workspace', 'Workspace'],
    ['Policy', 'Policy'],
    ['Packages', 'Packages'],
  ] as const) {
    await folder.click();
    await page
      .getByRole('navigation', { name: 'This folder' })
      .getByRole('link', { name, exact: true })
      .click();
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
  }

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(main).toBeHidden();
  const pages = page.getByRole('button', { name: 'Pages', exact: true });
  await pages.focus();
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tools' }),
  ).toBeFocused();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Evaluations', level: 1 })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });

  const field = page.getByRole('combobox', { name: 'Commands, tools and files' });
  for (const [query, words] of [
    ['grant', 'Policy'],
    ['docs', 'Help'],
    ['chat', 'Sessions'],
    ['evals', 'Evaluations'],
    ['pip', 'Packages'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await field.fill(query);
    await expect(page.getByRole('option').first()).toContainText(words);
    await field.fill('');
    await expect(page.getByRole('listbox')).toContainText('Go to');
    await page.keyboard.press('Escape');
    // The field is hidden before the page knows that the dialog has closed.
    await expect(page.locator('dialog')).toHaveCount(0);
  }
});

test('the rows of a list begin where its lines do', async ({ page }) => {
  for (const [place, row] of [
    ['settings', 'Limits'],
    ['policy', 'Requests'],
  ] as const) {
    await page.goto(`./#/${place}`);
    const list = page.getByRole('list', { name: 'Sections' });
    const lefts = await Promise.all(
      [list, list.getByText(row, { exact: true })].map((each) =>
        each.evaluate((element) => element.getBoundingClientRect().left),
      ),
    );
    expect(new Set(lefts).size, `${place}: ${lefts.join(', ')}`).toBe(1);
  }
});

test('a section of the settings is opened from the list and the palette, and the focus comes back', async ({
  page,
}) => {
  await page.goto('./#/settings');
  const limits = page.getByRole('link', { name: /^Limits/ });
  await limits.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Limits' })).toBeFocused();
  await page.goBack();
  await expect(limits).toBeFocused();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Commands, tools and files' }).fill('policy: secrets');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Secrets' })).toBeVisible();
  await page.getByRole('link', { name: 'Policy', exact: true }).first().click();
  await expect(page.getByRole('list', { name: 'Sections' })).toContainText('No origin is allowed');
});

test('a result is text, a tree or a table, and its numbers stay as Python wrote them', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'rows', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('12345678901234567890')).toBeVisible();
  await result.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(result.getByRole('row')).toHaveText([/name\s*size/, /row 0\s*0\.0/, /row 1\s*1\.0/]);
  await result.getByRole('button', { name: 'Tree', exact: true }).click();
  // What is small is unfolded already.
  await result.getByRole('button', { name: '1', exact: true }).click();
  await expect(result.getByText('"row 1"')).toBeVisible();

  // The choice holds for the next result, where it can be shown so.
  await page.getByRole('link', { name: 'nested', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result.getByRole('button', { name: 'Tree', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(result.getByRole('button', { name: 'Table', exact: true })).toHaveCount(0);
  await expect(result.locator('.key')).toHaveText(['10', '0', '1', '2', '2']);
});

test('arguments are helped with where they are written', async ({ page }) => {
  await page.getByRole('link', { name: 'rows', exact: true }).click();
  const field = await jsonArguments(page);
  await page.getByRole('button', { name: '+ note' }).click();
  expect(JSON.parse(await field.inputValue())).toEqual({ n: 2, note: 'none' });
  await field.fill('{"n": 2, "note": "none"}');
  await field.press('End');
  await field.press('ArrowLeft');
  await field.press('ArrowLeft');
  await page.getByRole('list', { name: 'Values for note' }).getByText('"some"').click();
  expect(await field.inputValue()).toBe('{"n": 2, "note": "some"}');
});

test('a value of another type is remarked on before the run, and selected by a press', async ({
  page,
}) => {
  await page.getByRole('link', { name: 'rows', exact: true }).click();
  const field = await jsonArguments(page);
  await field.fill('{"n": "2", "note": "none"}');
  await page.getByRole('button', { name: /^n must be an integer, but is a string/ }).click();
  await expect(field).toBeFocused();
  const selected = await field.evaluate((element: HTMLTextAreaElement) =>
    element.value.slice(element.selectionStart, element.selectionEnd),
  );
  expect(selected).toBe('"2"');
});

test('nothing beside a result moves while a run lasts', async ({ page }) => {
  await page.getByRole('link', { name: 'slow', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(result.getByText('Success')).toBeVisible();
  const seen = await result.evaluate(async (element) => {
    const places = new Set<string>();
    let ran = false;
    const button = (name: string): HTMLButtonElement | undefined =>
      [...document.querySelectorAll('button')].find((each) =>
        each.textContent.trim().startsWith(name),
      );
    const run = button('Run');
    run?.click();
    const end = performance.now() + 1_000;
    while (performance.now() < end) {
      const { top, height } = element.getBoundingClientRect();
      places.add([top, height, run?.getBoundingClientRect().top].join(' '));
      ran ||= button('Stop')?.disabled === false;
      await new Promise(requestAnimationFrame);
    }
    return { places: places.size, ran };
  });
  // The places were compared while the tool ran.
  expect(seen).toEqual({ places: 1, ran: true });
  await expect(result.getByText('Success')).toBeVisible();
});

test('a file in the list leads to its page, and folds beside it', async ({ page }) => {
  const list = page.getByRole('group', { name: 'Tools by file' });
  await list.getByRole('button', { name: 'Tools of tables.py' }).click();
  await expect(list.getByRole('link', { name: 'rows', exact: true })).toHaveCount(0);
  await list.getByRole('link', { name: 'tables.py' }).click();
  await expect(page.getByRole('heading', { name: 'tables.py' })).toBeVisible();
  await list.getByRole('link', { name: 'tables.py' }).press('ArrowRight');
  await list.getByRole('link', { name: 'rows', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'tables:rows' })).toBeVisible();
});

test('a search is emptied by its button and by Escape', async ({ page }) => {
  const search = page.getByRole('searchbox', { name: 'Search tools' });
  const clear = page.getByRole('button', { name: 'Clear search' });
  const list = page.getByRole('group', { name: 'Tools by file' });
  await search.fill('values nested');
  await expect(list.getByRole('link', { name: 'nested', exact: true })).toBeVisible();
  await expect(list.getByRole('link', { name: 'rows', exact: true })).toHaveCount(0);
  // The best tool, not the file above it.
  await search.press('ArrowDown');
  await expect(list.getByRole('link', { name: 'nested', exact: true })).toBeFocused();
  await clear.click();
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('');
  await search.fill('x');
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await expect(clear).toHaveCount(0);
});

test('nothing is cut off, from 320 to 2560 pixels', async ({ page }) => {
  for (const width of [320, 390, 768, 1280, 2560]) {
    await page.setViewportSize({ width, height: 700 });
    for (const [place, heading] of [
      // On a phone it is the list of tools.
      ['#/', /^(faces|Tools)$/],
      ['#/tools/tables:wide', /^tables:wide$/],
      ['#/files/tables.py', /^tables.py$/],
      ['#/settings', /^Settings$/],
      ['#/settings/limits', /^Limits$/],
    ] as const) {
      await page.goto(`./${place}`);
      await expect(
        page.getByRole('heading', { name: heading }).filter({ visible: true }).first(),
      ).toBeVisible();
      const wide = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth - innerWidth,
        bench: [...document.querySelectorAll('.bench')].map(
          (bench) => bench.scrollWidth - bench.clientWidth,
        ),
      }));
      const what = `${place} at ${String(width)}`;
      expect(wide.page, `${what}: page`).toBeLessThanOrEqual(0);
      expect(wide.bench.length, `${what}: benches`).toBeGreaterThan(0);
      for (const bench of wide.bench) expect(bench, `${what}: bench`).toBeLessThanOrEqual(0);
    }
  }
});

test('on a phone a folder’s name is whole, and no key is named', async ({ page, shared }) => {
  await page.setViewportSize({ width: 390, height: 760 });
  await shared.openFolder({ 'tables.py': tables }, 'weather-tools-of-oslo');
  await page.goto('./#/');
  const name = page.getByRole('button', { name: 'Folder weather-tools-of-oslo' }).locator('.name');
  await expect(name).toBeVisible();
  const cut = await name.evaluate(
    (element) =>
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
  );
  expect(cut).toBe(false);
  for (const hint of await page.getByText('/', { exact: true }).all())
    await expect(hint).toBeHidden();
});

test('on a phone a run brings its result into view', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 560 });
  await page.goto('./#/tools/tables:wide');
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toBeAttached();
  await expect(result).not.toBeInViewport({ ratio: 0.5 });
  await page.getByRole('button', { name: 'Run' }).first().click();
  await expect(result.getByText('Success')).toBeInViewport();
});

test('on a phone Run stays in view below long arguments as JSON', async ({ page }) => {
  // The height that the keyboard of a phone leaves.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto('./#/tools/tables:wide');
  const lines = Array.from({ length: 40 }, (_, i) => `  "a${String(i)}": ${String(i)}`);
  await (await jsonArguments(page)).fill(`{\n${lines.join(',\n')}\n}`);
  await page.getByRole('textbox', { name: 'Arguments' }).press('ControlOrMeta+Home');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await expect(run).toBeInViewport({ ratio: 1 });
  // Nothing lies over it.
  await run.click({ trial: true });
});
