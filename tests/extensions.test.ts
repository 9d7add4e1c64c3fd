/** A folder with an extension, with real Python: powers are asked for, guard calls, and can be revoked (docs/decisions/attacks.md row 39). */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { callInPage, invoke, listing, openFolder, scanned } from './support/app.ts';
import { answer, nothingAsked, question } from './support/questions.ts';
import { makeFolder } from './support/make-folder.ts';
import { send } from './support/session-page.ts';
import { expect, test } from './support/test.ts';
import { keptFiles, openWithWorkspace } from './support/workspace.ts';
import { press } from './support/press-until.ts';

const files = {
  'files.py': `
def remove(path: str) -> str:
    """Removes a file."""
    return "removed " + path

TOOL_SPECS = [{"name": "files:remove", "description": "Removes a file.", "handler": remove,
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}]
`,
  'extension.py': `
from cloche import actions

def ping(text: str) -> str:
    """Answers."""
    return "pong " + text

def before(tool, arguments):
    if arguments.get("path") == "hang":
        while True:
            pass
    if arguments.get("path") == "old":
        return {"arguments": {**arguments, "path": "new"}}
    return "not on my watch" if arguments.get("path") == "precious" else True

def after(tool, result):
    return {"text_result_for_llm": result["text_result_for_llm"] + "!"}

def hello(args, app):
    app.set_status("gate", "greeted " + args)
    return actions.notify("hello " + args)

def register(app):
    app.register_ext_info(name="gate", version="1.0")
    app.register_tool(name="gate:ping", description="Answers.", execute=ping,
        parameters={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
    app.register_command(name="hello", description="Greets.", handler=hello)
    app.register_interceptor(name="watch", priority=2000, before=before, after=after)
    app.register_status_section(key="gate")
`,
};

const removing = async (page: Page, path: string): Promise<string> =>
  (await invoke(page, 'files:remove', { path })).textResultForLlm;
const region = (page: Page) => page.getByRole('region', { name: 'gate', exact: true });

test('an extension guards calls once it may, and no longer when its power is revoked', async ({
  page,
}) => {
  const folder = await makeFolder({ files, name: 'guarded' });
  await page.goto('./');
  await openFolder(page, folder.path);
  await expect(question(page)).toContainText('Grant powers to the extension gate?');
  await expect(question(page)).toContainText('Refuse calls of tools');
  // Until then, it only has its tools.
  expect(await removing(page, 'precious')).toBe('removed precious');
  expect((await invoke(page, 'gate:ping', { text: 'a' })).textResultForLlm).toBe('pong a');
  await answer(page, /^allow for this file$/i);
  await nothingAsked(page);
  expect(await removing(page, 'precious')).toContain('not on my watch');
  expect(await removing(page, 'other')).toBe('removed other!');

  // The run says who changed what.
  expect(await removing(page, 'old')).toBe('removed new!');
  await page.goto('./#/tools/files:remove/runs');
  await page.getByRole('link', { name: /new/ }).first().click();
  const changes = page.getByRole('list', { name: 'Changes of this call' });
  await expect(changes).toContainText('The interceptor watch (gate) changed the arguments');
  await expect(changes.locator('del')).toHaveText('"old"');
  await expect(changes.locator('ins')).toHaveText('"new"');
  await expect(changes).toContainText('The interceptor watch (gate) changed the result.');
  await changes.getByText('Result before this change').click();
  await expect(changes.getByText('removed new', { exact: true })).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.keyboard.type('/hello');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Messages of extensions' })).toContainText(
    'Extension gate, extension.py hello',
  );
  await expect(page.locator('footer')).toContainText('greeted');

  await page.goto('./#/extensions');
  await expect(region(page)).toContainText('1.0');
  await expect(region(page)).toContainText('gate:ping');
  const listed = await page.evaluate(async () => (await fetch('api/extensions')).json() as unknown);
  const of = (name: string): unknown => {
    const { extensions } = listed as { extensions: { name: string }[] };
    return extensions.find((one) => one.name === name);
  };
  expect(of('gate')).toMatchObject({ version: '1.0', file: 'extension.py', state: 'running' });
  // What is part of Cloche is listed like it.
  for (const [name, registered] of [
    ['Compaction', { kind: 'compactor', name: 'summary', active: true }],
    ['Tool search', { kind: 'tool', name: 'tool_search', active: true }],
    ['Recordings', { kind: 'stream provider', name: 'replay', active: true }],
    ['Session commands', { kind: 'command', name: '/title', active: true }],
  ] as const) {
    expect(of(name)).toMatchObject({ kind: 'builtin', runtime: 'typescript', file: '' });
    expect(of(name)).toHaveProperty(
      'registered',
      expect.arrayContaining([expect.objectContaining(registered)]),
    );
    await expect(page.getByRole('region', { name, exact: true })).toContainText(registered.name);
  }
  const buttons = (name: string) =>
    page.getByRole('region', { name, exact: true }).getByRole('button');
  await expect(buttons('Compaction')).toHaveCount(0);
  await expect(buttons('Session commands')).toHaveText(['Disable']);

  // The power is stored, and guards from the first call of the next visit on.
  await page.reload();
  await scanned(page);
  expect(await removing(page, 'precious')).toContain('not on my watch');

  // A hook that hangs costs its extension alone, and the guard fails closed.
  const hung = await callInPage(page, 'files:remove', { path: 'hang' });
  expect(hung.result.textResultForLlm).toContain('took longer than 5 s');
  await expect(region(page)).toContainText('took longer than 5 s');
  await expect.poll(() => removing(page, 'other'), { timeout: 60_000 }).toBe('removed other!');

  const intercept = region(page).getByRole('group', { name: /^Refuse calls/ });
  await intercept.getByRole('button', { name: 'Not allowed' }).click();
  expect(await removing(page, 'precious')).toBe('removed precious');
  await region(page).getByRole('button', { name: 'Disable' }).click();
  expect((await listing(page)).tools.map(({ name }) => name)).toEqual(['files:remove']);
  await folder.dispose();
});

test(
  'a checkpoint of the workspace is restored as changes to review',
  { tag: '@full' },
  async ({ page, folder }) => {
    const sample = new URL('../tools-samples/extensions/checkpoints.py', import.meta.url);
    const code = await readFile(sample, 'utf8');
    await openWithWorkspace(page, (all, name) => folder({ ...all, 'checkpoints.py': code }, name), {
      open: async (opened, path) => {
        await openFolder(opened, path);
        await answer(opened, /^allow for this file$/i);
      },
    });
    await page.getByRole('button', { name: 'Immediately' }).click();
    const edit = async (edited: Record<string, string>): Promise<void> => {
      expect((await callInPage(page, 'workspace:edit', { files: edited })).result.isError).toBe(
        false,
      );
    };
    await edit({ 'a.txt': 'one' });
    await page.goto('./#/sessions/new');
    const said = page.getByRole('region', { name: 'Messages of extensions' });
    await send(page, '/checkpoint start');
    await expect(question(page)).toContainText('Make checkpoints of the workspace');
    await answer(page, /^allow for this file$/i);
    await expect(said).toContainText(/Checkpoint “start”: 1 file\b/);
    await edit({ 'a.txt': 'two', 'b.txt': 'b' });
    await send(page, '/restore start');
    await expect(said).toContainText('2 changes wait for your review');
    // Nothing is overwritten, though changes of tools are written at once; tools see the restored files already.
    expect(await keptFiles(page)).toEqual({ 'a.txt': 'two', 'b.txt': 'b' });
    const seen = await callInPage(page, 'workspace:contents', {});
    expect(JSON.parse(seen.result.textResultForLlm)).toEqual({ 'a.txt': 'one' });
    await page.goto('./#/workspace');
    const changes = page.getByRole('region', { name: 'Changes' });
    await expect(changes.getByRole('listitem').filter({ hasText: 'a.txt' })).toContainText(
      'restored by the extension Checkpoints, checkpoints.py',
    );
    await press(changes.getByRole('button', { name: /^Write all/ }));
    await expect(page.getByText('No changes to review')).toBeVisible();
    expect(await keptFiles(page)).toEqual({ 'a.txt': 'one' });
  },
);

const hostile = (body: string): string => `
from cloche import actions

def register(app):
${body.replace(/^/gm, '    ')}
`;

const hostiles = {
  'many.py': hostile(`for n in range(100_000):
    app.register_status_section(key=f"many {n}")`),
  'huge.py': hostile(
    `app.register_interceptor(name="huge", before=lambda tool, arguments: "x" * 100_000_000)`,
  ),
  'throws.py': hostile(`def handle(event):
    raise ValueError("thrown")
app.register_event_handler(name="throws", handle=handle)`),
  'floods.py': hostile(`def handle(event):
    for n in range(20_000):
        app.notify(f"flood {n}")
app.register_event_handler(name="floods", handle=handle)`),
};

test('hostile extensions cost themselves alone: the page responds, and each is named', async ({
  page,
}) => {
  const folder = await makeFolder({
    files: { 'files.py': files['files.py'], ...hostiles },
    name: 'hostile',
  });
  await page.goto('./');
  await openFolder(page, folder.path);
  await page.evaluate(() => {
    const seen = { longest: 0, last: performance.now() };
    setInterval(() => {
      const now = performance.now();
      seen.longest = Math.max(seen.longest, now - seen.last);
      seen.last = now;
    }, 10);
    Object.assign(globalThis, { seen });
  });
  for (let n = 0; n < 3; n += 1) await answer(page, /^allow for this file$/i);
  await page.goto('./#/extensions');
  const of = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(of('many')).toContainText('at most 1,000');
  expect(await removing(page, 'a')).toContain('was refused');
  // The flood asks the user once whether it may show messages.
  await expect(question(page)).toContainText('Show commands');
  await answer(page, /^never$/i);
  await nothingAsked(page);
  await expect(of('huge')).toContainText('huge');
  await of('huge').getByRole('button', { name: 'Disable' }).click();
  expect(await removing(page, 'a')).toBe('removed a');
  await expect(of('throws')).toContainText('ValueError: thrown');
  await expect(page.getByRole('region', { name: 'Messages of extensions' })).toHaveCount(0);
  const longest = await page.evaluate(
    () => (globalThis as unknown as { seen: { longest: number } }).seen.longest,
  );
  expect(longest).toBeLessThan(1_000);
  await folder.dispose();
});
