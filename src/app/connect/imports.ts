/** Reads documents to import in a worker, and fetches them. */

import { WorkerClient } from '../../runtime/async/worker-client.ts';
import { fetchFile } from '../../runtime/open-folder/fetched-folder.ts';
import {
  maxImportChars,
  type ImportFault,
  type ImportHead,
  type ImportItem,
  type ImportWorker,
  type WrittenImport,
} from '../../runtime/protocol/imports.ts';
import type { MessageTap } from '../../runtime/protocol/message-tap.ts';
import type { ImportControl } from '../app.ts';
import type { PageDeps } from '../page-deps.ts';
import { fetchOnce } from './folders.ts';

/** A document that takes longer is given up, with the worker. */
const deadlineMs = 60_000;

export function connectImports(deps: PageDeps): ImportControl {
  return {
    start: () => {
      const client = new WorkerClient<ImportWorker>({
        start: () => startImportWorker(deps.tap),
        died: () => new Error('The document could not be read: it may be nested too deeply'),
      });
      return {
        read: async (signal, document, name) => {
          const worker = client.connect();
          const limits = { deadlineMs, what: 'Reading the document' };
          const read = async (): Promise<ImportHead | ImportFault> =>
            worker.remote.read(document, name);
          const head = await worker.ask(signal, read(), limits);
          if ('fault' in head) return head;
          const items = [...head.items];
          const next = async (): Promise<readonly ImportItem[]> =>
            worker.remote.items(items.length);
          while (items.length < head.count)
            items.push(...(await worker.ask(signal, next(), limits)));
          return { ...head, items };
        },
        write: (signal, choice) => {
          const worker = client.connect();
          const write = async (): Promise<WrittenImport | ImportFault> =>
            worker.remote.write(choice);
          return worker.ask(signal, write(), { deadlineMs, what: 'Writing the file' });
        },
        end: () => client.end(),
      };
    },
    fetch: (signal, address) =>
      fetchOnce(deps, async (sending) => {
        const { bytes, url } = await fetchFile(signal, address, maxImportChars, sending);
        // The worker gets a file, since a text would be decoded on the page's thread.
        return { document: new Blob([bytes]), url };
      }),
  };
}

function startImportWorker(tap: MessageTap): Worker {
  const worker = new Worker(new URL('../../../workers/imports/importer.ts', import.meta.url), {
    type: 'module',
    name: 'imports',
  });
  return tap.watch('imports', worker);
}
