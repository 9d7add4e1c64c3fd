/**
 * The built app as the client of one scenario of the conformance suite: adds its server on the Servers page, signs in,
 * and calls its tools. `node page-client.mjs ADDRESS`; the suite and scripts/conformance.mjs say the rest by variables.
 */
import { chromium } from '@playwright/test';

const { CLOCHE_PAGE = '', CLOCHE_BROWSER_ENDPOINT = '' } = process.env;
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const address = process.argv[2] ?? '';

const browser = await chromium.connect(CLOCHE_BROWSER_ENDPOINT);
const page = await browser.newPage();
await page.goto(`${CLOCHE_PAGE}#/servers`);
await page.getByLabel('Address of an MCP server').fill(address);
await page.getByRole('button', { name: 'Add server' }).click();
const card = page.getByRole('region', { name: new URL(address).host, exact: true });
// A text would be compared without its case, and match “Not connected”, too.
const connected = card.getByRole('status').filter({ hasText: /^Connected/ });
const wanted = card.getByRole('button', { name: 'Sign in' }).first();
const failed = card.getByRole('alert');
await connected.or(wanted).or(failed).first().waitFor();
// The server may name another authorization server as soon as the user has signed in.
for (let again = 0; again < 3 && (await wanted.isVisible()); again += 1) await signIn();
if (await connected.isVisible())
  for (const call of await calls()) {
    await run(call);
    // The server wants more rights, or another authorization server: the user signs in again, and calls again.
    for (let again = 0; again < 2 && (await wanted.isVisible()); again += 1) {
      await signIn();
      await run(call);
    }
  }
await browser.close();

/** Confirms each address that signing in needs, and opens the page of the authorization server. */
async function signIn() {
  if (typeof context.client_id === 'string') {
    await card.getByLabel(/^Client id/).fill(context.client_id);
    await card.getByLabel(/^Client secret/).fill(String(context.client_secret ?? ''));
    await card.getByRole('button', { name: 'Sign in' }).last().click();
  } else await wanted.click();
  // The alert that the server wants a sign-in is there from the beginning.
  const over = failed.filter({ hasText: /Signing in failed|asks to sign in at|was refused/ });
  const next = card.getByRole('button', { name: 'Continue' });
  const open = card.getByRole('button', { name: 'Open the page' });
  for (;;) {
    await next.or(open).or(connected).or(over).first().waitFor();
    if (await open.isVisible()) break;
    if (await connected.or(over).first().isVisible()) return;
    // The button of the address before may be about to go.
    await next.click({ timeout: 1_000 }).catch(() => undefined);
  }
  await open.click();
  await card.getByRole('region', { name: 'Signing in' }).waitFor({ state: 'hidden' });
  await connected.or(failed).first().waitFor();
}

/**
 * The calls that the scenario names; otherwise each tool once.
 * @returns {Promise<{ name: string, arguments: object }[]>}
 */
async function calls() {
  const tools = await page.evaluate(() =>
    globalThis.cloche.registry
      .list()
      .filter(({ server }) => server !== undefined)
      .map(({ name, parameters }) => ({ name, parameters })),
  );
  const idOf = (/** @type {string} */ name) =>
    tools.find((tool) => tool.name.endsWith(`:${name}`))?.name ?? name;
  if (Array.isArray(context.toolCalls))
    return context.toolCalls.map((/** @type {{ name: string, arguments: object }} */ call) => ({
      name: idOf(call.name),
      arguments: call.arguments,
    }));
  return tools.map(({ name, parameters }) => ({ name, arguments: argumentsFor(parameters) }));
}

/**
 * A value for each required parameter.
 * @param {any} schema
 */
function argumentsFor({ properties = {}, required = [] }) {
  /** @type {Record<string, unknown>} */
  const values = { number: 2, integer: 2, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    required.map((/** @type {string} */ name) => [name, values[properties[name]?.type] ?? 'text']),
  );
}

/**
 * Calls a tool as the user. Forms are sent as they are: with the defaults that the server suggests.
 * @param {{ name: string, arguments: object }} call
 */
async function run({ name, arguments: args }) {
  const ended = page.evaluate(
    async ([tool = '', given = '']) => {
      const { signal } = new AbortController();
      const { textResultForLlm } = await globalThis.cloche.calls.call(signal, {
        id: crypto.randomUUID(),
        tool,
        arguments: given,
        caller: 'user',
        sessionId: '',
        sessionKey: '',
        turnId: '',
        agentId: '',
        validate: false,
      });
      return textResultForLlm;
    },
    [name, JSON.stringify(args)],
  );
  const send = page.getByRole('dialog').getByRole('button', { name: 'Send' });
  let isOver = false;
  const over = ended.finally(() => (isOver = true));
  while (!isOver) {
    await Promise.race([over, send.waitFor().catch(() => undefined)]);
    // A dialog that has just appeared takes no press.
    if (!isOver) await send.click({ timeout: 1_000 }).catch(() => undefined);
  }
  console.log(`${name}: ${(await over).slice(0, 500)}`);
}
