/**
 * The worker that speaks MCP with one server. It is loaded from a file, so that the page's policy, which allows no requests
 * to other hosts, does not apply to it.
 */

import { expose } from 'comlink';
import { mcpWorker } from '../../src/agent/mcp/wire/mcp-worker.ts';

declare const self: DedicatedWorkerGlobalScope & { window?: unknown; document?: unknown };

const fetch = self.fetch.bind(self);
// The client is given a `fetch` for its server, and must not use any other.
self.fetch = () => Promise.reject(new TypeError('There is no fetch here.'));
// Without `window` and `document`, the client takes the worker for Node, where a failed request says more about the server.
self.window = self.document = {};

// Newer names of permissions are missing in the types.
const permissions: {
  query(asked: { readonly name: string }): Promise<{ readonly state: string }>;
} = self.navigator.permissions;

expose(
  mcpWorker(fetch, {
    origin: self.location.origin,
    online: () => self.navigator.onLine,
    permission: async (name) => {
      try {
        return (await permissions.query({ name })).state;
      } catch {
        // The browser does not know the name.
        return null;
      }
    },
  }),
);
