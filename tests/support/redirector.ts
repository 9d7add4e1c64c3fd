/** A server that redirects every request to another host: threat 43. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Redirector {
  /** The address, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** The received requests, such as `GET /v1/models`. */
  readonly log: string[];
  /** Whether pages may read its redirects, and are allowed any request. */
  cors: boolean;
  status: number;
  close(): Promise<void>;
}

export async function startRedirector(to: string): Promise<Redirector> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (redirector.cors)
      for (const name of ['Origin', 'Headers', 'Methods'])
        response.setHeader(`Access-Control-Allow-${name}`, '*');
    const isPreflight = request.method === 'OPTIONS' && redirector.cors;
    if (!isPreflight) response.setHeader('Location', `${to}/stolen${request.url ?? ''}`);
    response.writeHead(isPreflight ? 204 : redirector.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const redirector: Redirector = {
    url: `http://127.0.0.1:${port}`,
    log,
    cors: false,
    status: 302,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  return redirector;
}
