/** The app's database: one for each base path of the origin, with versioned upgrades. */

import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { databaseName, type ListingRecord } from '../protocol/listing.ts';
import type { EditDraft } from '../folder/edit-draft.ts';
import type { KnownFolder } from '../folder/known-folder.ts';
import type { StoredPolicy } from '../grants/folder-policy.ts';
import type { BegunIn } from '../call/stored-calls.ts';
import type { LoggedCall } from '../spec/call.ts';
import type { WorkspaceChoice } from '../workspace/choice.ts';
import { errorText, ToolError } from '../spec/error.ts';

/** A large content with its description. */
export interface StoredContent {
  /** The manifest, which readers must validate. */
  readonly manifest: unknown;
  readonly content: Blob;
}

/** A {@link StoredContent} in the database. WebKit stores no blobs in private windows, but earlier versions of Cloche stored them. */
export interface ContentInDatabase {
  readonly manifest: unknown;
  readonly content: ArrayBuffer | Blob;
}

/** Calls that were stored together. */
export interface CallBatch {
  readonly id: string;
  /** When the first of the calls ended. */
  readonly at: number;
  readonly calls: readonly LoggedCall[];
}

/** A file or folder of a folder in the database. */
export type StoredEntry =
  | { readonly kind: 'directory' }
  | { readonly kind: 'file'; readonly content: ArrayBuffer; readonly modifiedAt: number };

/** The folder's id, the path of the folder above the entry, and the entry's name. */
export type EntryKey = [folder: string, above: string, name: string];

export interface ClocheSchema extends DBSchema {
  calls: { key: string; value: LoggedCall | CallBatch; indexes: { at: number } };
  listing: { key: string; value: ListingRecord };
  folders: { key: string; value: KnownFolder };
  /** Copies of folders, in browsers without a writable private file system. */
  copies: { key: string; value: ContentInDatabase };
  /** Snapshots of Python's memory, in browsers without a writable private file system. */
  snapshots: { key: string; value: ContentInDatabase };
  /** Running calls of all pages. */
  begun: { key: string; value: BegunIn };
  /** Policies: the access of the tools of known folders. */
  policies: { key: string; value: StoredPolicy };
  /** The workspace of each tools folder. */
  workspaces: { key: string; value: WorkspaceChoice };
  /** Downloaded wheels, in browsers without a writable private file system. */
  wheels: { key: string; value: ContentInDatabase };
  /** Package resolutions and index listings. */
  packages: { key: string; value: unknown };
  /** Heads of sessions, as JSON. */
  sessions: { key: string; value: string };
  /** Events of sessions, as JSON. */
  events: { key: [session: string, n: number]; value: string };
  /** Drafts of steps in progress, as JSON. */
  drafts: { key: [session: string, stepId: string, piece: number]; value: string };
  /** When sessions were removed, while that can be undone; milliseconds since the epoch. */
  removed: { key: string; value: number };
  /** Model providers, which readers must validate. */
  providers: { key: string; value: unknown };
  /** Keys and other secrets of providers. */
  keys: { key: string; value: unknown };
  /** Unsaved texts of files. */
  edits: { key: [folderId: string, path: string]; value: EditDraft };
  /** Events of runs of plans, as JSON. */
  runs: { key: [run: string, n: number]; value: string };
  /** Events of runs of evaluations, as JSON. */
  evals: { key: [run: string, n: number]; value: string };
  /** MCP servers, which readers must validate. */
  servers: { key: string; value: unknown };
  /** Files and folders of private folders, in browsers without a writable private file system. */
  files: { key: EntryKey; value: StoredEntry };
}

export type Database = IDBPDatabase<ClocheSchema>;

/**
 * The stores that each version added. Never change a released version; add another. An upgrade only adds stores: values of an
 * older version stay as they are, and their readers must accept them.
 */
const versions = [
  ['calls', 'listing'],
  ['folders', 'copies'],
  ['snapshots'],
  ['begun'],
  ['policies', 'workspaces'],
  ['wheels', 'packages'],
  ['sessions', 'events', 'drafts', 'removed', 'keys', 'providers'],
  ['edits'],
  ['runs'],
  ['evals'],
  ['servers'],
  ['files'],
] as const;

/** Stores whose values have their key as `id`. */
const withId = [
  'calls',
  'listing',
  'folders',
  'begun',
  'policies',
  'workspaces',
  'providers',
  'servers',
];

/** Some browsers never answer if their storage is damaged. */
const openMs = 10_000;

/**
 * Opens the database and upgrades it.
 *
 * @param onClosed called when the browser, or a newer version in another tab, has closed it
 * @throws {ToolError} `storage` if the database is blocked, damaged, full or of a newer version
 */
export async function openDatabase(basePath: string, onClosed: () => void): Promise<Database> {
  const name = databaseName(basePath);
  const database = await openConnection(name, onClosed);
  if (versions.flat().every((store) => database.objectStoreNames.contains(store))) return database;
  // Another program has created a database of this name without our stores.
  database.close();
  await deleteDB(name);
  return openConnection(name, onClosed);
}

/** Rejects after a timeout; a connection that opens later is closed. */
async function openConnection(name: string, onClosed: () => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: ToolError): void => {
      hasFailed = true;
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(unavailableError('The browser’s storage did not answer.'));
    }, openMs);
    const onBlocked = (): void => fail(blockedByOldTab());
    connect(name, onClosed, onBlocked)
      .then(
        (database) => {
          if (hasFailed) database.close();
          else resolve(database);
        },
        (thrown: unknown) => fail(openingError(thrown)),
      )
      .finally(() => clearTimeout(timer));
  });
}

/** Async, so that an exception from accessing storage becomes a rejection. */
async function connect(
  name: string,
  onClosed: () => void,
  onBlocked: () => void,
): Promise<Database> {
  if (typeof indexedDB === 'undefined') throw new Error('This browser has no IndexedDB.');
  return openDB<ClocheSchema>(name, versions.length, {
    upgrade: (database, from) => {
      for (const store of versions.slice(from).flat()) {
        const options = withId.includes(store) ? { keyPath: 'id' } : {};
        if (store === 'calls') database.createObjectStore(store, options).createIndex('at', 'at');
        else database.createObjectStore(store, options);
      }
    },
    blocked: onBlocked,
    // Another tab has a newer version: close the connection, so that it can upgrade.
    blocking: (_current, _wanted, event) => {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

function openingError(thrown: unknown): ToolError {
  if (thrown instanceof DOMException && thrown.name === 'VersionError') {
    return new ToolError(
      'storage',
      'The stored data was written by a newer version of Cloche.',
      'Reload the page to get the newer version.',
    );
  }
  return unavailableError(errorText(thrown));
}

function blockedByOldTab(): ToolError {
  return new ToolError(
    'storage',
    'An older version of Cloche is open in another tab and blocks the storage.',
    'Close the other tabs of Cloche and reload this one.',
  );
}

function unavailableError(reason: string): ToolError {
  return new ToolError(
    'storage',
    reason,
    'Allow this site to store data, or leave the private window. Until you close the tab, everything works without storage.',
  );
}
