/** Reads resources of a server, and subscribes to those that were read last: the server says when one of them changes. */

import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { ReadResource } from '../../../runtime/protocol/mcp.ts';
import { requestMs } from './list-pages.ts';
import { expandTemplate } from './offers.ts';
import { contentsOf } from './call-outcome.ts';
import type { Reports } from './server-reports.ts';

/** Maximum number of resources to subscribe to at the same time. */
const maxFollowed = 20;
/** A stream that has ended is opened again at once if it has lasted this long, otherwise with the next read; milliseconds. */
const minStreamMs = 10_000;
const timeLimit = { timeout: requestMs };

export class ReadResources {
  readonly #client: Client;
  #followed: readonly string[] = [];
  /** Addresses of the resources that the server reports. */
  #subscribed = new Set<string>();
  /** The stream of these reports; null if there is none, and always in the legacy era. */
  #stream: McpSubscription | null = null;
  /** Resolves after the last change of subscriptions: they change one after the other. */
  #changing: Promise<void> = Promise.resolve();

  /**
   * @param client of a connection that has begun
   * @param followed the resources that were followed over the previous connection
   */
  constructor(
    client: Client,
    reports: Pick<Reports, 'resourceChanged'>,
    followed: readonly string[],
  ) {
    this.#client = client;
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
      // @mutant a server reports changes of followed resources only => this.#followed.includes(uri) -> true
      if (this.#followed.includes(uri)) reports.resourceChanged(uri);
    });
    this.#follow(followed);
  }

  /** Addresses of the followed resources; the one that was read last is at the end. */
  get followed(): readonly string[] {
    return this.#followed;
  }

  /** @param values of the variables, if the address is a template; otherwise null @throws if the server refuses */
  async read(uri: string, values: Readonly<Record<string, string>> | null): Promise<ReadResource> {
    const read = values === null ? uri : expandTemplate(uri, values);
    // Follows the resource before reading it, so that no change is missed.
    this.#follow([...this.#followed.filter((one) => one !== read), read]);
    return {
      uri: read,
      parts: contentsOf(await this.#client.readResource({ uri: read }, timeLimit)),
    };
  }

  #follow(uris: readonly string[]): void {
    const { resources } = this.#client.getServerCapabilities() ?? {};
    if (resources?.subscribe !== true) return;
    // @mutant the resources of a server that are followed are bounded => (-maxFollowed) -> (0)
    this.#followed = uris.slice(-maxFollowed);
    const isModern = this.#client.getProtocolEra() === 'modern';
    this.#changing = this.#changing.then(() => (isModern ? this.#listen() : this.#subscribe()));
  }

  /** Subscribes to all followed resources with one stream, which replaces the one before. */
  async #listen(): Promise<void> {
    const uris = this.#followed;
    if (uris.every((uri) => this.#subscribed.has(uri))) return;
    const before = this.#stream;
    const began = performance.now();
    try {
      const stream = await this.#client.listen({ resourceSubscriptions: [...uris] }, timeLimit);
      this.#stream = stream;
      this.#subscribed = new Set(uris);
      void stream.closed.then(() => {
        if (this.#stream !== stream) return;
        this.#stream = null;
        this.#subscribed.clear();
        if (performance.now() - began >= minStreamMs) this.#follow(this.#followed);
      });
    } catch {
      this.#giveUp(uris.filter((uri) => !this.#subscribed.has(uri)));
      return;
    }
    await before?.close().catch(() => undefined);
  }

  async #subscribe(): Promise<void> {
    const client = this.#client;
    for (const uri of this.#followed) {
      if (this.#subscribed.has(uri)) continue;
      try {
        await client.subscribeResource({ uri }, timeLimit);
        this.#subscribed.add(uri);
      } catch {
        this.#giveUp([uri]);
      }
    }
    for (const uri of this.#subscribed) {
      if (this.#followed.includes(uri)) continue;
      this.#subscribed.delete(uri);
      await client.unsubscribeResource({ uri }, timeLimit).catch(() => undefined);
    }
  }

  /** Stops following resources whose subscription has failed, until they are read again. */
  #giveUp(uris: readonly string[]): void {
    // If the connection has ended, the next one follows them.
    if (this.#client.transport !== undefined)
      this.#followed = this.#followed.filter((uri) => !uris.includes(uri));
  }
}
