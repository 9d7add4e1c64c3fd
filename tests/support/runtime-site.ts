/** Two origins for the page of docs/runtime.md: one with the page under the policy that the document names, one with the assets. */

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { distFolder, projectFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';

export interface RuntimeSite {
  readonly origin: string;
  /** Address of the assets on another origin, with a slash at the end. */
  readonly assets: string;
  /** Address of the document's page. @param assets `other` for those of the other origin */
  page(assets: 'own' | 'other'): string;
  /** Address of a page that only holds the module, as `globalThis.runtime`. */
  readonly module: string;
  close(): Promise<void>;
}

/** @param api an origin that takes the place of the document's */
export async function startRuntimeSite(api: string): Promise<RuntimeSite> {
  const assets = await serveFolder({
    folder: distFolder,
    headers: { 'Access-Control-Allow-Origin': '*' },
  });
  const text = await readFile(join(projectFolder, 'docs/runtime.md'), 'utf8');
  const block = (language: string): string =>
    (new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(text)?.[1] ?? '')
      .replaceAll('https://api.example.org/text', `${api}/status?code=200`)
      .replaceAll('https://api.example.org', api);
  const script = await readFile(join(distFolder, 'cloche-runtime.js'), 'utf8');
  const { frameScriptHash } = (await import(join(distFolder, 'cloche-runtime.js'))) as {
    frameScriptHash: string;
  };
  const policy = block('text').replaceAll('\n', ' ').replace('FRAME_SCRIPT_HASH', frameScriptHash);
  const pages = new Map([
    ['/page.html', block('html')],
    [
      '/module.html',
      '<!doctype html><title>Module</title><script type="module" src="module.js"></script>',
    ],
  ]);
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const isOther = searchParams.get('assets') === 'other';
    const page = pages.get(pathname);
    if (page !== undefined) {
      const connect = `connect-src ${new URL(assets.url).origin} `;
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader(
        'content-security-policy',
        pathname === '/page.html' && !isOther ? policy : policy.replace('connect-src ', connect),
      );
      response.end(isOther ? page.replace('page.js', 'page.js?assets=other') : page);
      return;
    }
    response.setHeader('content-type', 'text/javascript');
    if (pathname === '/page.js')
      response.end(
        isOther ? block('js').replace("'./cloche/'", JSON.stringify(assets.url)) : block('js'),
      );
    else if (pathname === '/module.js')
      response.end(
        "import * as runtime from './cloche/runtime.js'; globalThis.runtime = runtime; document.title = 'ready';",
      );
    else if (pathname === '/cloche/runtime.js') response.end(script);
    else
      readFile(join(distFolder, pathname.replace(/^\/cloche\//, '/'))).then(
        (content) => response.end(content),
        () => {
          response.statusCode = 404;
          response.end();
        },
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    assets: assets.url,
    page: (assets) => `${origin}/page.html?assets=${assets}`,
    module: `${origin}/module.html`,
    close: async () => {
      await assets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
