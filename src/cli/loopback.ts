/** Checks and reads the requests of all servers of this program, and ends the servers. */

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/**
 * Whether a `Host` header names this machine. A page whose own name leads here has that name in the header (DNS
 * rebinding).
 */
export function isLocalHost(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host ?? '');
}

/** The address that a request asks for; null if that is no path. */
export function addressOf({ url = '' }: IncomingMessage): URL | null {
  return url.startsWith('/') ? URL.parse(`http://localhost${url}`) : null;
}

/** Resolves when the signal aborts, or if it has. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** The body of a request; null if it is too large. */
export async function bytesOf(
  request: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.byteLength;
    // @mutant a body without an end is not kept in memory => never [src/cli/mcp/http.test.ts]
    if (bytes > maxBytes) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
