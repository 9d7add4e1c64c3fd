/** MCP servers in IndexedDB; their keys are with those of providers. Pages of one browser notify each other of changes. */

import { openChannel } from '../../runtime/async/channel.ts';
import type { ServerStore } from '../mcp/stored-server.ts';
import { asFields } from '../../runtime/spec/guards.ts';
import type { Database } from '../../runtime/storage/db.ts';

export function openServerStore(database: () => Promise<Database>, basePath: string): ServerStore {
  const channel = openChannel(`cloche:${basePath}:servers`);
  return {
    list: async () => (await database()).getAll('servers'),
    add: async (server) => {
      await (await database()).put('servers', server);
      channel?.postMessage('changed');
    },
    put: async (server) => {
      const change = (await database()).transaction('servers', 'readwrite');
      // Another tab may have removed it.
      if ((await change.store.get(server.id)) !== undefined) await change.store.put(server);
      await change.done;
    },
    keys: async (id) => (await database()).get('keys', keyOf(id)),
    putKeys: async (id, keys, before) => {
      const change = (await database()).transaction('keys', 'readwrite');
      const { signedIn } = asFields(before === null ? null : await change.store.get(keyOf(id)));
      if (before === null || asFields(signedIn).state === before) {
        if (keys === null) await change.store.delete(keyOf(id));
        else await change.store.put(keys, keyOf(id));
      }
      await change.done;
    },
    remove: async (id) => {
      const change = (await database()).transaction(['servers', 'keys'], 'readwrite');
      await Promise.all([
        change.objectStore('servers').delete(id),
        change.objectStore('keys').delete(keyOf(id)),
        change.done,
      ]);
      channel?.postMessage('changed');
    },
    observe: (listener) => {
      channel?.addEventListener('message', () => listener());
    },
  };
}

function keyOf(id: string): string {
  return `mcp:${id}`;
}

export async function hasServers(database: () => Promise<Database>): Promise<boolean> {
  return (await (await database()).count('servers')) > 0;
}
