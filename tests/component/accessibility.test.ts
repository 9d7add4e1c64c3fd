/** No screen breaks a WCAG 2.2 AA rule that can be checked automatically, in either theme. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { plain, withRequests } from '../packages/sources.ts';
import { violations } from '../support/axe.ts';
import { question } from '../support/questions.ts';
import { invoke } from './support/app.ts';
import { columns, look, titleOf } from './support/columns.ts';
import { expect, test } from './support/shared-page.ts';
import { pressUntil } from '../support/press-until.ts';
import { jsonArguments } from '../support/json-arguments.ts';

/** @param shown begins what is visible there alone */
const at = (hash: string, shown: string | RegExp) => async (page: Page) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
};
const press = (key: string, shown: string) => async (page: Page) => {
  await at('/', /^tools$/i)(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press(key);
  await expect(page.getByRole('dialog', { name: shown })).toBeVisible();
};

/** Opens a dialog by a command of the palette. */
const dialog = (command: string, title: string | RegExp) => async (page: Page) => {
  await at('/', /^tools$/i)(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Commands, tools and files' });
  await field.fill(command);
  await expect(page.getByRole('dialog').getByRole('option').first()).toContainText(command);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: title })).toBeVisible();
};

const run = (tool: string, args: string, shown: string) => async (page: Page) => {
  await at(`/tools/${tool}`, tool)(page);
  await (await jsonArguments(page)).fill(args);
  await page.getByRole('button', { name: 'Run', exact: true }).first().click();
  await expect(question(page)).toContainText(shown);
};

/** How each screen is reached; Escape closes what lies over another. */
const screens: Record<string, (page: Page) => Promise<void>> = {
  'the overview': at('/', /^tools$/i),
  'a tool': at('/tools/text_tools:slugify', 'A text as a slug for addresses.'),
  'a result': async (page) => {
    await at('/tools/text_tools:slugify', 'A text as a slug for addresses.')(page);
    const run = page.getByRole('button', { name: 'Run', exact: true }).first();
    await run.click();
    const ask = page.getByRole('button', { name: 'Use empty text' });
    const shown = page.getByText('Empty text.').first();
    await expect(ask.or(shown).first()).toBeVisible();
    // The arguments of an earlier column are kept.
    if (await ask.isVisible()) {
      expect.soft(await violations(page), 'a required argument').toEqual([]);
      await ask.click();
      // The Run button moves up twice: after this click, and when the errors of the arguments disappear.
      await expect(page.getByText('is required')).toHaveCount(0);
      await run.click();
    }
    await expect(shown).toBeVisible();
  },
  'the source of a tool': at('/tools/text_tools:slugify', 'unicodedata.normalize'),
  'the runs of a tool': at('/tools/text_tools:slugify/runs', /^you · /),
  'a tool that is not there': at('/tools/text_tools:gone', /text_tools:gone/),
  'a file with a problem': at('/files/broken.py', 'SyntaxError: invalid syntax'),
  'problems in the drawer': at('/?panel=problems', 'SyntaxError: invalid syntax'),
  'runs in the drawer': at('/?panel=runs', 'text_tools:slugify'),
  'the settings': at('/settings', 'Time limits, sizes'),
  'the sessions': at('/sessions', 'New session'),
  'a new session without a model': at('/sessions/new', 'Choose a model to start'),
  'the plans, none yet': at('/plans', 'No runs yet'),
  'a new plan': at('/plans/new', 'Let a model write the tasks'),
  'the evaluations, none yet': at('/evals', 'This folder has no evaluations yet'),
  'the servers, none yet': at('/servers', 'No servers yet'),
  'the extensions, none yet': at('/extensions', /has no extensions yet/),
  'the runs of the folder': at('/?panel=runs', 'Save as JSON lines'),
  'Python in the drawer': at('/?panel=python', 'Interpreter'),
  'the console': async (page) => {
    await at('/?panel=console', 'Keep variables')(page);
    const drawer = page.getByRole('region', { name: 'Drawer' });
    const program = drawer.getByRole('textbox', { name: 'Program' });
    await program.click();
    await page.keyboard.press('ControlOrMeta+a');
    // The test page's programs are lists of calls; the editor closes brackets itself.
    await page.keyboard.insertText('[["text_tools:slugify", {"text": "a"}], ["net:gone", {}]]');
    await page.keyboard.press('ControlOrMeta+Enter');
    const ran = drawer.getByRole('region', { name: 'Program' }).first();
    await expect(ran.getByRole('heading', { name: 'Result' })).toBeVisible();
    expect.soft(await violations(page), 'a program that ran').toEqual([]);
    await drawer.getByRole('button', { name: 'Save as a tool' }).click();
    await expect(page.getByRole('textbox', { name: 'Name of the tool' })).toBeVisible();
  },
  'the help': at('/help', 'A tour of Cloche'),
  'the limits': at('/settings/limits', 'Call without output'),
  'the policy': async (page) => {
    await at('/policy', 'Policy')(page);
    await expect(page.getByRole('heading', { name: 'Policy' })).toBeVisible();
  },
  'faults of what is typed into the policy': async (page) => {
    await at('/policy/secrets', 'Secrets')(page);
    await pressUntil(
      page.getByRole('button', { name: 'Save', exact: true }),
      page.getByText('Enter an origin'),
    );
  },
  'the policy, with a grant and a secret': async (page) => {
    await at('/policy/network', 'Allow an origin')(page);
    await page.getByLabel('Allow an origin').fill('api.example.com');
    await pressUntil(
      page.getByRole('button', { name: 'Allow', exact: true }),
      page.getByRole('button', { name: /^Revoke/ }),
    );
    expect.soft(await violations(page), 'the network').toEqual([]);
    await at('/policy/secrets', 'Secrets')(page);
    await page.getByLabel('Origin', { exact: true }).fill('api.example.com');
    await page.getByLabel('Value', { exact: true }).fill('Bearer x');
    await pressUntil(
      page.getByRole('button', { name: 'Save', exact: true }),
      page.getByRole('button', { name: /^Remove/ }),
    );
  },
  'what revoking loses': async (page) => {
    await at('/policy/network', 'Allow an origin')(page);
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'a question of the network': run(
    'net:fetch',
    '{"url": "http://xn--pi-6kc.example.com/"}',
    'wants to reach',
  ),
  'a refused request': async (page) => {
    await at('/policy/requests', 'Requests')(page);
    await expect(page.getByRole('cell', { name: /not allowed/ }).first()).toBeVisible();
  },
  'an approval': run('ask:plain', '{}', 'The tool says'),
  'a call that requires approval': async (page) => {
    void invoke(page, 'ask:strict', { value: 1 });
    await expect(question(page)).toContainText('This tool requires approval');
  },
  'the API': at('/api', 'OpenAPI document'),
  'the workspace, none yet': at('/workspace', /has no workspace/),
  'a new file': dialog('New file', 'New file'),
  'a new folder': dialog('New folder', 'New folder'),
  'an address to open': dialog('Open address', 'Open address'),
  'an import': dialog('Import OpenAPI or MCP tools', /Import/),
  'sharing the folder': dialog('Share: Link', /^Share /),
  'an address that is none': at('/no/such/place', '/no/such/place'),
  'the palette': press('Control+k', 'Commands and tools'),
  'the keyboard map': press('?', 'Keyboard shortcuts'),
  'the folder menu': async (page) => {
    await at('/', /^tools$/i)(page);
    await page.getByRole('button', { name: /^Folder / }).click();
    await expect(page.getByRole('button', { name: /^Remove / }).first()).toBeVisible();
  },
};

/** What is shown in each column: each kind of part that other colours or widths change. */
const journey = [
  'a result',
  'a file with a problem',
  'the policy, with a grant and a secret',
  'an approval',
  'the palette',
  'the folder menu',
];

test.beforeAll(async ({ shared }) => {
  const files: Record<string, string> = { 'broken.py': 'def broken(:\n' };
  for (const [name, folder] of [
    ['text_tools.py', 'corpus/tools'],
    ['ask.py', 'grants'],
    ['net.py', 'grants'],
  ] as const)
    files[name] = await readFile(new URL(`../${folder}/${name}`, import.meta.url), 'utf8');
  await shared.open(files);
});

for (const column of columns)
  test(titleOf(column), { tag: [...column.tag] }, async ({ page }) => {
    // Many screens, each of which axe reads as a whole.
    test.slow();
    await look(page, column);
    for (const [screen, show] of Object.entries(screens)) {
      if (column.screens === 'journey' && !journey.includes(screen)) continue;
      await show(page);
      expect.soft(await violations(page), screen).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

test('the checker sees what breaks a rule, and two primary actions', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => {
    document.body.append(Object.assign(new Image(), { className: 'control' }));
    for (const textContent of ['Save', 'Run']) {
      const button = Object.assign(document.createElement('button'), { textContent });
      button.className = 'primary control';
      document.querySelector('.bench')?.append(button);
    }
  });
  expect(await violations(page)).toEqual([
    expect.stringMatching(/^image-alt: .*control/),
    expect.stringMatching(/^two primary actions: .*Save, Run$/),
  ]);
  await page.locator('.control').evaluateAll((elements) => {
    for (const element of elements) element.remove();
  });
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`the welcome, ${colorScheme}`, async ({ context }) => {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    // No other page is expected: its folder belongs to that page.
    await page.addInitScript(() => {
      localStorage.clear();
    });
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Open folder' }).first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await expect(page.locator('.keyword').first()).toHaveText('def');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Text of savings.py' })).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

// After the others, whose folder it takes the place of.
for (const column of columns.filter(({ screens: shown }) => shown === 'all'))
  test(`packages, ${titleOf(column)}`, { tag: [...column.tag] }, async ({ shared }) => {
    const folder = `packages-${column.colorScheme}-${column.width}`;
    await shared.open({ 'fetcher.py': withRequests, 'plain.py': plain }, folder);
    const { page } = shared;
    await look(page, column);
    await expect(question(page)).toContainText('requests>=2.28');
    expect.soft(await violations(page), 'a question about packages').toEqual([]);
    await page.keyboard.press('Escape');
    for (const [place, shown] of [
      ['/policy/packages', 'Missing packages'],
      ['/files/fetcher.py', 'import requests'],
    ] as const) {
      await at(place, shown)(page);
      expect.soft(await violations(page), place).toEqual([]);
    }
  });
