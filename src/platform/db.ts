/** The app's database: one for each base path of the origin, changed by versioned steps only. */

import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { databaseName, type ListingRecord } from '../protocol/listing.ts';
import type { KnownFolder } from '../folder/known-folder.ts';
import type { StoredPolicy } from '../grants/folder-policy.ts';
import type { BegunIn } from '../call/calls-under-way.ts';
import type { LoggedCall } from '../spec/call.ts';
import type { WorkspaceChoice } from '../workspace/choice.ts';
import { errorText, ToolError } from '../spec/error.ts';

/** Something large. */
export interface StoredContent {
  /** Not believed before somebody has looked at it. */
  readonly manifest: unknown;
  readonly content: Blob;
}

export interface ClocheSchema extends DBSchema {
  calls: { key: string; value: LoggedCall; indexes: { at: number } };
  listing: { key: string; value: ListingRecord };
  folders: { key: string; value: KnownFolder };
  /** Copies of folders, where the browser has no private file system to write them into. */
  copies: { key: string; value: StoredContent };
  /** What Python starts from, likewise. */
  snapshots: { key: string; value: StoredContent };
  /** Calls under way, in whatever page. */
  begun: { key: string; value: BegunIn };
  /** What tools of known folders may reach. */
  policies: { key: string; value: StoredPolicy };
  /** Which workspace each tools folder has. */
  workspaces: { key: string; value: WorkspaceChoice };
  /** Wheels that were fetched, likewise. */
  wheels: { key: string; value: StoredContent };
  /** What was resolved, and what indexes have listed. */
  packages: { key: string; value: unknown };
  /** Heads of sessions, as JSON. */
  sessions: { key: string; value: string };
  /** Their events, as JSON, by session and place in the log. */
  events: { key: [session: string, n: number]; value: string };
  /** What has streamed of a step under way, as JSON. */
  drafts: { key: [session: string, stepId: string, piece: number]; value: string };
  /** When sessions were removed, as long as that can be undone; milliseconds since the epoch. */
  removed: { key: string; value: number };
  /** Model providers. Not believed before somebody has looked at them. */
  providers: { key: string; value: unknown };
  /** Their keys and other secrets. */
  keys: { key: string; value: unknown };
}

export type Database = IDBPDatabase<ClocheSchema>;

/** Step n leads from version n to version n + 1. Never change one that has been released: add another. */
const steps: readonly ((database: Database) => void)[] = [
  (database) => {
    database.createObjectStore('calls', { keyPath: 'id' }).createIndex('at', 'at');
    database.createObjectStore('listing', { keyPath: 'id' });
  },
  (database) => {
    database.createObjectStore('folders', { keyPath: 'id' });
    database.createObjectStore('copies');
  },
  (database) => {
    database.createObjectStore('snapshots');
  },
  (database) => {
    database.createObjectStore('begun', { keyPath: 'id' });
  },
  (database) => {
    database.createObjectStore('policies', { keyPath: 'id' });
    database.createObjectStore('workspaces', { keyPath: 'id' });
  },
  (database) => {
    database.createObjectStore('wheels');
    database.createObjectStore('packages');
  },
  (database) => {
    for (const store of ['sessions', 'events', 'drafts', 'removed', 'keys'] as const)
      database.createObjectStore(store);
    database.createObjectStore('providers', { keyPath: 'id' });
  },
];

const stores = [
  ...['calls', 'listing', 'folders', 'copies', 'snapshots', 'begun', 'policies', 'workspaces'],
  ...['wheels', 'packages', 'sessions', 'events', 'drafts', 'removed', 'providers', 'keys'],
] as const;

/** Browsers have been seen never to answer, when their storage is damaged. */
const openMs = 10_000;

/**
 * Opens the database, bringing it up to date.
 *
 * @param onClosed told when the browser, or a newer version in another tab, has closed it
 * @throws {ToolError} `storage` where it is blocked, damaged or full, or of a newer version
 */
export async function openDatabase(basePath: string, onClosed: () => void): Promise<Database> {
  const name = databaseName(basePath);
  const database = await open(name, onClosed);
  if (stores.every((store) => database.objectStoreNames.contains(store))) return database;
  // Something else has made a database of this name without knowing what belongs in it.
  database.close();
  await deleteDB(name);
  return open(name, onClosed);
}

/** Ends in time, whatever the browser does; a connection that comes too late is closed. */
async function open(name: string, onClosed: () => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    let givenUp = false;
    const giveUp = (error: ToolError): void => {
      givenUp = true;
      reject(error);
    };
    const timer = setTimeout(() => {
      giveUp(unavailable('The browser’s storage did not answer.'));
    }, openMs);
    const onBlocked = (): void => {
      giveUp(blockedByOldTab());
    };
    connect(name, onClosed, onBlocked)
      .then(
        (database) => {
          if (givenUp) database.close();
          else resolve(database);
        },
        (thrown: unknown) => {
          giveUp(refused(thrown));
        },
      )
      .finally(() => {
        clearTimeout(timer);
      });
  });
}

/** Async, so that what a browser throws at the mere mention of storage is a rejection too. */
async function connect(
  name: string,
  onClosed: () => void,
  onBlocked: () => void,
): Promise<Database> {
  if (typeof indexedDB === 'undefined') throw new Error('This browser has no IndexedDB.');
  return openDB<ClocheSchema>(name, steps.length, {
    upgrade: (database, from) => {
      for (const step of steps.slice(from)) step(database);
    },
    blocked: onBlocked,
    // A newer version waits in another tab: give way, so that it need not wait for ever.
    blocking: (_current, _wanted, event) => {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

function refused(thrown: unknown): ToolError {
  if (thrown instanceof DOMException && thrown.name === 'VersionError') {
    return new ToolError(
      'storage',
      'The stored data was written by a newer version of Cloche.',
      'Reload the page to get the newer version.',
    );
  }
  return unavailable(errorText(thrown));
}

function blockedByOldTab(): ToolError {
  return new ToolError(
    'storage',
    'An older version of Cloche is open in another tab and blocks the storage.',
    'Close the other tabs of Cloche and reload this one.',
  );
}

function unavailable(reason: string): ToolError {
  return new ToolError(
    'storage',
    reason,
    'Allow this site to store data, or leave the private window. Until you close the tab, everything works without storage.',
  );
}
