/** Sample extensions in the real Firefox: powers are asked for, guard calls, are revoked, and follow a saved file. */

import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { answer, dropFiles, fill, invoke, press, resize, shows, useFirefox } from './firefox.ts';

const patience = { timeout: 60_000, interval: 100 };
const firefox = useFirefox();

const tools = `
def read(path: str) -> str:
    """Reads a file."""
    return "content of " + path

def delete_all() -> str:
    """Deletes everything."""
    return "all gone"

TOOL_SPECS = [
    {"name": "files:read", "description": "Reads a file.", "handler": read,
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}},
    {"name": "files:delete_all", "description": "Deletes everything.", "handler": delete_all,
        "parameters": {"type": "object", "properties": {}}},
]
`;

beforeAll(async () => {
  const { page } = firefox();
  // What is out of view is not laid out.
  await resize(page, 1280, 2_400);
  page.setDefaultTimeout(30_000);
});

function sample(name: string): Promise<string> {
  return readFile(new URL(`../../tools-samples/extensions/${name}.py`, import.meta.url), 'utf8');
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

async function held(page: Page, key: 'End' | 's'): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press(key);
  await page.keyboard.up('Control');
}

/** Appends a line to the gate's file in the editor, and saves it. */
async function append(page: Page, line: string): Promise<void> {
  await go(page, '#/files/permission_gate.py');
  await shows(page, 'permission_gate.py');
  await vi.waitFor(async () => {
    const focused = await page.evaluate(() => {
      const code = document.querySelector('.code-area')?.shadowRoot?.querySelector('.cm-content');
      if (!(code instanceof HTMLElement)) {
        // A file of a folder that is not in the browser is shown before it is edited.
        const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button')];
        buttons.find(({ innerText }) => /^Edit( a copy)?$/.test(innerText.trim()))?.click();
        return false;
      }
      code.focus();
      return true;
    });
    expect(focused).toBe(true);
  }, patience);
  await held(page, 'End');
  await page.keyboard.type(`${line}\n`);
  await held(page, 's');
}

async function answers(page: Page, tool: string, text: string): Promise<void> {
  await vi.waitFor(async () => {
    const result = await invoke(page, tool, tool === 'files:read' ? { path: 'a' } : {});
    expect(result.textResultForLlm).toContain(text);
  }, patience);
}

async function send(page: Page, text: string): Promise<void> {
  await fill(page, '::-p-aria([name="Message"][role="textbox"])', text);
  await page.keyboard.press('Enter');
}

test('a gate asks, refuses, follows its file, and ends when it is revoked; the session continues', async () => {
  const { page } = firefox();
  await dropFiles(page, {
    'files.py': tools,
    'echo_model.py': await sample('echo_model'),
    'permission_gate.py': await sample('permission_gate'),
  });
  // Two extensions ask, one after the other.
  for (let n = 0; n < 2; n += 1) await answer(page, 'Grant powers', 'Allow for this file');
  await answers(page, 'files:delete_all', 'it matches files:delete*');
  await answers(page, 'files:read', 'content of a');

  // What is dropped is saved to a copy, which is another folder: it asks again.
  await append(page, 'DENIED.append("files:never")');
  for (let n = 0; n < 2; n += 1) await answer(page, 'Grant powers', 'Allow for this file');
  await answers(page, 'files:delete_all', 'it matches files:delete*');

  await go(page, '#/sessions/new');
  await press(page, 'button[aria-label^="Model:"]');
  await press(page, 'section[aria-label="Echo"] button ::-p-text(Echo)');
  await send(page, 'good morning');
  await shows(page, 'Echo: good morning');
  await send(page, '/gate');
  await shows(page, 'Refused so far: 1');
  const session = await page.evaluate(() => location.hash);

  // A saved file is loaded at once, with the powers that the user allows for it.
  await append(page, 'DENIED.append("files:read")');
  await answer(page, 'The file has changed since you last decided', 'Allow for this file');
  await answers(page, 'files:read', 'it matches files:read');
  await go(page, session);
  await shows(page, 'Echo: good morning');
  await send(page, 'and again');
  await shows(page, 'Echo: and again');

  await go(page, '#/extensions');
  await shows(page, 'Permission gate');
  const pressed = await page.evaluate(() => {
    const card = document.querySelector('section[aria-label="Permission gate"]');
    const group = card?.querySelector('[role="group"][aria-label^="Refuse calls"]');
    const button = [...(group?.querySelectorAll('button') ?? [])].find(
      ({ innerText }) => innerText.trim() === 'Not allowed',
    );
    button?.click();
    return button !== undefined;
  });
  expect(pressed).toBe(true);
  await answers(page, 'files:read', 'content of a');
  await answers(page, 'files:delete_all', 'all gone');
});
