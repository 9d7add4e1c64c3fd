/** Reads resources of a server, and subscribes to those that were read last: the server says when one of them changes. */

import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { ReadResource } from '../../../runtime/protocol/mcp.ts';
import { requestMs } from './listed.ts';
import { expandTemplate } from './offers.ts';
import { contentsOf } from './outcome.ts';

/** Maximum number of resources to subscribe to at the same time. */
const maxFollowed = 20;
const timeLimit = { timeout: requestMs };

export class ReadResources {
  readonly #client: Client;
  #followed: readonly string[] = [];
  #subscription: McpSubscription | null = null;
  /** Resolves after the last change of subscriptions: they change one after the other. */
  #changing: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  /** @param values of the variables, if the address is a template; otherwise null @throws if the server refuses */
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
      // A resource without a subscription can still be read.
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
