/** A page of another origin with a strict policy, which can use the client of the API. */

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { distFolder } from '../../scripts/dist.mjs';

export interface OtherSite {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * @param host `localhost` for a page of the app's site, `127.0.0.1` for one of another site
 * @param app origin of the app
 */
export async function startOtherSite(
  host: 'localhost' | '127.0.0.1',
  app: string,
): Promise<OtherSite> {
  const client = await readFile(join(distFolder, 'cloche-client.js'));
  const server = createServer(({ url }, response) => {
    const isScript = url === '/cloche-client.js' || url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src 'self'; frame-src ${app}; img-src data:`,
    );
    if (url === '/cloche-client.js') response.end(client);
    else if (url === '/page.js')
      response.end(
        `import * as client from './cloche-client.js';
         globalThis.client = client;
         document.querySelector('button').addEventListener('click', () => {
           globalThis.connecting = client.connect(${JSON.stringify(`${app}/`)}, { via: 'window' });
         });
         document.title = 'ready';`,
      );
    else
      response.end(
        '<!doctype html><title>Docs</title><link rel="icon" href="data:," /><button>Connect</button><script type="module" src="/page.js"></script>',
      );
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
