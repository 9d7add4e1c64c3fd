/** The second start of `cloche mcp`, from the process to its list of tools, compared with the least server on the SDK. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildCli } from '../../scripts/build-cli.mjs';
import { findBrowser } from '../../scripts/browser.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { conformanceFolder, installOfficialParts } from '../../scripts/mcp-conformance-parts.mjs';
import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function mcpList({ sites }) {
  await installOfficialParts();
  const folder = await writeFolder(`${sites.temporary}/mcp-list`, echoFiles());
  const program = join(sites.temporary, 'cloche.mjs');
  await buildCli(program);
  const env = {
    CLOCHE_APP: distFolder,
    CLOCHE_BROWSER: String(findBrowser()),
    XDG_CACHE_HOME: join(sites.temporary, 'cache'),
  };
  const ours = () => listed([program, 'mcp', folder], env);
  // The first start stores the list.
  await ours();
  const hello = [join(conformanceFolder, 'hello-server.mjs')];
  const sides = await alternate(ours, () => listed(hello, {}));
  return [{ name: 'mcp-list', unit: 'ms', ...sides, target: 2 }];
}

/**
 * @param {readonly string[]} args of Node
 * @param {Record<string, string>} env
 * @returns {Promise<number>} milliseconds from the start of the process to its list
 */
async function listed(args, env) {
  const from = performance.now();
  const server = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ])
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let said = '';
  for await (const text of server.stdout.setEncoding('utf8')) {
    said += String(text);
    if (/"tools":\[|"error":/.test(said)) break;
  }
  const ms = performance.now() - from;
  server.stdin.end();
  if (server.exitCode === null) await once(server, 'close');
  if (!said.includes('"tools":[')) throw new Error(`${args[0]} has ended without a list: ${said}`);
  return ms;
}
