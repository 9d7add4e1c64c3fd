/** Reads resources of a server, and follows those that were read last: the server says when one of them has changed. */

import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { ReadResource } from '../../../runtime/protocol/mcp.ts';
import { requestMs } from './listed.ts';
import { expandTemplate } from './offers.ts';
import { contentsOf } from './outcome.ts';

/** Resources that are followed at once. */
const maxFollowed = 20;
const timeLimit = { timeout: requestMs };

export class ReadResources {
  readonly #client: Client;
  #followed: readonly string[] = [];
  #subscription: McpSubscription | null = null;
  /** Subscriptions change one after the other. */
  #changing: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  /** @param values of a template's variables; null if the address is none @throws if the server refuses */
  async read(uri: string, values: Readonly<Record<string, string>> | null): Promise<ReadResource> {
    const read = values === null ? uri : expandTemplate(uri, values);
    this.#follow(read);
    return {
      uri: read,
      parts: contentsOf(await this.#client.readResource({ uri: read }, timeLimit)),
    };
  }

  #follow(uri: string): void {
    const { resources } = this.#client.getServerCapabilities() ?? {};
    if (resources?.subscribe !== true || this.#followed.includes(uri)) return;
    const all = [...this.#followed, uri];
    const dropped = all.slice(0, -maxFollowed);
    // @mutant the resources of a server that are followed are bounded => (-maxFollowed) -> (0)
    //   [src/agent/mcp/offers.test.ts]
    this.#followed = all.slice(-maxFollowed);
    this.#changing = this.#changing
      .then(() => this.#subscribe(uri, dropped))
      // A resource that cannot be followed can still be read.
      .catch(() => undefined);
  }

  async #subscribe(uri: string, dropped: readonly string[]): Promise<void> {
    const client = this.#client;
    if (client.getProtocolEra() === 'modern') {
      const before = this.#subscription;
      this.#subscription = await client.listen(
        { resourceSubscriptions: [...this.#followed] },
        timeLimit,
      );
      await before?.close();
      return;
    }
    await client.subscribeResource({ uri }, timeLimit);
    for (const one of dropped) await client.unsubscribeResource({ uri: one }, timeLimit);
  }
}
