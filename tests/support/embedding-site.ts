/** A site of another origin whose pages embed playgrounds, under a strict policy. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EmbeddingSite {
  readonly origin: string;
  /** Paths of all requests. */
  readonly log: string[];
  /** Sets the content of a page's body, or of a file. @returns its address */
  put(path: string, content: string, policy?: string): string;
  close(): Promise<void>;
}

/** The policy that docs/embed.md asks for, and nothing else. */
function policyFor(app: string): string {
  const { origin } = new URL(app);
  return `default-src 'none'; script-src ${origin}; frame-src ${origin}; connect-src 'self'; style-src 'self'; img-src data:`;
}

/** @param host `localhost` for the same site as the app, whose storage a frame would share */
export async function startEmbeddingSite(
  app: string,
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<EmbeddingSite> {
  const log: string[] = [];
  const files = new Map<string, { content: string; policy: string }>();
  const server = createServer(({ url = '' }, response) => {
    const path = new URL(url, 'http://localhost').pathname;
    log.push(path);
    const file = files.get(path);
    response.statusCode = file === undefined ? 404 : 200;
    response.setHeader('content-type', typeOf(path));
    if (file !== undefined) response.setHeader('content-security-policy', file.policy);
    response.end(
      file === undefined ? '' : path.endsWith('.html') ? pageOf(file.content) : file.content,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    log,
    put: (path, content, policy = policyFor(app)) => {
      files.set(path, { content, policy });
      return `${origin}${path}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function pageOf(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>Docs</title><link rel="icon" href="data:," /><link rel="stylesheet" href="/docs.css" /><body><h1>Docs</h1>${body}</body></html>`;
}

function typeOf(path: string): string {
  if (path.endsWith('.html')) return 'text/html; charset=utf-8';
  if (path.endsWith('.css')) return 'text/css';
  return path.endsWith('.js') ? 'text/javascript' : 'text/plain; charset=utf-8';
}
