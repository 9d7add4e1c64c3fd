/** What a user does with sessions: adds a provider, starts a session with one of its models, sends messages. */

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect } from './expect.ts';
import type { SharedPage } from './shared-page.ts';
import type { ModelEndpoint, ReceivedRequest } from './model-endpoint.ts';
import type { Trouble } from './trouble.ts';

/** Tools that a model meets in these tests. */
export const sessionTools = new URL('../sessions/session_tools.py', import.meta.url);

export const testKey = 'sk-secret-of-this-test';

/** The kinds of providers that the endpoint speaks as, and where each is. */
export const providerKinds = [
  ['openai-compatible', '/v1'],
  ['openai-chat', '/v1'],
  ['openai-responses', '/v1'],
  ['anthropic', '/v1'],
  ['google', '/v1beta'],
] as const;

/** Models are somewhere else on purpose, and may fail on purpose; the log of the endpoint judges. */
export function expectModelRequests(trouble: Trouble): void {
  trouble.expect(/foreign request: \S+ http:\/\/127\.0\.0\.1/);
  trouble.expect(/Failed to load resource|CORS policy|net::ERR/);
}

export interface NewProvider {
  readonly kind: string;
  readonly name: string;
  /** With its path. */
  readonly url: string;
  readonly key?: string;
}

/** Adds a provider on the settings page, and waits until its models are listed. */
export async function addProvider(page: Page, provider: NewProvider): Promise<Locator> {
  const { kind, name, url, key = testKey } = provider;
  await page.goto('./#/settings/models');
  await page.getByRole('button', { name: 'Other endpoint' }).click();
  await page.getByRole('combobox', { name: 'API' }).selectOption(kind);
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Base URL' }).fill(url);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Add provider' }).click();
  const row = page.getByRole('group', { name });
  await expect(row).toContainText(/\d models?/);
  return row;
}

/** A session that nothing was sent in yet. */
export async function newSession(page: Page, provider: string, model: RegExp): Promise<void> {
  await page.goto('./#/sessions/new');
  await chooseModel(page, provider, model);
}

export async function chooseModel(page: Page, provider: string, model: RegExp): Promise<void> {
  await page.getByRole('button', { name: /^Model:/ }).click();
  const group = page.getByRole('region', { name: provider, exact: true });
  await group.getByRole('button', { name: model }).click();
}

/** Opens one of the composer's choices, which are under “More options” if the row is narrow. */
export async function choice(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  const more = page.getByRole('button', { name: /^More options/ });
  if (await more.isVisible()) await more.click();
  await page.getByRole('button', { name }).click();
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

/** The cards of calls, of one tool or of all. */
export function cards(page: Page, name = ''): Locator {
  return page.getByRole('region', { name: new RegExp(`^Call to .*${name}`) });
}

/** The turn is over. */
export async function idle(page: Page): Promise<void> {
  // A turn that has just begun is shown with one of the next pictures.
  await page.evaluate(frames, 3);
  await expect(page.getByText('Session idle')).toBeAttached();
}

/** Runs in the page. */
async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1)
    await new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn), 20));
}

/** Requests to models, except for lists of models. */
export function asked({ requests }: ModelEndpoint): readonly ReceivedRequest[] {
  return requests.filter(({ format }) => format !== 'models');
}

/** The names of the tools that a request offers, whatever its format. */
export function offeredTools({ text }: ReceivedRequest): readonly string[] {
  const body = JSON.parse(text) as { tools?: readonly Record<string, unknown>[] };
  return (body.tools ?? []).flatMap((tool) => {
    const within = (tool.function ?? tool) as Record<string, unknown>;
    const declared = tool.functionDeclarations as { name: string }[] | undefined;
    return declared?.map(({ name }) => name) ?? [String(within.name)];
  });
}

/** The provider that {@link openWithModels} adds. */
export const mine = 'Mine';

/** Opens files, by default the tools of these tests, and adds a provider with the endpoint's models. */
export async function openWithModels(
  shared: SharedPage,
  endpoint: ModelEndpoint,
  key = '',
  files?: Parameters<SharedPage['open']>[0],
): Promise<void> {
  await shared.open(files ?? { 'session_tools.py': await readFile(sessionTools) });
  expectModelRequests(shared.trouble);
  await addProvider(shared.page, {
    kind: 'openai-compatible',
    name: mine,
    url: `${endpoint.url}/v1`,
    key,
  });
}
