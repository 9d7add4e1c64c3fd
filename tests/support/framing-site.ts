/** A page of the same site as the app, on another port, that shows any address in a transparent frame. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FramingSite {
  readonly origin: string;
  /** Address of a page that frames another address. */
  around(address: string): string;
  close(): Promise<void>;
}

export async function startFramingSite(): Promise<FramingSite> {
  const server = createServer(({ url = '' }, response) => {
    const framed = new URL(url, 'http://localhost').searchParams.get('address') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>A prize</title><link rel="icon" href="data:," />' +
        '<style>body { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh; opacity: 0.01 }</style>' +
        `<iframe src="${encodeURI(framed)}"></iframe>`,
    );
  });
  // The same host name as the app's, so that the frame has the app's real storage.
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    around: (address) => `${origin}/?address=${encodeURIComponent(address)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
