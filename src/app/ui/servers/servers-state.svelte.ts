/** State of the page of servers. */

import type { ChangedDefinition } from '../../../agent/mcp/known-tools.ts';
import type { Servers } from '../../../agent/mcp/servers.ts';
import type { Server, ServerView } from '../../../agent/mcp/server.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { Observed } from '../parts/observed.ts';
import type { Notices } from '../parts/notices.svelte.ts';

/** Shortest interval between updates; milliseconds. */
const updateMs = 100;

export class ServersState {
  readonly #servers: Servers;
  readonly #notices: Pick<Notices, 'show'>;
  readonly #shown: Observed<readonly ServerView[]>;
  /** Why the last address was not added; empty if it was. */
  fault: string = $state('');

  constructor(servers: Servers, notices: Pick<Notices, 'show'>) {
    this.#servers = servers;
    this.#notices = notices;
    this.#shown = new Observed(() => servers.list(), servers, updateMs);
  }

  get all(): readonly ServerView[] {
    return this.#shown.current;
  }

  get yaml(): Servers['yaml'] {
    return this.#servers.yaml;
  }

  /** @returns whether the server was added */
  async add(address: string): Promise<boolean> {
    this.fault = '';
    try {
      await this.#servers.add(address);
      return true;
    } catch (thrown) {
      this.fault = errorText(thrown);
      return false;
    }
  }

  /** The server itself, for what the user does with it. */
  server(id: string): Server {
    return this.#servers.server(id);
  }

  /** @param value empty removes the header @returns why the header cannot be used; empty if it is */
  setHeader(id: string, name: string, value: string): string {
    try {
      this.server(id).setHeader(name, value);
      return '';
    } catch (thrown) {
      return errorText(thrown);
    }
  }

  reconnect(id: string): void {
    void this.#servers.reconnect(id);
  }

  accept(id: string, { name, after }: ChangedDefinition): void {
    this.#servers.accept(id, name, after);
  }

  remove({ id, url }: ServerView): void {
    const undo = this.#servers.remove(id);
    this.#notices.show(`Removed ${url}`, { words: 'Undo', choose: undo });
  }
}
