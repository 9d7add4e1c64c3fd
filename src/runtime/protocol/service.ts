/**
 * The wire between the service worker and the app pages.
 *
 * The worker sends a window {@link WhoAreYou} with one port of a new channel; an app page of this base path answers on it
 * with its {@link Role}, at once and at every change. The worker keeps the hosts' channels as long as both live, and sends
 * requests over them, many at a time, told apart by their ids. Each side holds a lock as long as it lives, and the other side
 * waits for that lock, since a port does not report that its other end is gone.
 */

import { isRecord } from '../spec/guards.ts';

/** A tools folder that is open in a page. */
export interface ApiFolder {
  readonly id: string;
  /** Several folders can have the same name. */
  readonly name: string;
}

/** Lock of a folder's host: the app page that answers API requests for it. */
export function hostLock(basePath: string, folderId: string): string {
  return `cloche-api-host:${basePath}:${folderId}`;
}

/** Prefix of the lock that each app page holds; the rest of its name contains no slash. */
export function pageLockPrefix(basePath: string): string {
  return `cloche-page:${basePath}:`;
}

/** Lock of the service worker: when it is released, all running requests and channels of that worker are dead. */
export function workerLock(basePath: string, id: string): string {
  return `cloche-worker:${basePath}:${id}`;
}

/**
 * `host` answers requests for its folder; `standby` has the folder of another host open, and becomes host when that one
 * closes; `idle` has no folder open.
 */
export type Role = 'host' | 'standby' | 'idle';

/** Worker to window, with a port. Only app pages of `base` answer. */
export interface WhoAreYou {
  readonly type: 'cloche-who';
  /** Base path that the worker serves. */
  readonly base: string;
  /** Name of the worker's lock. */
  readonly lock: string;
}

/** Page to worker, outside the channels, while a request runs: the event alone keeps the worker alive. */
export const stayAwake = { type: 'cloche-stay-awake' } as const;

/** Page to worker, outside the channels: a page has become host, which the worker may not know yet. */
export const hostsChanged = { type: 'cloche-hosts-changed' } as const;

export type HeaderList = readonly (readonly [string, string])[];

export type WorkerMessage =
  | {
      readonly type: 'request';
      /** Unique on this channel. */
      readonly id: number;
      readonly method: string;
      /** The path behind `api/`, still percent-encoded, without the query. */
      readonly path: string;
      /** The query without its question mark, still percent-encoded; absent if there is none. */
      readonly query?: string;
      /** The folders that pages host, the one that was used last first; absent means unknown. */
      readonly folders?: readonly ApiFolder[];
      readonly headers: HeaderList;
      readonly body: ArrayBuffer | null;
      /** Milliseconds since the epoch. */
      readonly sentAt: number;
      /** Number of chunks of the answer that may be sent before the first `more`; absent means all. */
      readonly ahead?: number;
      /** The worker understands `whole`; absent means that it does not. */
      readonly takesWhole?: true;
    }
  /** Allows chunks up to this number, counted from the answer's first. */
  | { readonly type: 'more'; readonly id: number; readonly upTo: number }
  /** The answer is no longer needed. */
  | { readonly type: 'abort'; readonly id: number }
  /** The channel is closed. */
  | { readonly type: 'bye' };

/** A page's description of itself. */
export interface Introduction {
  readonly role: Role;
  /** The page's own lock. */
  readonly lock: string;
  /** The open folder; absent if the page is idle. */
  readonly folder?: ApiFolder;
  /** When the user last used the page, in milliseconds since the epoch. */
  readonly usedAt?: number;
}

export type PageMessage =
  | ({ readonly type: 'role' } & Introduction)
  /** Sent before the request is handled. If the page closes without having sent it, the request was not started. */
  | { readonly type: 'accepted'; readonly id: number }
  /** If `hasBody`, `chunk`s follow, then `end` or `failed`. */
  | {
      readonly type: 'head';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderList;
      readonly hasBody: boolean;
    }
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end'; readonly id: number }
  /** Instead of `head`, one `chunk` and `end`, for a worker that supports it. */
  | {
      readonly type: 'whole';
      readonly id: number;
      readonly status: number;
      readonly headers: HeaderList;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

/** Validates the message; `undefined` for any other message to the window. */
export function parseWhoAreYou(data: unknown): WhoAreYou | undefined {
  if (!isRecord(data)) return undefined;
  const { type, base, lock } = data;
  if (type !== 'cloche-who' || typeof base !== 'string' || typeof lock !== 'string')
    return undefined;
  return { type, base, lock };
}

/**
 * Validates a message of the worker; `undefined` for what this version of the wire does not know.
 */
export function parseWorkerMessage(data: unknown): WorkerMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, method, path, query, folders, headers, body, sentAt, ahead, upTo } = data;
  const { takesWhole } = data;
  if (type === 'bye') return { type };
  if (typeof id !== 'number') return undefined;
  if (type === 'abort') return { type, id };
  if (type === 'more') return typeof upTo === 'number' ? { type, id, upTo } : undefined;
  if (type !== 'request' || typeof method !== 'string' || typeof path !== 'string')
    return undefined;
  if (!isHeaderList(headers) || !(body === null || body instanceof ArrayBuffer)) return undefined;
  if (typeof sentAt !== 'number') return undefined;
  return {
    type,
    id,
    method,
    path,
    headers,
    body,
    sentAt,
    ...(typeof query === 'string' && { query }),
    ...(Array.isArray(folders) && { folders: folders.filter(isFolder) }),
    ...(typeof ahead === 'number' && { ahead }),
    ...(takesWhole === true && { takesWhole }),
  };
}

/** Validates a message of a page; `undefined` for what this version of the wire does not know. */
export function parsePageMessage(data: unknown): PageMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { type, id, status, headers, hasBody, bytes, message } = data;
  if (type === 'role') return parseIntroduction(data);
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
    case 'whole':
      return typeof status === 'number' && isHeaderList(headers) && isBytes(bytes)
        ? { type, id, status, headers, bytes }
        : undefined;
    case 'failed':
      return typeof message === 'string' ? { type, id, message } : undefined;
    default:
      return undefined;
  }
}

function parseIntroduction(data: Readonly<Record<string, unknown>>): PageMessage | undefined {
  const { role, lock, folder, usedAt } = data;
  if (!isRole(role) || typeof lock !== 'string') return undefined;
  return {
    type: 'role',
    role,
    lock,
    ...(isFolder(folder) && { folder: { id: folder.id, name: folder.name } }),
    ...(typeof usedAt === 'number' && { usedAt }),
  };
}

function isFolder(value: unknown): value is ApiFolder {
  return isRecord(value) && typeof value.id === 'string' && typeof value.name === 'string';
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
