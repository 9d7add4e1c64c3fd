/** Downloads files for packages: without cookies, with size and time limits, and recorded in the request log. */

import type { NetworkDeps } from '../grants/call-requests.ts';
import { requestTarget } from '../grants/request-parts.ts';
import type { SentResponse } from '../grants/network-sender.ts';
import { errorText } from '../spec/error.ts';
import { joinBytes } from '../spec/bytes.ts';
import { PackageFault } from '../spec/wheel.ts';

type DownloadDeps = Pick<NetworkDeps, 'send' | 'log' | 'appOrigin' | 'isOnline' | 'now'>;

export interface Wish {
  readonly url: string;
  readonly accept: string;
  readonly maxBytes: number;
  /** Origin of the index that the user chose. It is the only allowed origin on this computer or its network. */
  readonly localOrigin: string;
  /** Receives the number of bytes downloaded so far. */
  readonly onBytes?: (received: number) => void;
}

export interface Downloaded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

export type Download = (signal: AbortSignal, wish: Wish) => Promise<Downloaded | 'not-found'>;

const tryAgain = 'Press Refresh to try again.';
/** Milliseconds without any data after which the server counts as gone. */
const stalledMs = 30_000;
/** Milliseconds after which even a slow download is cancelled. */
const longestMs = 15 * 60_000;

/** Returns a function that downloads a file. It throws {PackageFault} and the signal's reason. */
export function downloadWith(deps: DownloadDeps): Download {
  const { send, log, now } = deps;
  return async (signal, wish) => {
    const { origin, url } = allowed(wish, deps.appOrigin);
    const from = now();
    const note = log.add({
      at: from,
      tool: 'packages',
      callId: '',
      origin,
      method: 'GET',
      url,
    });
    const stall = watchStall();
    try {
      const sent = await send(AbortSignal.any([signal, stall.signal]), {
        url,
        method: 'GET',
        headers: [['Accept', wish.accept]],
        body: null,
        secrets: [],
      });
      signal.throwIfAborted();
      if ('failed' in sent) throw unreachableFault(origin, sent, deps.isOnline());
      stall.progress();
      note({ status: sent.status });
      if (sent.status === 404 || sent.status === 410) {
        sent.cancel();
        note({ durationMs: now() - from });
        return 'not-found';
      }
      if (sent.status !== 200) {
        sent.cancel();
        throw new PackageFault(
          'package-unreachable',
          `${origin} answered with status ${sent.status}`,
          tryAgain,
        );
      }
      const bytes = await bodyOf(signal, sent, origin, { ...wish, onPiece: stall.progress });
      signal.throwIfAborted();
      note({ receivedBytes: bytes.byteLength, durationMs: now() - from });
      return { bytes, type: headerOf(sent, 'content-type') };
    } catch (thrown) {
      note({
        fault: errorText(thrown),
        durationMs: now() - from,
      });
      throw thrown;
    } finally {
      stall.end();
    }
  };
}

/** Downloads only while that is allowed: after the user revokes it, the next request fails. */
export function downloadWhile(isAllowed: () => boolean, download: Download): Download {
  return async (signal, wish) => {
    if (isAllowed()) return download(signal, wish);
    throw new PackageFault(
      'package-unreachable',
      'this folder may no longer download packages',
      'Allow packages on the Policy page, or put the wheel in the folder wheels/ next to the tools.',
    );
  };
}

function watchStall(): { signal: AbortSignal; progress: () => void; end: () => void } {
  const stop = new AbortController();
  const begin = (): ReturnType<typeof setTimeout> =>
    setTimeout(() => stop.abort(new Error('The server stopped responding.')), stalledMs);
  const last = setTimeout(() => stop.abort(new Error('The server took too long.')), longestMs);
  let timer = begin();
  const end = (): void => {
    clearTimeout(timer);
    clearTimeout(last);
  };
  const progress = (): void => {
    clearTimeout(timer);
    timer = begin();
  };
  return { signal: stop.signal, progress, end };
}

/** @throws {PackageFault} if the address must not be used */
function allowed({ url, localOrigin }: Wish, appOrigin: string): { url: string; origin: string } {
  const target = requestTarget(url, appOrigin);
  if ('why' in target)
    throw new PackageFault(
      'package-unreachable',
      `An address of the index is not valid: ${target.why}`,
      'Choose another index on the Policy page.',
    );
  const { protocol } = new URL(target.url);
  const named = target.origin === localOrigin;
  // @mutant packages come over an encrypted connection => protocol !== 'https:' -> false
  if (target.local ? !named : protocol !== 'https:')
    throw new PackageFault(
      'package-unreachable',
      target.local
        ? `The index leads to ${target.origin}, which is on this computer or its network`
        : `${target.origin} is not encrypted, so others on the network could change the package`,
      'Choose another index on the Policy page.',
    );
  return target;
}

function unreachableFault(
  origin: string,
  { failed, why }: { readonly failed: 'redirect' | 'network'; readonly why: string },
  isOnline: boolean,
): PackageFault {
  if (failed === 'redirect')
    return new PackageFault(
      'package-unreachable',
      `${origin} answered with a redirect, which is not followed`,
      'Enter the final address of the index on the Policy page.',
    );
  if (!isOnline)
    return new PackageFault(
      'package-unreachable',
      `${origin} cannot be reached: this browser is offline`,
      'Go online and press Refresh, or put a wheel in the folder wheels/ next to the tools.',
    );
  return new PackageFault(
    'package-unreachable',
    `${origin} cannot be reached, or does not allow requests from web pages (${why})`,
    'Go online and press Refresh, or put a wheel in the folder wheels/ next to the tools.',
  );
}

async function bodyOf(
  signal: AbortSignal,
  sent: SentResponse,
  origin: string,
  { maxBytes, onBytes, onPiece }: Wish & { readonly onPiece: () => void },
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (;;) {
    const piece = await sent.read().catch(() => {
      signal.throwIfAborted();
      throw new PackageFault(
        'package-unreachable',
        `the connection to ${origin} was lost`,
        tryAgain,
      );
    });
    if (piece === null) break;
    onPiece();
    received += piece.byteLength;
    // @mutant the size limit of a package => never
    if (received > maxBytes) {
      sent.cancel();
      throw new PackageFault(
        'package-limit',
        `the response of ${origin} is larger than the limit of ${Math.round(maxBytes / 2 ** 20)} MB`,
        'Use a smaller package.',
      );
    }
    pieces.push(piece);
    onBytes?.(received);
  }
  return joinBytes(pieces);
}

function headerOf({ headers }: SentResponse, wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
