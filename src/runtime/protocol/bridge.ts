/**
 * The wire between a page of another origin and the bridge: Cloche's own small page, in a hidden frame or a window, which
 * relays requests to the API.
 *
 * The page that opened the bridge sends a {@link Hello} with one port of a new channel. The bridge takes the origin of that
 * message as the caller's, and sends it to the API with each request.
 */

import { isRecord } from '../spec/guards.ts';

/** Header with the origin for which the bridge asks. Only a bridge sends it; a page of Cloche's own origin needs none. */
export const siteHeader = 'Cloche-Origin';

/** The origin for which a bridge asks; null for pages of Cloche's own origin. */
export function siteOf({ headers }: { readonly headers: Headers }): string | null {
  return headers.get(siteHeader);
}

/**
 * The bridge's first message to the page around or behind it, without a port: the bridge is ready
 * for a {@link Hello}.
 */
export const bridgeReady = { type: 'cloche-bridge' } as const;

export interface Hello {
  readonly type: 'cloche-hello';
}

/** Longest body of a request in characters. */
const maxBodyChars = 64 * 1024 * 1024;

export type BridgeRequest =
  | {
      readonly type: 'request';
      /** Unique on this channel. */
      readonly id: number;
      readonly method: string;
      /** The path behind `api/`, with the query. */
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string | null;
    }
  /** The answer is no longer needed; a call is cancelled. */
  | { readonly type: 'abort'; readonly id: number };

export type BridgeAnswer =
  | {
      readonly type: 'head';
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly type: 'end'; readonly id: number }
  /** There is no answer, or no more of it. `needs-window`: this frame reaches no page of the app. */
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly code: 'needs-window' | 'bad-request' | 'failed';
      readonly message: string;
    };

const methods = ['GET', 'HEAD', 'POST', 'DELETE'];
/** Headers that the API reads. All others are dropped, above all {@link siteHeader}. */
const passedHeaders = [
  'accept',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

export function isHello(data: unknown): data is Hello {
  return isRecord(data) && data.type === 'cloche-hello';
}

/**
 * Validates a request; `undefined` for anything else. Headers that the API does not read are left
 * out.
 */
export function parseBridgeRequest(data: unknown): BridgeRequest | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, method, path, headers, body } = data;
  if (typeof id !== 'number') return undefined;
  if (type === 'abort') return { type, id };
  if (type !== 'request' || typeof method !== 'string' || !methods.includes(method))
    return undefined;
  if (typeof path !== 'string' || !isApiPath(path)) return undefined;
  if (!(body === null || (typeof body === 'string' && body.length <= maxBodyChars)))
    return undefined;
  const headerPairs = isRecord(headers) ? Object.entries(headers) : [];
  const passed = headerPairs.flatMap(([name, value]) => {
    // @mutant bridge: a page cannot send a header that the API does not read => without
    //   passedHeaders.includes(name.toLowerCase()) &&
    const isPassed = passedHeaders.includes(name.toLowerCase()) && typeof value === 'string';
    return isPassed && /^[\x20-\x7e]{0,1000}$/.test(value) ? [[name, value]] : [];
  });
  return {
    type,
    id,
    method,
    path,
    headers: Object.fromEntries(passed) as Record<string, string>,
    body,
  };
}

/** Validates an answer; `undefined` for anything else. */
export function parseBridgeAnswer(data: unknown): BridgeAnswer | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, status, headers, bytes, code, message } = data;
  if (typeof id !== 'number') return undefined;
  switch (type) {
    case 'head':
      return typeof status === 'number' && isRecord(headers)
        ? { type, id, status, headers: headers as Record<string, string> }
        : undefined;
    case 'chunk':
      return bytes instanceof Uint8Array ? { type, id, bytes } : undefined;
    case 'end':
      return { type, id };
    case 'failed':
      return {
        type,
        id,
        code: code === 'needs-window' || code === 'bad-request' ? code : 'failed',
        message: typeof message === 'string' ? message : 'The request failed.',
      };
    default:
      return undefined;
  }
}

/** Returns whether the path stays below `api/`: no empty, dot or escaped-dot segments, and nothing that changes the address. */
function isApiPath(path: string): boolean {
  const [segments = ''] = path.split('?');
  return (
    path.length <= 8_000 &&
    /^[\w.~!$&'()*+,;=:@%/?-]+$/.test(path) &&
    // @mutant bridge: a path does not lead out of the API => without && !/^(\.|%2e){1,2}$/i.test(part)
    segments.split('/').every((part) => part !== '' && !/^(\.|%2e){1,2}$/i.test(part))
  );
}
