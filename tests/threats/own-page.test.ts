/** Further attacks on what the page shows and accepts (docs/decisions/attacks.md). */

import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import type { Page } from '@playwright/test';
import { fetchCall, pythonCall } from '../../src/app/ui/tools/share/call-code.ts';
import type { Tool } from '../../src/runtime/spec/tool.ts';
import { callInPage, invoke } from '../support/app.ts';
import { expect, test } from '../support/shared-page.ts';
import { expectNoStall } from '../support/stalls.ts';
import { startWitness } from '../support/witness.ts';

const own = new URL('own.py', import.meta.url);

const files = {
  'own.py': '',
  'checks.py': `
import ast

def literal(source: str) -> str:
    """Whether a copied call is one call with nothing but literals."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    handler = next(call for call in calls if getattr(call.func, "id", "") in ("f", "handler"))
    values = {}
    for keyword in handler.keywords:
        value = ast.literal_eval(keyword.value)
        values.update(value if keyword.arg is None else {keyword.arg: value})
    return {"calls": sorted({getattr(call.func, "id", getattr(call.func, "attr", "?")) for call in calls}), "values": values}

TOOL_SPECS = [{"name": "checks:literal", "description": "Parses.", "handler": literal,
               "parameters": {"type": "object", "properties": {"source": {"type": "string"}}}}]
`,
  'bombs.py': `
def take(**values):
    return "taken"

TOOL_SPECS = [{"name": "bombs:help", "description": "Is hard to help with.", "handler": take, "parameters": {"type": "object",
  "properties": {
    "a": {"type": "string", "pattern": "^(([a-z])+.)+[A-Z]([a-z])+$", "default": "x" * 1_000, "description": "d" * 2_000},
    "b": {"enum": ["e" * 50 + str(n) for n in range(500)]},
    "\\u202eevil": {"type": "string", "title": "<img src=x onerror=alert(1)>"},
    "__proto__": {"type": "string"}, "constructor": {"type": "object", "properties": {"prototype": {"type": "string"}}},
    "c": {"anyOf": [{"type": "string"}] * 300}}}}]
`,
};
import { jsonArguments } from '../support/json-arguments.ts';

test.setTimeout(240_000);

test.beforeAll(async ({ shared }) => {
  await shared.open({ ...files, 'own.py': await readFile(own) });
});
test.beforeEach(({ trouble }) => {
  trouble.expect(/^uncaught|console error: Uncaught/);
});

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

/** Waits until what has changed is painted. */
function painted(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function show(page: Page, tool: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `#/tools/${name}`;
  }, tool);
  await expect(page.getByRole('heading', { name: tool })).toBeVisible();
}

async function run(page: Page, tool: string, args: Record<string, unknown>): Promise<void> {
  await show(page, tool);
  await (await jsonArguments(page)).fill(JSON.stringify(args));
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  // Searching the whole page for the words would be part of what is measured.
  const shown = page.locator('section[aria-label="Result"]');
  await shown.getByText(/^(Success|Failed|Crashed|Timed out)/).waitFor();
}

// Otherwise an address in a link could run something, or break the page for good.
test('addresses of the page with anything in them show that there is nothing', async ({ page }) => {
  const hashes = [
    '#/tools/<img src=x onerror="document.title=1">',
    '#/tools/%E0%A4%A',
    '#/tools/__proto__',
    '#/tools/constructor',
    '#/calls/__proto__',
    '#/files/../../etc/passwd',
    '#/files/__proto__?line=99999999',
    '#javascript:document.title=1',
    `#/tools/${'x/'.repeat(20_000)}`,
    `#/tools/${encodeURIComponent('\u202e\u0000')}%ud83d?panel=__proto__&line=-1`,
  ];
  const title = await page.title();
  for (const hash of hashes) {
    await page.evaluate((text) => {
      location.hash = text;
    }, hash);
    await painted(page);
    expect(await page.evaluate(() => document.querySelectorAll('main img[src="x"]').length)).toBe(
      0,
    );
  }
  await show(page, 'own:say');
  expect(await page.title()).not.toBe('1');
  expect(title).not.toBe('1');
});

// Otherwise rows would write to the prototype of everything, or lose their columns.
test('a table whose columns are named like prototypes', async ({ page }) => {
  await run(page, 'own:table', {});
  const views = result(page).getByRole('group', { name: /^Show .* as$/ });
  await views.getByRole('button', { name: 'Table', exact: true }).click();
  const lines = result(page).getByRole('table').getByRole('row');
  const cells = (line: number): Promise<string[]> =>
    lines
      .nth(line)
      .locator('th, td')
      .allTextContents()
      .then((texts) => texts.map((text) => text.trim()));
  await expect(lines).toHaveCount(6);
  const columns = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''];
  expect(await cells(0)).toEqual(['Row', ...columns]);
  expect(await cells(5)).toEqual(['5', '{"polluted": 1}', '4', 'x', 'null', '4']);
  expect(await page.evaluate(() => Reflect.get({}, 'polluted') as unknown)).toBe(undefined);
});

// Otherwise a deep result would overflow the stack of whatever lays it out.
test('half a million levels of JSON are shown', async ({ page }) => {
  // The editor of the tool's file opens when the page is idle, which is not measured here.
  await show(page, 'own:forged');
  await expect(page.getByRole('textbox', { name: /^Text of/ })).toBeVisible();
  await expectNoStall(page, async () => {
    await run(page, 'own:forged', { what: 'deep' });
  });
  await expect(result(page)).toBeVisible();
  await show(page, 'own:say');
});

// Otherwise a picture would load what no policy of the sandbox sees any more.
test('a drawing fetches nothing, and types of media that are none draw nothing', async ({
  page,
  trouble,
}) => {
  const witness = await startWitness();
  trouble.expect(/foreign request|Content Security Policy|about:blank/);
  await run(page, 'own:picture', { target: witness.origin });
  await expect(result(page).getByText(/^Not shown: /)).toBeVisible();
  await painted(page);
  await expect(result(page).getByRole('img')).toHaveCount(0);
  expect(witness.log).toEqual([]);
  // The control: in a separate page, it fetches from every address that it names.
  const { content } = await invoke(page, 'own:picture', { target: witness.origin });
  const open = await page.context().newPage();
  await open.setContent(Buffer.from(content[0]?.data ?? '', 'base64').toString());
  const fetched = (): string[] => witness.log.filter((line) => line !== 'connection');
  for (const name of ['import', 'font', 'image', 'xlink', 'frame', 'img', 'script'])
    await expect.poll(fetched).toContain(`GET /${name}`);
  await open.close();
  await run(page, 'own:forged', { what: 'media' });
  await painted(page);
  const made = await page.evaluate(() => ({
    title: document.title,
    elements: document.querySelectorAll('main iframe, main object, main embed, main script').length,
    addresses: Array.from(
      document.querySelectorAll('main a[href]'),
      (link) => link.getAttribute('href') ?? '',
    ).filter((href) => !href.startsWith('#')),
  }));
  expect([made.title === 'taken', made.elements, made.addresses]).toEqual([false, 0, []]);
  await witness.close();
});

// Otherwise a line of a traceback would be a link that runs.
test('a traceback whose file is an address leads nowhere', async ({ page }) => {
  await run(page, 'own:traced', {});
  await expect(result(page).getByText('traced').first()).toBeVisible();
  const links = await page.evaluate(() =>
    Array.from(document.querySelectorAll('main a'), (link) => (link as HTMLAnchorElement).protocol),
  );
  expect(links.filter((protocol) => protocol === 'javascript:')).toEqual([]);
});

// Otherwise arguments that a user copies would run as code where they are pasted.
test('what is copied as code is data and nothing else', async ({ page }) => {
  const value = '"\'; import os; os.system("x") #`${alert(1)}`\\\n\r\u2028</script>';
  const args = { a: value, 'not a name': value, 'b); print("': [value, { [value]: null }] };
  const text = JSON.stringify(args);
  const tool = {
    name: 'm:f',
    source: { file: 'm.py', line: 1, column: 1 },
    handler: { kind: 'function', name: 'f', file: 'm.py', line: 1 },
    takesContext: false,
  } as Tool;
  const python = pythonCall(tool, text);
  const parsed = JSON.parse(
    (await invoke(page, 'checks:literal', { source: python })).textResultForLlm,
  ) as unknown;
  expect(parsed).toEqual({ calls: ['f', 'print'], values: args });
  const sent: unknown[] = [];
  const code = fetchCall(tool, text, 'https://cloche.test/').replace(
    /^const response = await /,
    '',
  );
  // If the arguments contained code, it would run here, where only `fetch` exists.
  runInNewContext(code.replace(/await response.*/, ''), {
    fetch: (address: string, init: { body: string }) => sent.push(address, JSON.parse(init.body)),
  });
  expect(sent).toEqual(['https://cloche.test/api/tools/m:f/invoke', { arguments: args }]);
});

// Otherwise users of a screen reader would hear nothing else.
test('a tool that streams without pause does not talk through the live regions', async ({
  page,
}) => {
  await show(page, 'own:busybody');
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    const watch = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element?.closest('[aria-live], [role="status"], [role="alert"], [role="log"]'))
          said.push(element.textContent);
      }
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await run(page, 'own:busybody', { count: 200_000 });
  const said = await page.evaluate(() => Reflect.get(globalThis, 'said') as string[]);
  expect(said.filter((text) => text.includes('listen!')).length).toBe(0);
  expect(said.length).toBeLessThan(50);
});

// Otherwise help with an argument would freeze the page that the user types into.
test('huge schemas do not slow argument help', async ({ page }) => {
  await show(page, 'bombs:help');
  await expectNoStall(page, async () => {
    const editor = await jsonArguments(page);
    await editor.fill('{"a": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "b": "e", "__proto__": "x"}');
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'Home', 'ArrowRight'])
      await editor.press(key);
    await expect(page.getByRole('list', { name: 'Add an argument' })).toBeVisible();
    await painted(page);
  });
  expect(await page.evaluate(() => document.body.textContent.includes('\u202e'))).toBe(false);
  await expect(page.locator('main img[src="x"]')).toHaveCount(0);
  expect((await callInPage(page, 'bombs:help', { a: 'Ab' })).result.error).toMatch(
    /^ValidationError|timeout/,
  );
});
