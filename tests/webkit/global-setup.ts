/** One WebKit for the tests of all files, which has visited the app before. */

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { findBrowser } from '../../scripts/browser.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { commandsOf, startWebKit } from '../../scripts/webkit.mjs';
import { Session } from './page.ts';

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const driver = findBrowser('webkit');
  if (driver === undefined) throw new Error('No WebKitWebDriver found: set WEBKIT_DRIVER_PATH.');
  const server = await serveFolder({ folder: distFolder, base: '/', port: 0 });
  const proxy = await startProxy();
  // Its optimising compilers took a third of the processor time of the tests.
  const env = { JSC_useOMGJIT: '0', JSC_useFTLJIT: '0' };
  const webkit = await startWebKit(driver, { proxy: proxy.address, env });
  const { session: endpoint, pid } = webkit;
  provide('firefox', { endpoint, pid, url: server.url, tellsRequests: false });
  return async () => {
    await webkit.close();
    await proxy.close();
    await server.close();
  };
}

export function connect(endpoint: string): Promise<Session> {
  return Promise.resolve(new Session(commandsOf(endpoint)));
}

/** Leads names such as `api1.glass.example` to this machine: WebKit has no setting for that. */
async function startProxy(): Promise<{ address: string; close: () => Promise<void> }> {
  const server = createServer((asked, answer) => {
    const { hostname, port, pathname, search } = new URL(asked.url ?? '');
    if (!hostname.endsWith('.glass.example')) {
      answer.writeHead(502).end();
      return;
    }
    const { method, headers } = asked;
    const path = pathname + search;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
