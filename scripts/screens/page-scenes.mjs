/** The main pages and those of the folder: plans, evaluations, servers, the API, extensions, the workspace and imports. */

import { pressWhenReady, visit } from './steps.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/** @type {import('./scenes.mjs').Scenes} */
export const pageScenes = {
  plans: (page) => visit(page, '#/plans'),
  'plan-new': (page) => visit(page, '#/plans/new'),
  'plan-run': async (page) => {
    await visit(page, '#/plans');
    await page
      .getByRole('button', { name: /^Play / })
      .nth(2)
      .click();
    await pressWhenReady(page, 'Play');
    await page
      .getByText(/^(Done|Needs attention)/)
      .first()
      .waitFor({ timeout: 60_000 });
  },
  evals: (page) => visit(page, '#/evals'),
  api: (page) => visit(page, '#/api'),
  'api-operation': async (page) => {
    await visit(page, '#/api');
    const operations = page.getByRole('navigation', { name: 'Operations' });
    await operations.getByRole('link').first().click();
    await page
      .getByRole('textbox', { name: 'Body (JSON)' })
      .fill('{"arguments": {"total": 86.4, "people": 3}}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByRole('region', { name: 'Answer' })
      .getByText(/^200 in/)
      .waitFor();
  },
  extensions: (page) => visit(page, '#/extensions'),
  workspace: (page) => visit(page, '#/workspace'),
  'servers-empty': (page) => visit(page, '#/servers'),
  servers: async (page) => {
    await answerForServer(page);
    await visit(page, '#/servers');
    await page.getByLabel('Address of an MCP server').fill(`${server}/mcp`);
    await page.getByRole('button', { name: 'Add server' }).click();
    await page.getByText(/to connect/).waitFor();
  },
  'servers-messages': async (page) => {
    const messages = page.getByText('Messages', { exact: true }).first();
    await messages.click();
    await page.getByRole('list', { name: 'Messages' }).getByRole('button').nth(2).click();
    await messages.scrollIntoViewIfNeeded();
  },
  'server-tool': async (page) => {
    const tools = page.getByRole('list', { name: /^Tools of/ });
    await tools.getByRole('link').first().click();
    await page.waitForTimeout(400);
  },
  import: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands, tools and files' }).fill('import openapi');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(400);
  },
  help: async (page) => {
    await page.keyboard.press('Escape');
    await visit(page, '#/help');
  },
};

const server = 'http://mcp.workstation.example';
const tools = [
  {
    name: 'search_issues',
    description: 'Finds issues by words, labels and state.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words that the issue contains' },
        state: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      required: ['query'],
    },
  },
  {
    name: 'add_comment',
    description: 'Adds a comment to an issue.',
    inputSchema: {
      type: 'object',
      properties: { issue: { type: 'integer' }, text: { type: 'string' } },
      required: ['issue', 'text'],
    },
  },
];

/** Answers the page's requests to an MCP server that does not exist. @param {Page} page */
async function answerForServer(page) {
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Expose-Headers': 'Mcp-Session-Id',
    'Mcp-Session-Id': 's1',
  };
  const results = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'issues', version: '2.4' },
    },
    'tools/list': { tools },
  };
  await page.context().route(`${server}/**`, (route) => {
    if (route.request().method() !== 'POST') return route.fulfill({ status: 405, headers });
    const { id, method } = readMessage(route.request().postData() ?? '');
    if (id === undefined) return route.fulfill({ status: 202, headers });
    const result = Object.entries(results).find(([name]) => name === method)?.[1];
    const answer =
      result === undefined
        ? { status: 400, error: { code: -32601, message: 'There is no such method.' } }
        : { status: 200, result };
    const { status, ...body } = answer;
    return route.fulfill({ status, headers, json: { jsonrpc: '2.0', id, ...body } });
  });
}

/** @param {string} text @returns {{ id?: number, method: string }} */
function readMessage(text) {
  /** @type {unknown} */
  const message = JSON.parse(text);
  return /** @type {{ id?: number, method: string }} */ (message);
}
