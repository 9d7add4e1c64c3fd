/** The servers that the user has added: their connections, and their tools in the registry. */

import { Observable } from '../../runtime/hooks/observe.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { McpCause } from '../../runtime/protocol/mcp.ts';
import type { MessageTap } from '../../runtime/protocol/message-tap.ts';
import type { YamlReader } from '../../runtime/protocol/yaml.ts';
export { signInPage } from './sign-in-page.ts';
import { countChars } from './pinned-definitions.ts';
import { startServerWorker } from './server-link.ts';
import { Server, type ServerDeps, type ServerView } from './server.ts';
import {
  parseServer,
  serverAddress,
  serverKey,
  type ServerStore,
  type StoredServer,
} from './stored-server.ts';

export interface ServersDeps extends Omit<ServerDeps, 'registry' | 'save' | 'keys' | 'room'> {
  readonly store: ServerStore;
  readonly registry: Pick<Registry, 'register' | 'lookup' | 'list'>;
  readonly pageOrigin: string;
  readonly newId: () => string;
  readonly window: Pick<Window, 'addEventListener'>;
  readonly yaml: Pick<YamlReader, 'parse'>;
}

export function openServers(deps: Omit<ServersDeps, 'start'> & { tap: MessageTap }): Servers {
  return new Servers({ ...deps, start: () => startServerWorker(deps.tap) });
}

/** Causes after which a server may be reachable again once the network is back. */
const unreachable: ReadonlySet<McpCause> = new Set<McpCause>(['network', 'ended', 'offline']);
const maxServers = 50;
/** Limit of the definitions of all servers; characters. */
const maxChars = 16_000_000;

export class Servers extends Observable<undefined> {
  readonly #deps: ServersDeps;
  readonly #servers = new Map<string, Server>();
  /** Servers that are being stored, by id; they are not listed yet. */
  readonly #adding = new Map<string, Server>();
  /** Resolves when the stored servers are known. Rejects if they cannot be read. */
  readonly loaded: Promise<void>;
  /** Reads configurations of other clients. */
  readonly yaml: ServersDeps['yaml'];

  constructor(deps: ServersDeps) {
    super(deps.report);
    this.#deps = deps;
    this.yaml = deps.yaml;
    this.loaded = this.#load();
    this.loaded.catch(deps.onStorageFailure);
    // Another tab has added or removed servers.
    deps.store.observe(() => void this.#load().catch(deps.onStorageFailure));
    deps.window.addEventListener('online', () => {
      for (const { id, fault } of this.list())
        if (fault !== null && unreachable.has(fault.cause)) void this.reconnect(id);
    });
  }

  /** The servers, in the order in which they were added. */
  list(): readonly ServerView[] {
    return Array.from(this.#servers.values(), (server) => server.view());
  }

  /**
   * Adds a server and connects to it.
   * @param address as the user has typed it; only then may it be local
   * @returns the server's id
   * @throws {ToolError} if it is no address, or known already
   */
  async add(address: string): Promise<string> {
    await this.loaded.catch(() => undefined);
    const { pageOrigin, newId, now } = this.#deps;
    const url = serverAddress(address, pageOrigin);
    const known = this.#storedServers();
    if (known.some((server) => server.url === url))
      throw new ToolError('bad-input', `${url} has been added already.`);
    // @mutant the number of MCP servers is bounded => never [src/agent/mcp/server-list.test.ts]
    if (known.length >= maxServers)
      throw new ToolError('limit', `There are ${maxServers} servers.`, 'Remove one first.');
    const stored = { id: newId(), key: this.#keyFor(url), url, addedAt: now(), pinned: [] };
    await this.#add(new Server(stored, this.#serverDeps()));
    return stored.id;
  }

  /** Connects again, and lists the tools again. */
  async reconnect(id: string): Promise<void> {
    await this.#servers.get(id)?.connect();
  }

  /**
   * Accepts a changed definition of a tool, which can then be called again.
   * @param text the definition that the user has seen
   */
  accept(id: string, tool: string, text: JsonText): void {
    this.#servers.get(id)?.accept(tool, text);
  }

  /** @throws {ToolError} if it has been removed */
  server(id: string): Server {
    const server = this.#servers.get(id);
    if (server === undefined) throw new ToolError('not-found', 'The server has been removed.');
    return server;
  }

  /** Removes a server with its tools and keys. @returns a function that adds it again */
  remove(id: string): () => void {
    const server = this.#servers.get(id);
    if (server === undefined) return () => undefined;
    this.#end(server);
    this.#deps.store.remove(id).catch(this.#deps.onStorageFailure);
    return () => {
      const { stored } = server;
      const known = this.#storedServers();
      // The user may have added its address again, or another server that got its name.
      if (known.some(({ url }) => url === stored.url)) return;
      const isTaken = known.some(({ key }) => key === stored.key);
      const key = isTaken ? this.#keyFor(stored.url) : stored.key;
      const again = new Server({ ...stored, key }, this.#serverDeps());
      again.restoreKeys(server);
      void this.#add(again);
    };
  }

  async #load(): Promise<void> {
    // A server that is added during the reading may not be in the list yet.
    const before = [...this.#servers];
    const found = (await this.#deps.store.list()).map(parseServer);
    const stored = found.filter((one) => one !== null).sort((a, b) => a.addedAt - b.addedAt);
    const ids = new Set(stored.map(({ id }) => id));
    for (const [id, server] of before) if (!ids.has(id)) this.#end(server);
    for (const one of stored.slice(0, maxServers))
      if (!this.#servers.has(one.id) && !this.#adding.has(one.id))
        this.#start(new Server(one, this.#serverDeps()));
  }

  /** Stores a server before it is listed, since a list of the store without it would end it. */
  async #add(server: Server): Promise<void> {
    const { store, onStorageFailure } = this.#deps;
    const { id } = server.stored;
    this.#adding.set(id, server);
    await store.add(server.stored).catch(onStorageFailure);
    this.#adding.delete(id);
    this.#start(server);
  }

  #storedServers(): readonly StoredServer[] {
    return [...this.#servers.values(), ...this.#adding.values()].map(({ stored }) => stored);
  }

  /** A first part for the names of a server's tools. Tools of the folder keep their names. */
  #keyFor(url: string): string {
    const taken = this.#deps.registry.list().map(({ name }) => name.slice(0, name.indexOf(':')));
    return serverKey(url, new Set([...this.#storedServers().map(({ key }) => key), ...taken]));
  }

  #start(server: Server): void {
    this.#servers.set(server.stored.id, server);
    void server.connect();
    this.emit(undefined);
  }

  #end(server: Server): void {
    server.end();
    this.#servers.delete(server.stored.id);
    this.emit(undefined);
  }

  #serverDeps(): ServerDeps {
    const { store, onStorageFailure } = this.#deps;
    return {
      ...this.#deps,
      keys: store,
      changed: () => this.emit(undefined),
      room: (id) => {
        const others = [...this.#servers.values()].filter(({ stored }) => stored.id !== id);
        return others.reduce((room, { stored }) => room - countChars(stored.pinned), maxChars);
      },
      save: (server) => store.put(server).catch(onStorageFailure),
    };
  }
}
