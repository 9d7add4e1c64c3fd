/** The tools of one server: the definitions that the user knows, what the server has changed, and what is registered. */

import type { ToolListing } from '../../runtime/protocol/mcp.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { Dispatch } from '../../runtime/spec/call.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { compareWithPinned, hasSameDefinitions } from './pinned-definitions.ts';
import { serverTools } from './server-tool.ts';
import type { PinnedDefinition, StoredServer } from './stored-server.ts';

/** A tool whose definition the server has changed since the user has seen it. */
export interface ChangedDefinition {
  readonly name: string;
  readonly before: JsonText;
  readonly after: JsonText;
}

export interface KnownToolsDeps {
  readonly registry: Pick<Registry, 'register' | 'lookup'>;
  readonly now: () => number;
  readonly dispatch: Dispatch;
  /** Called when the definitions to be stored have changed. */
  readonly onPinned: () => void;
  /** Called when the registered tools have changed. */
  readonly onRegistered: () => void;
}

export class KnownTools {
  readonly #server: Omit<StoredServer, 'pinned'>;
  readonly #deps: KnownToolsDeps;
  /** The definitions that the user knows. A tool that the server has changed is not called until the user accepts the change. */
  #pinned: readonly PinnedDefinition[];
  /** The tools that the server has changed, by name, with their new definitions. */
  #changed = new Map<string, PinnedDefinition>();
  #listingProblems: readonly string[] = [];
  #toolProblems: readonly string[] = [];
  #registered: readonly RegisteredTool[] = [];
  #unregister: () => void = () => undefined;
  #registering = Promise.resolve();
  #isEnded = false;

  constructor({ pinned, ...server }: StoredServer, deps: KnownToolsDeps) {
    this.#server = server;
    this.#pinned = pinned;
    this.#deps = deps;
  }

  get pinned(): readonly PinnedDefinition[] {
    return this.#pinned;
  }

  get registered(): readonly RegisteredTool[] {
    return this.#registered;
  }

  /** Why tools are left out. */
  get problems(): readonly string[] {
    return [...this.#listingProblems, ...this.#toolProblems];
  }

  get changed(): readonly ChangedDefinition[] {
    return this.#pinned.flatMap(({ name, text: before }) => {
      const after = this.#changed.get(name);
      return after === undefined ? [] : [{ name, before, after: after.text }];
    });
  }

  hasChanged(name: string): boolean {
    return this.#changed.has(name);
  }

  /** Takes what the server lists now. @param room for its definitions; characters */
  async take({ tools, problems }: ToolListing, room: number): Promise<void> {
    const { pinned, changed, dropped } = compareWithPinned(this.#pinned, tools, room);
    this.#changed = changed;
    const tooLong = `${dropped} tools: left out, because the definitions of all servers together are too long.`;
    this.#listingProblems = dropped === 0 ? problems : [...problems, tooLong];
    this.#pin(pinned);
    await this.register();
  }

  /** @param text the definition that the user has seen, since the server may have changed it again */
  accept(name: string, text: JsonText): void {
    const accepted = this.#changed.get(name);
    // @mutant only a definition that the user has seen is accepted => never [src/agent/mcp/servers.test.ts]
    if (accepted?.text !== text) return;
    this.#changed.delete(name);
    this.#pin([...this.#pinned.filter((one) => one.name !== name), accepted]);
    void this.register();
  }

  /** Registers the listed tools as they are known then, after all registrations that have begun. */
  register(): Promise<void> {
    this.#registering = this.#registering.catch(() => undefined).then(() => this.#register());
    return this.#registering;
  }

  /** Removes the tools for good. */
  end(): void {
    this.#isEnded = true;
    this.#unregister();
  }

  #pin(pinned: readonly PinnedDefinition[]): void {
    const isSame = hasSameDefinitions(this.#pinned, pinned);
    this.#pinned = pinned;
    if (!isSame) this.#deps.onPinned();
  }

  async #register(): Promise<void> {
    const { registry, now, dispatch, onRegistered } = this.#deps;
    const { id, key, url } = this.#server;
    const definitions = this.#pinned.filter(({ listed }) => listed);
    const server = { key, server: { id, url }, now: now() };
    const { tools, problems } = await serverTools(definitions, server);
    if (this.#isEnded) return;
    this.#unregister();
    const isTaken = ({ name }: RegisteredTool): boolean => registry.lookup(name) !== undefined;
    const taken = tools.filter(isTaken).map(({ name }) => `${name}: another tool has this name.`);
    this.#registered = tools.filter((tool) => !isTaken(tool));
    this.#toolProblems = [...problems, ...taken];
    this.#unregister = registry.register('mcp', this.#registered, dispatch);
    onRegistered();
  }
}
