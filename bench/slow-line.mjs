/** A slow connection to a local server, for both sides of a row alike: limited bytes per second, and a delay both ways. */

import { connect, createServer } from 'node:net';

/**
 * @param {string} target address of the server
 * @param {{megabits: number, roundTripMs: number}} line shared by all connections
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function openSlowLine(target, { megabits, roundTripMs }) {
  const { port, pathname } = new URL(target);
  const bytesPerMs = (megabits * 1_000_000) / 8 / 1000;
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  /** When the line has sent everything that was given to it. */
  let freeAt = 0;
  const server = createServer((browser) => {
    const site = connect(Number(port), 'localhost');
    for (const socket of [browser, site]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        browser.destroy();
        site.destroy();
      });
    }
    // A new connection costs a round trip before the first request is sent.
    const openAt = performance.now() + roundTripMs;
    const toSite = inOrder((chunk) => site.write(chunk));
    const toBrowser = inOrder((chunk) => browser.write(chunk));
    browser.on('data', (/** @type {Buffer} */ chunk) => {
      toSite(chunk, Math.max(openAt, performance.now()) + roundTripMs / 2);
    });
    site.on('data', (/** @type {Buffer} */ chunk) => {
      const now = performance.now();
      freeAt = Math.max(now, freeAt) + chunk.length / bytesPerMs;
      toBrowser(chunk, freeAt + roundTripMs / 2);
      // The server is not read faster than the line sends.
      const ahead = freeAt - now;
      if (ahead > 50) {
        site.pause();
        setTimeout(() => site.resume(), ahead - 50);
      }
    });
  });
  await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The line has no port.');
  return {
    url: `http://localhost:${address.port}${pathname}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/**
 * Passes chunks on at their times. Timers of different lengths may fire in another order than they should.
 * @param {(chunk: Buffer) => void} pass
 * @returns {(chunk: Buffer, at: number) => void}
 */
function inOrder(pass) {
  let last = Promise.resolve();
  return (chunk, at) => {
    last = last.then(
      () =>
        new Promise((resolve) => {
          setTimeout(
            () => {
              pass(chunk);
              resolve();
            },
            Math.max(0, at - performance.now()),
          );
        }),
    );
  };
}
