/** W3: no screen breaks a rule of WCAG 2.2 AA that a machine can check, in either theme. */

import { readdir, readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { plain, withRequests } from './packages/sources.ts';
import { invoke } from './support/app.ts';
import { violations } from './support/axe.ts';
import { question } from './support/questions.ts';
import { expect, test } from './support/shared-page.ts';

const corpus = new URL('corpus/tools/', import.meta.url);
const asking = ['ask.py', 'net.py'];

const at = (hash: string) => async (page: Page) => {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
};
const press = (key: string, shown: string) => async (page: Page) => {
  await at('/')(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press(key);
  await expect(page.getByRole('dialog', { name: shown })).toBeVisible();
};

const run = (tool: string, args: string, shown: string) => async (page: Page) => {
  await at(`/tools/${tool}`)(page);
  await page.getByRole('textbox', { name: 'Arguments' }).fill(args);
  await page.getByRole('button', { name: 'Run', exact: true }).first().click();
  await expect(question(page)).toContainText(shown);
};

/** How each screen is reached; Escape closes what lies over another. */
const screens: Record<string, (page: Page) => Promise<void>> = {
  'the overview': at('/'),
  'a tool': at('/tools/text_tools:slugify'),
  'a result': async (page) => {
    await at('/tools/text_tools:slugify')(page);
    await page.getByRole('button', { name: 'Run', exact: true }).first().click();
    await expect(page.getByText('An empty text.').first()).toBeVisible();
  },
  'the source of a tool': at('/tools/text_tools:slugify/source'),
  'the runs of a tool': at('/tools/text_tools:slugify/runs'),
  'a tool that is not there': at('/tools/text_tools:gone'),
  'a file with a problem': at('/files/broken.py'),
  'problems in the drawer': at('/?panel=problems'),
  'runs in the drawer': at('/?panel=runs'),
  'the settings': at('/settings'),
  'the policy': async (page) => {
    await at('/policy')(page);
    await expect(page.getByRole('heading', { name: 'Policy' })).toBeVisible();
  },
  'faults of what is typed into the policy': async (page) => {
    await at('/policy')(page);
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(page.getByText('Type an origin')).toBeVisible();
  },
  'the policy, with a grant and a secret': async (page) => {
    await at('/policy')(page);
    await page.getByLabel('Allow an origin by hand').fill('api.example.com');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByLabel('For the origin').fill('api.example.com');
    await page.getByLabel('Value', { exact: true }).fill('Bearer x');
    await page.getByRole('button', { name: 'Keep', exact: true }).click();
    await expect(page.getByRole('button', { name: /^Forget/ })).toBeVisible();
  },
  'what withdrawing loses': async (page) => {
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'a question of the network': run(
    'net:fetch',
    '{"url": "http://xn--pi-6kc.example.com/"}',
    'wants to reach',
  ),
  'a refused request': async (page) => {
    await at('/policy')(page);
    await expect(page.getByRole('cell', { name: /not allowed/ }).first()).toBeVisible();
  },
  'an approval': run('ask:plain', '{}', 'The tool says'),
  'a call that requires approval': async (page) => {
    void invoke(page, 'ask:strict', { value: 1 });
    await expect(question(page)).toContainText('It requires approval');
  },
  'an address that is none': at('/no/such/place'),
  'the palette': press('Control+k', 'Commands and tools'),
  'the keyboard map': press('?', 'Keyboard map'),
  'the folder menu': async (page) => {
    await at('/')(page);
    await page.getByRole('button', { name: /^Folder / }).click();
    await expect(page.getByRole('button', { name: /^Remove / }).first()).toBeVisible();
  },
};

test.beforeAll(async ({ shared }) => {
  const files: Record<string, Buffer | string> = { 'broken.py': 'def broken(:\n' };
  for (const entry of await readdir(corpus, { withFileTypes: true }))
    if (entry.isFile()) files[entry.name] = await readFile(new URL(entry.name, corpus));
  for (const name of asking)
    files[name] = await readFile(new URL(`grants/${name}`, import.meta.url));
  await shared.open(files);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen, ${colorScheme}`, async ({ page, trouble }) => {
    // The checker asks for the sandbox's frame, which answers nobody.
    trouble.expect(/sandbox/i);
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [screen, show] of Object.entries(screens)) {
        await show(page);
        expect.soft(await violations(page), `${screen}, ${String(width)} wide`).toEqual([]);
        await page.keyboard.press('Escape');
      }
    }
  });

  test(`the welcome, ${colorScheme}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ colorScheme, ...(baseURL ? { baseURL } : {}) });
    const page = await context.newPage();
    await page.goto('./');
    await expect(page.getByRole('button', { name: 'Open folder' }).first()).toBeVisible();
    await expect(page.locator('.keyword').first()).toHaveText('def');
    expect(await violations(page)).toEqual([]);
    await context.close();
  });
}

// After the others, whose folder it takes the place of.
for (const colorScheme of ['light', 'dark'] as const) {
  test(`packages, ${colorScheme}`, async ({ page, shared, trouble }) => {
    trouble.expect(/sandbox/i);
    await page.emulateMedia({ colorScheme });
    const folder = `packages-${colorScheme}`;
    await shared.openFolder({ 'fetcher.py': withRequests, 'plain.py': plain }, folder);
    await expect(question(page)).toContainText('requests>=2.28');
    expect.soft(await violations(page), 'a question about packages').toEqual([]);
    await page.keyboard.press('Escape');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const place of ['/policy', '/files/fetcher.py']) {
        await at(place)(page);
        expect.soft(await violations(page), `${place}, ${String(width)} wide`).toEqual([]);
      }
    }
  });
}
