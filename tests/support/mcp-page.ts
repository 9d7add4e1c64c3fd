/** Gives a page the official client of MCP, as `mcpClient`. */

import { fileURLToPath } from 'node:url';
import { bundleClassic } from '../../scripts/build/classic-script.ts';
import { projectFolder } from '../../scripts/dist.mjs';
import type { McpClient } from './mcp-client.ts';

declare global {
  var mcpClient: McpClient;
}

const settings = { root: projectFolder, mode: 'production', minify: false, plugins: [] };

/** @param page of Playwright or Puppeteer */
export async function addMcpClient(page: {
  evaluate(code: string): Promise<unknown>;
}): Promise<void> {
  const entry = fileURLToPath(new URL('mcp-client.ts', import.meta.url));
  const { value } = await bundleClassic(entry, settings);
  // A script element would break the policy of some pages. Zod takes `eval` for allowed while a test evaluates something.
  await page.evaluate(`globalThis.__zod_globalConfig = { jitless: true };\n${value}`);
}
