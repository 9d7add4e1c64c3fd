/** A server that the user has added on the page Servers: its tools, run on their pages, and what else it offers. */

import type { Page } from 'puppeteer-core';
import { expect, vi } from 'vitest';
import { click, fill, fillArguments, press } from '../firefox/firefox.ts';
import { go } from '../firefox/session.ts';

const patience = { timeout: 60_000, interval: 100 };

export interface AddedServer {
  /** Selector of its card on the page Servers. */
  readonly card: string;
  /** Ids of its tools. */
  readonly tools: readonly string[];
  /** Names of the tools that {@link AddedServer.run} has not run. */
  readonly left: Set<string>;
  idOf(tool: string): string;
  /** Runs a tool on its page, and waits until its result is shown. */
  run(tool: string, args: object, expected: string | RegExp): Promise<void>;
}

/** Adds a server by its address. Fails if the server has problems, or lacks a connection. */
export async function addServer(page: Page, url: string): Promise<AddedServer> {
  await go(page, '#/servers');
  await fill(page, '::-p-aria([name="Address of an MCP server"][role="textbox"])', url);
  await click(page, 'button', 'Add server');
  const card = `section[aria-label="${new URL(url).host}"]`;
  await textIs(page, `${card} [role=status]`, /^Connected/);
  const tools = await page.evaluate(
    (address) =>
      globalThis.cloche.registry
        .list()
        .filter(({ server }) => server?.url === address)
        .map(({ name }) => name),
    url,
  );
  const count = (rows: readonly Element[]): number => rows.length;
  expect(await page.$$eval(`${card} ul[aria-label^="Tools of"] a`, count)).toBe(tools.length);
  const problems = await page.$$eval(
    `${card} ul[aria-label="Problems of this server"] li`,
    (rows: readonly Element[]) => rows.map(({ textContent }) => textContent.trim()),
  );
  // Programs of Node start slowly on a busy machine.
  expect(problems.filter((problem) => !problem.startsWith('Connecting took'))).toEqual([]);
  const named = new Map(tools.map((id) => [id.slice(id.indexOf(':') + 1), id]));
  const left = new Set(named.keys());
  const idOf = (tool: string): string => {
    const id = named.get(tool);
    if (id === undefined) throw new Error(`The server does not list ${tool}.`);
    return id;
  };
  return {
    card,
    tools,
    left,
    idOf,
    async run(tool, args, expected) {
      await openTool(page, idOf(tool));
      await fillArguments(page, JSON.stringify(args));
      await click(page, 'button', 'Run');
      await textIs(page, 'section[aria-label="Result"]', expected);
      left.delete(tool);
    },
  };
}

/** Opens the page of a tool. */
export async function openTool(page: Page, id: string): Promise<void> {
  await go(page, `#/tools/${id}`);
  await vi.waitFor(async () => expect(await page.title()).toContain(id), patience);
}

/** Waits until the first element of a selector shows a text. */
export function textIs(page: Page, selector: string, expected: string | RegExp): Promise<void> {
  return vi.waitFor(async () => {
    expect(await page.evaluate(textHere, selector)).toMatch(expected);
  }, patience);
}

/** Runs in the page. */
function textHere(selector: string): string {
  const found = document.querySelector(selector);
  return found instanceof HTMLElement ? found.innerText.trim() : '';
}

/** Opens the list of resources and prompts in the card of a server. */
export async function openOffers(page: Page, card: string): Promise<void> {
  await go(page, '#/servers');
  await press(page, `${card} summary::-p-text(Resources and prompts)`);
}

/** Fills in a field of a resource template or a prompt. @param label how the label begins */
export function fillOffer(page: Page, form: string, label: string, text: string): Promise<void> {
  return vi.waitFor(async () => {
    expect(await page.evaluate(fillHere, form, label, text)).toBe(true);
  }, patience);
}

/** Runs in the page. */
function fillHere(form: string, label: string, text: string): boolean {
  const inputs = [...document.querySelectorAll<HTMLInputElement>(`${form} input`)];
  const field = inputs.find(({ labels }) => labels?.[0]?.textContent.startsWith(label));
  if (field === undefined) return false;
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}

/** Waits until the server suggests a value for a field of the form. */
export function suggests(page: Page, form: string, value: string): Promise<void> {
  return vi.waitFor(async () => {
    expect(await page.$(`${form} option[value="${value}"]`)).not.toBeNull();
  }, patience);
}
