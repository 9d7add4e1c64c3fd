/** `tools/call` of `api/mcp` by the official client in another page, compared with `fetch` of `invoke` from there. */

import { join } from 'node:path';
import { bundleScript } from '../../scripts/bundle-script.mjs';
import { projectFolder } from '../../scripts/dist.mjs';
import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { medians } from '../measure.mjs';
import { openFolder, openOurs } from '../pages.mjs';
import { post } from './http-call.mjs';

const args = { text: 'x'.repeat(88) };
const count = 100;
const rounds = 9;
const clientModule = join(projectFolder, 'tests/support/mcp-client.ts');

/** @param {import('../row.mjs').Bench} bench */
export default async function mcpCall({ newPage, sites }) {
  const ours = await newPage();
  await openOurs(ours, sites.ours);
  await openFolder(ours, await writeFolder(`${sites.temporary}/mcp-call`, echoFiles()));
  await ours.evaluate(() => navigator.serviceWorker.ready);
  const other = await ours.context().newPage();
  await other.goto(`${sites.ours}license.txt`);
  await other.addScriptTag({ content: await bundleScript(clientModule) });
  await other.evaluate(async () => {
    const { Client, StreamableHTTPClientTransport } = globalThis.mcpClient;
    globalThis.mcp = new Client({ name: 'bench', version: '1' });
    const address = new URL('api/mcp', location.href);
    await globalThis.mcp.connect(new StreamableHTTPClientTransport(address));
  });
  const invoke = `api/tools/${echoTool}/invoke`;
  const body = JSON.stringify({ arguments: args });
  /** @type {{mcp: number[], http: number[]}} */
  const means = { mcp: [], http: [] };
  for (let round = 0; round < rounds; round += 1) {
    means.mcp.push(await callOverMcp(other));
    means.http.push(await post(other, invoke, body));
  }
  return [{ name: 'mcp-call', unit: 'ms', ...medians(means.mcp, means.http), target: 1.5 }];
}

/**
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<number>} milliseconds of one call on average
 */
function callOverMcp(page) {
  return page.evaluate(async ([given, calls]) => {
    const from = performance.now();
    for (let n = 0; n < calls; n += 1)
      await globalThis.mcp.callTool({ name: 'echo', arguments: given });
    return (performance.now() - from) / calls;
  }, /** @type {const} */ ([args, count]));
}
