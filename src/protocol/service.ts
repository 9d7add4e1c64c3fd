/**
 * The wire between the service worker and the app pages.
 *
 * The worker asks a window {@link WhoAreYou} with one end of a fresh channel; an app page of this base path answers on
 * it with its {@link Role}, at once and at every change. The worker keeps the host's channel for as long as both live, and
 * sends its requests there, many at a time, told apart by their ids. Each side holds a lock for as long as it lives, which
 * the other one waits for: ports do not tell that their other end is gone.
 */

import { isRecord } from '../spec/guards.ts';

/** Held by the app page that answers for the API. */
export function hostLock(basePath: string): string {
  return `cloche-api-host:${basePath}`;
}

/** Held by every app page under a name of its own, which begins so and goes on without a slash. */
export function pageLockPrefix(basePath: string): string {
  return `cloche-page:${basePath}:`;
}

/** Held by the service worker: its end takes requests under way with it, and its channels are left behind. */
export function workerLock(basePath: string, id: string): string {
  return `cloche-worker:${basePath}:${id}`;
}

/** `host` answers; `standby` has a folder open and waits for the host to go; `idle` has no folder open. */
export type Role = 'host' | 'standby' | 'idle';

/** Worker to window, with a port; windows that are no app page of `base` leave it unanswered. */
export interface WhoAreYou {
  readonly type: 'cloche-who';
  /** The base path that the worker serves. */
  readonly base: string;
  /** The worker's own lock. */
  readonly lock: string;
}

/** Page to worker, past any channel, while a request is under way; nothing but its arrival counts. */
export const stayAwake = { type: 'cloche-stay-awake' } as const;

export type HeaderList = readonly (readonly [string, string])[];

export type WorkerMessage =
  | {
      readonly type: 'request';
      /** Unique on this channel. */
      readonly id: number;
      readonly method: string;
      /** What follows `api/`, still percent-encoded, without the query. */
      readonly path: string;
      readonly headers: HeaderList;
      readonly body: ArrayBuffer | null;
      /** Milliseconds since the epoch. */
      readonly sentAt: number;
      /** Chunks of the answer that may be sent before more are asked for; without it, all of them. */
      readonly ahead?: number;
    }
  /** As many chunks of the answer, counted from its beginning, may be sent. */
  | { readonly type: 'more'; readonly id: number; readonly upTo: number }
  /** Nobody waits for the answer any more. */
  | { readonly type: 'abort'; readonly id: number }
  /** The channel is closed. */
  | { readonly type: 'bye' };

export type PageMessage =
  | { readonly type: 'role'; readonly role: Role; readonly lock: string }
  /** Sent before anything is done: without it, a request of a page that is gone was never begun. */
  | { readonly type: 'accepted'; readonly id: number }
  /** `chunk` and `end`, or `failed`, follow only where `hasBody`. */
  | {
      readonly type: 'head';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderList;
      readonly hasBody: boolean;
    }
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

/** `undefined` for everything else that may arrive at a window. */
export function parseWhoAreYou(data: unknown): WhoAreYou | undefined {
  if (!isRecord(data)) return undefined;
  const { type, base, lock } = data;
  if (type !== 'cloche-who' || typeof base !== 'string' || typeof lock !== 'string')
    return undefined;
  return { type, base, lock };
}

/** `undefined` for what this version of the wire does not know. */
export function parseWorkerMessage(data: unknown): WorkerMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, method, path, headers, body, sentAt, ahead, upTo } = data;
  if (type === 'bye') return { type };
  if (typeof id !== 'number') return undefined;
  if (type === 'abort') return { type, id };
  if (type === 'more') return typeof upTo === 'number' ? { type, id, upTo } : undefined;
  if (type !== 'request' || typeof method !== 'string' || typeof path !== 'string')
    return undefined;
  if (!isHeaderList(headers) || !(body === null || body instanceof ArrayBuffer)) return undefined;
  if (typeof sentAt !== 'number') return undefined;
  const request = { type, id, method, path, headers, body, sentAt } as const;
  return typeof ahead === 'number' ? { ...request, ahead } : request;
}

/** `undefined` for what this version of the wire does not know. */
export function parsePageMessage(data: unknown): PageMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, role, lock, status, headers, hasBody, bytes, message } = data;
  if (type === 'role')
    return isRole(role) && typeof lock === 'string' ? { type, role, lock } : undefined;
  if (typeof id !== 'number') return undefined;
  switch (type) {
    case 'accepted':
    case 'end':
      return { type, id };
    case 'head':
      return typeof status === 'number' && isHeaderList(headers) && typeof hasBody === 'boolean'
        ? { type, id, status, headers, hasBody }
        : undefined;
    case 'chunk':
      return isBytes(bytes) ? { type, id, bytes } : undefined;
    case 'failed':
      return typeof message === 'string' ? { type, id, message } : undefined;
    default:
      return undefined;
  }
}

function isRole(value: unknown): value is Role {
  return value === 'host' || value === 'standby' || value === 'idle';
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;
}

function isHeaderList(value: unknown): value is HeaderList {
  return (
    Array.isArray(value) &&
    value.every((pair: unknown) => {
      return (
        Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string')
      );
    })
  );
}
