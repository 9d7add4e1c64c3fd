/** The call log and the tool list in IndexedDB. */

import type { CallStore } from '../call/call-log.ts';
import { sizeOf } from '../call/stored-calls.ts';
import type { ListingRecord } from '../protocol/listing.ts';
import type { BegunCall, LoggedCall } from '../spec/call.ts';
import { notInFrame } from '../spec/error.ts';
import { openDatabase, type CallBatch, type Database } from './db.ts';

export interface Storage {
  readonly calls: CallStore;
  readonly saveListing: (record: ListingRecord) => Promise<void>;
  /** The database, for other stores. */
  readonly database: () => Promise<Database>;
}

/** Limits of a batch: calls, and their approximate size in characters, since reading one must not block the page. */
const batchCalls = 100;
const batchChars = 500_000;

/**
 * Opens the database at its first use, and again after it was closed.
 *
 * @param framed whether a page of another origin frames this one; then nothing is read or written
 */
export function openStorage(basePath: string, framed: boolean): Storage {
  let opened: Promise<Database> | null = null;
  const database = (): Promise<Database> => {
    // @mutant nothing is stored in a frame of another origin => never
    if (framed) return Promise.reject(notInFrame('Nothing is stored in a frame of another site.'));
    opened ??= openDatabase(basePath, () => {
      opened = null;
    }).catch((thrown: unknown) => {
      opened = null;
      throw thrown;
    });
    return opened;
  };
  const batches = new Batches();
  return {
    database,
    calls: {
      load: async (take) => {
        // Batches are read one at a time: reading a full log at once would block the page for
        // seconds.
        const { store } = (await database()).transaction('calls');
        for await (const { value } of store.index('at')) {
          batches.add(value);
          for (const call of 'calls' in value ? value.calls : [value]) take(withUserCaller(call));
        }
      },
      begin: async (begun) => {
        const { store, done } = (await database()).transaction('begun', 'readwrite');
        await Promise.all([...begun.map((call) => store.put(call)), done]);
      },
      begun: async () => (await (await database()).getAll('begun')).map(withUserCaller),
      write: async (added, dropped, ended) => {
        const stores = ended.length > 0 ? (['calls', 'begun'] as const) : (['calls'] as const);
        const transaction = (await database()).transaction(stores, 'readwrite');
        const store = transaction.objectStore('calls');
        const writes: Promise<unknown>[] = [transaction.done];
        try {
          for (const record of inBatches(added)) {
            batches.add(record);
            writes.push(store.put(record));
          }
          for (const id of batches.drop(dropped)) writes.push(store.delete(id));
          if (ended.length > 0) {
            const begun = transaction.objectStore('begun');
            for (const id of ended) writes.push(begun.delete(id));
          }
          // Commit explicitly: if the page closes, uncommitted changes are lost.
          transaction.commit();
          await Promise.all(writes);
        } catch (thrown) {
          abort(transaction);
          await Promise.allSettled(writes);
          throw thrown;
        }
      },
      clear: async () => (await database()).clear('calls'),
    },
    saveListing: async (record) => {
      await (await database()).put('listing', record);
    },
  };
}

/**
 * Knows which calls lie in a batch. A batch is deleted when its last call is dropped; the log drops
 * the oldest calls first.
 */
class Batches {
  readonly #batches = new Map<string, { readonly id: string; left: number }>();
  /** Marked calls, which have a record of their own; an unmarked copy may be in a batch. */
  readonly #marked = new Set<string>();

  add(record: LoggedCall | CallBatch): void {
    if ('calls' in record) {
      const batch = { id: record.id, left: record.calls.length };
      for (const call of record.calls) this.#batches.set(call.id, batch);
    } else if (record.mark !== undefined) this.#marked.add(record.id);
  }

  /** @returns ids of the records to delete */
  drop(calls: readonly string[]): string[] {
    return calls.flatMap((id) => {
      const batch = this.#batches.get(id);
      if (batch === undefined) return [id];
      this.#batches.delete(id);
      batch.left -= 1;
      return [...(this.#marked.delete(id) ? [id] : []), ...(batch.left === 0 ? [batch.id] : [])];
    });
  }
}

/** Calls that end at about the same time share a record, because storing a record costs more than storing a call. */
function inBatches(added: readonly LoggedCall[]): (LoggedCall | CallBatch)[] {
  const groups: LoggedCall[][] = [];
  let room = 0;
  for (const call of added) {
    const size = sizeOf(call);
    const last = groups.at(-1);
    // A marked call has a separate record, since it may be marked again.
    const isAlone = call.mark !== undefined;
    if (last === undefined || isAlone || size > room || last.length === batchCalls) {
      groups.push([call]);
      room = isAlone ? 0 : batchChars - size;
    } else {
      last.push(call);
      room -= size;
    }
  }
  return groups.map((calls) => {
    const [first, ...more] = calls;
    if (first !== undefined && more.length === 0) return first;
    return { id: crypto.randomUUID(), at: first?.at ?? 0, calls };
  });
}

/** Earlier versions stored the user's calls as those of a "person". */
function withUserCaller<T extends BegunCall>(stored: T): T {
  const { caller }: { caller: string } = stored.call;
  return caller === 'person' ? { ...stored, call: { ...stored.call, caller: 'user' } } : stored;
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already ended.
  }
}
