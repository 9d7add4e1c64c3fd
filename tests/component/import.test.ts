/** An OpenAPI document and a list of MCP tools are imported: pasted, dropped, chosen with the keyboard, on a phone. */

import type { Page } from '@playwright/test';
import { violations } from '../support/axe.ts';
import { begin, button, openZip } from '../support/opening.ts';
import { expectNoStall } from '../support/stalls.ts';
import { ready } from './support/app.ts';
import { expect, test } from './support/test.ts';

const paths = {
  '/pets': {
    get: { operationId: 'listPets', summary: 'All pets', tags: ['pets'] },
    post: {
      operationId: 'addPet',
      summary: 'Add a pet',
      parameters: [{ name: 'sid', in: 'cookie' }],
    },
    trace: {},
  },
  '/pets/{id}': { get: { operationId: 'getPet', summary: 'One pet' } },
};
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [
    {
      url: 'https://{region}.example.com/v1',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
    },
  ],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  paths,
});
const tools = JSON.stringify({ tools: [{ name: 'add', inputSchema: { type: 'object' } }] });
const dialog = (page: Page) => page.getByRole('dialog');
const box = (page: Page, name: string | RegExp) => dialog(page).getByRole('checkbox', { name });

/** Pastes into the focused field, as from another program. */
async function paste(page: Page, text: string): Promise<void> {
  await dialog(page)
    .getByRole('textbox', { name: 'Document', exact: true })
    .evaluate((field, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
}

async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      window.document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      );
    },
    [name, text] as const,
  );
}

test('chosen operations of a pasted document become a file of a new folder', async ({ page }) => {
  await page.goto('./');
  await begin(page, 'Import OpenAPI or MCP tools');
  await test.step('what is no such document is said', async () => {
    await paste(page, JSON.stringify({ a: 'x'.repeat(300) }));
    await expect(dialog(page).getByRole('alert')).toContainText('neither an OpenAPI document nor');
    expect(await violations(page)).toEqual([]);
  });
  await paste(page, document);
  await expect(dialog(page)).toContainText('OpenAPI 3.1.0, 4 operations');
  await test.step('what is written is said before', async () => {
    await expect(box(page, 'GET /pets/{id}')).toBeChecked();
    await expect(box(page, 'TRACE /pets')).toBeDisabled();
    await expect(dialog(page)).toContainText('The cookie sid is not sent');
    await expect(dialog(page)).toContainText('The tools send requests to https://eu.example.com.');
    await expect(dialog(page)).toContainText('They need a key: Authorization (Bearer TOKEN)');
    await dialog(page).getByRole('combobox', { name: 'region' }).selectOption('us');
    await expect(dialog(page)).toContainText('The tools send requests to https://us.example.com.');
    await dialog(page).getByText('What is written to pets_api.py').click();
    await expect(dialog(page).getByRole('group', { name: 'pets_api.py' })).toContainText(
      'def list_pets():',
    );
    expect(await violations(page)).toEqual([]);
  });
  await test.step('a search narrows what the box for all of them chooses', async () => {
    await dialog(page).getByRole('searchbox', { name: 'Search operations' }).fill('add pets');
    await box(page, /^All 1 match/).uncheck();
    await dialog(page).getByRole('button', { name: 'Clear search' }).click();
    await expect(box(page, 'POST /pets')).not.toBeChecked();
    await expect(
      dialog(page).getByRole('checkbox', { name: 'GET /pets', exact: true }),
    ).toBeChecked();
  });
  await test.step('a server or a name that cannot be used is said', async () => {
    const server = dialog(page).getByRole('textbox', { name: 'Address of the server' });
    await server.fill('/v1');
    await expect(dialog(page).getByRole('alert')).toContainText(
      'The address of the server is not complete',
    );
    await server.fill('https://pets.example/v2');
    const file = dialog(page).getByRole('textbox', { name: 'File, without .py' });
    await file.fill('my pets');
    await expect(dialog(page).getByRole('alert')).toContainText('Use letters');
    await file.fill('pets');
  });
  await button(page, 'Write 2 tools').click();
  await expect(dialog(page)).toContainText('No folder is open');
  await button(page, 'Create folder').click();
  const text = page.getByRole('textbox', { name: 'Text of pets.py' });
  await expect(text).toContainText('BASE_URL = "https://pets.example/v2"');
  await expect(page).toHaveURL(/#\/files\/pets\.py$/);
});

test(
  'a dropped list is imported into the open folder, which is read-only, on a phone',
  { tag: '@full' },
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('./');
    await openZip(page, 'sums.zip', [{ name: 'sums/list_tools.py', content: 'TOOL_SPECS = []\n' }]);
    await ready(page, 'sums');
    await dropFile(page, 'list.json', tools);
    await expect(box(page, 'add')).toBeChecked();
    await expect(dialog(page).getByRole('textbox', { name: 'File, without .py' })).toHaveValue(
      'list_tools_2',
    );
    const sideways = await dialog(page).evaluate((each) => each.scrollWidth - each.clientWidth);
    expect(sideways).toBe(0);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Write 1 tool').click();
    await button(page, 'Save to a copy').click();
    const text = page.getByRole('textbox', { name: 'Text of list_tools_2.py' });
    await expect(text).toContainText('raise NotImplementedError');
  },
);

test(
  'a document of 9 MB with 10,000 operations is listed and searched',
  { tag: '@full' },
  async ({ page }) => {
    await page.goto('./');
    await begin(page, 'Import OpenAPI or MCP tools');
    await expect(button(page, 'Choose file')).toBeVisible();
    await dropFile(page, 'small.json', document);
    await expect(box(page, 'GET /pets/{id}')).toBeChecked();
    await page.evaluate(() => {
      const get = (n: number) => ({ operationId: `get${n}`, description: 'word '.repeat(160) });
      const paths = Object.fromEntries(
        Array.from({ length: 10_000 }, (_, n) => [`/${n}`, { get: get(n) }]),
      );
      const servers = [{ url: 'https://a.example' }];
      const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Big' }, servers, paths });
      Reflect.set(globalThis, 'bigFile', new File([text], 'big.json'));
    });
    await expectNoStall(page, async () => {
      await page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(Reflect.get(globalThis, 'bigFile') as File);
        const options = { dataTransfer, bubbles: true, cancelable: true };
        window.document.body.dispatchEvent(new DragEvent('drop', options));
      });
      await expect(dialog(page)).toContainText('10,000 operations', { timeout: 60_000 });
    });
    await expectNoStall(page, async () => {
      await dialog(page).getByRole('searchbox', { name: 'Search operations' }).fill('get999');
      await expect(box(page, 'GET /9990')).toBeVisible();
    });
    await box(page, /^All 11 matches/).check();
    await expect(dialog(page)).toContainText('What is written to big_api.py');
    await expect(button(page, 'Write 11 tools')).toBeEnabled();
  },
);
