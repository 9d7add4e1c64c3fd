/** Finds a free port of this machine. */
import { createServer } from 'node:net';
import { listen } from './static-server.mjs';

/** @returns {Promise<number>} */
export async function freePort() {
  const server = createServer();
  const port = await listen(server, 0, '127.0.0.1');
  await new Promise((resolve) => server.close(resolve));
  return port;
}
