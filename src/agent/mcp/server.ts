/** A server that the user has added: its connection, the definitions that the user knows, and its tools. */

import { coalesce } from '../../runtime/async/coalesce.ts';
import { ToolError, errorText } from '../../runtime/spec/error.ts';
import type { Remote } from 'comlink';
import {
  type Answer,
  type Completing,
  type McpFault,
  type McpWorker,
  type PromptMessage,
  type ReadResource,
  type ResourceContent,
  type ServerFacts,
  type ServerOffers,
  type Trace,
} from '../../runtime/protocol/mcp.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { KnownTools, type ChangedDefinition } from './known-tools.ts';
import { serverFaultText } from './server-fault-text.ts';
import { SeenBreaches } from './seen-breaches.ts';
import { ServerLink } from './server-link.ts';
import { maskParts, maskText, serverOutputMask } from './server-mask.ts';
import { ServerSignIn, type SignInView, type TypedClient } from './server-sign-in.ts';
import type { SignInPage } from './sign-in-page.ts';
import { serverDispatch, type CallDeps } from './server-dispatch.ts';
import {
  keyHeader,
  parseKeys,
  type ServerKeys,
  type ServerStore,
  type StoredServer,
} from './stored-server.ts';

export interface ServerDeps extends CallDeps {
  readonly registry: Pick<Registry, 'register' | 'lookup'>;
  readonly start: () => Worker;
  readonly signInPage: SignInPage;
  readonly keys: Pick<ServerStore, 'keys' | 'putKeys'>;
  readonly save: (server: StoredServer) => Promise<void>;
  /** Characters that the definitions of this server may have, since all servers share a limit. */
  readonly room: (id: string) => number;
  readonly changed?: () => void;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

export interface ServerView {
  readonly id: string;
  readonly key: string;
  readonly url: string;
  readonly state: 'connecting' | 'connected' | 'failed';
  /** Null unless connecting or listing has failed. */
  readonly fault: McpFault | null;
  /** What the server says about itself; null until it has been connected. */
  readonly facts: ServerFacts | null;
  /** Names of headers that the user has entered. */
  readonly headers: readonly string[];
  readonly isSignedIn: boolean;
  /** The sign-in that has begun; null if none has. */
  readonly signIn: SignInView | null;
  /** Null until they have been asked for. */
  readonly offers: ServerOffers | null;
  /** Addresses of resources that the server has changed since they were read. */
  readonly outdated: readonly string[];
  readonly tools: readonly RegisteredTool[];
  readonly changed: readonly ChangedDefinition[];
  /** Why tools of the server are left out. */
  readonly problems: readonly string[];
}

export class Server {
  readonly #deps: ServerDeps;
  readonly #link: ServerLink;
  readonly #ended = new AbortController();
  readonly #stored: StoredServer;
  readonly #tools: KnownTools;
  #state: ServerView['state'] = 'connecting';
  #fault: McpFault | null = null;
  #facts: ServerFacts | null = null;
  readonly #breaches = new SeenBreaches();
  #connecting: Promise<void> | null = null;
  #isListing = false;
  #isStale = false;
  #keys: ServerKeys | null = null;
  #signIn: ServerSignIn | null = null;
  #offers: ServerOffers | null = null;
  /** The numbers of the latest notices that a resource has changed, by the addresses of outdated resources. */
  readonly #outdated = new Map<string, number>();
  #notices = 0;

  constructor(stored: StoredServer, deps: ServerDeps) {
    this.#stored = stored;
    this.#deps = deps;
    this.#link = new ServerLink(deps.start, {
      onToolsChanged: coalesce(() => void this.#listAgain(), listMs),
      onOffersChanged: coalesce(() => {
        if (this.#offers !== null) void this.loadOffers().catch(() => undefined);
      }, listMs),
      onResourcesChanged: (uris) => {
        this.#notices += 1;
        for (const uri of uris) this.#outdated.set(uri, this.#notices);
        this.#deps.changed?.();
      },
      onRefreshed: ({ before, signedIn }) => {
        const keys = this.#knownKeys;
        // The user may have signed out, or in again, while the tokens were refreshed.
        // @mutant a late refresh replaces no sign-in => state === before -> state !== '' [src/agent/mcp/sign-in.test.ts]
        if (keys.signedIn?.state === before) this.#putKeys({ ...keys, signedIn }, before);
      },
      onProblem: (problem) => this.#noteProblem(problem),
      onClosed: coalesce(() => this.#check(), closedMs),
    });
    this.#tools = new KnownTools(stored, {
      registry: deps.registry,
      now: deps.now,
      dispatch: this.#dispatch,
      onPinned: () => void deps.save(this.stored),
      onRegistered: () => deps.changed?.(),
    });
  }

  get stored(): StoredServer {
    return { ...this.#stored, pinned: this.#tools.pinned };
  }

  view(): ServerView {
    const { id, key, url } = this.#stored;
    return {
      id,
      key,
      url,
      state: this.#state,
      fault: this.#fault,
      facts: this.#facts,
      headers: this.#knownKeys.headers.map(([name]) => name),
      isSignedIn: this.#knownKeys.signedIn !== null,
      signIn: this.#signIn?.view ?? null,
      offers: this.#offers,
      outdated: [...this.#outdated.keys()],
      tools: this.#tools.registered,
      changed: this.#tools.changed,
      problems: [...(this.#facts?.problems ?? []), ...this.#tools.problems, ...this.#breaches.all],
    };
  }

  /** Connects, or connects again, and lists the tools. Never rejects. */
  connect(): Promise<void> {
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  /** @param name empty for a bearer token @param value empty removes the header @throws {ToolError} */
  setHeader(name: string, value: string): void {
    const headers = value === '' ? [] : [keyHeader(name, value)];
    this.#putKeys({ ...this.#knownKeys, headers });
    void this.#connectAgain();
  }

  /** Takes the keys of a server that was removed. */
  restoreKeys(removed: Server): void {
    if (removed.#keys !== null) this.#putKeys(removed.#keys);
  }

  signIn(client: TypedClient): void {
    this.cancelSignIn();
    this.#signIn = new ServerSignIn(client, {
      link: this.#link,
      url: this.#stored.url,
      page: this.#deps.signInPage,
      changed: () => this.#deps.changed?.(),
      done: (signedIn) => {
        this.#signIn = null;
        this.#putKeys({ ...this.#knownKeys, signedIn });
        void this.#connectAgain();
      },
    });
    void this.#signIn.begin();
  }

  confirmSignIn(): void {
    void this.#signIn?.confirm();
  }

  cancelSignIn(): void {
    this.#signIn?.cancel();
    this.#signIn = null;
    this.#deps.changed?.();
  }

  /** Asks for resources and prompts, which are listed again when they change. @throws {ToolError} */
  async loadOffers(): Promise<void> {
    this.#offers = await this.#browse((remote) => remote.offers());
    this.#deps.changed?.();
  }

  /** Reads a resource for the user, by its address or by a template and its values. @throws {ToolError} */
  async read(
    address: string,
    values: Readonly<Record<string, string>> | null,
  ): Promise<ReadResource> {
    const before = this.#notices;
    const { uri, parts } = await this.#browse((remote) => remote.read(address, values));
    // The resource may have changed while the server answered.
    if ((this.#outdated.get(uri) ?? 0) <= before) this.#outdated.delete(uri);
    this.#deps.changed?.();
    return { uri, parts: await maskParts(parts, this.#knownKeys) };
  }

  /** Reads a resource as the server sends it, for an app. @throws {ToolError} */
  async resource(uri: string): Promise<readonly ResourceContent[]> {
    if (this.#state !== 'connected') await this.connect();
    return this.#browse((remote) => remote.resource(uri));
  }

  /** @throws {ToolError} */
  async prompt(
    name: string,
    values: Readonly<Record<string, string>>,
  ): Promise<readonly PromptMessage[]> {
    const messages = await this.#browse((remote) => remote.prompt(name, values));
    const parts = await maskParts(
      messages.map(({ part }) => part),
      this.#knownKeys,
    );
    return messages.map(({ role, part }, at) => ({ role, part: parts[at] ?? part }));
  }

  /** Values that the server suggests; none if it cannot be asked. */
  complete(asked: Completing): Promise<readonly string[]> {
    return this.#browse((remote) => remote.complete(asked)).catch(() => []);
  }

  /** The latest messages between Cloche and the server. @throws {ToolError} */
  trace(): Promise<Trace> {
    return this.#browse((remote) => remote.trace());
  }

  /** Sends a request again. @param n its number in the trace @returns the status of the answer @throws {ToolError} */
  replay(n: number): Promise<number> {
    return this.#browse((remote) => remote.replay(n));
  }

  async #browse<T>(question: (remote: Remote<McpWorker>) => Promise<Answer<T>>): Promise<T> {
    const { signal } = this.#ended;
    let answer = await this.#link.request(signal, question);
    if (isLost(answer)) {
      await this.connect();
      answer = await this.#link.request(signal, question);
    }
    if (answer.ok) return answer.value;
    if (answer.fault.cause === 'network') this.#check();
    throw new ToolError(
      'protocol',
      maskText(serverFaultText(answer.fault, this.#stored.url), this.#knownKeys),
    );
  }

  signOut(): void {
    // The worker reads the tokens to revoke before it connects again without them.
    void this.#browse((remote) => remote.revoke()).catch(() => undefined);
    this.#putKeys({ ...this.#knownKeys, signedIn: null });
    void this.#connectAgain();
  }

  /** Connects with keys that have changed, which a connection that has begun does not have. */
  async #connectAgain(): Promise<void> {
    await this.#connecting;
    await this.connect();
  }

  get #knownKeys(): ServerKeys {
    return this.#keys ?? { headers: [], signedIn: null };
  }

  #putKeys(keys: ServerKeys, before: string | null = null): void {
    this.#keys = keys;
    const { onStorageFailure, keys: store } = this.#deps;
    // Keys of a server that was removed are not stored again, not even refreshed ones.
    // @mutant no key of an MCP server outlives it => never [src/agent/mcp/server-keys.test.ts]
    if (this.#ended.signal.aborted) return;
    const isEmpty = keys.headers.length === 0 && keys.signedIn === null;
    store.putKeys(this.#stored.id, isEmpty ? null : keys, before).catch(onStorageFailure);
    this.#deps.changed?.();
  }

  /** @param text the definition that the user has seen */
  accept(name: string, text: JsonText): void {
    this.#tools.accept(name, text);
  }

  /** Ends the connection, and removes the tools. */
  end(): void {
    this.#ended.abort();
    this.#signIn?.cancel();
    this.#tools.end();
    void this.#link.close();
  }

  async #connect(): Promise<void> {
    const { signal } = this.#ended;
    this.#set('connecting', null);
    this.#breaches.forget();
    if (this.#tools.registered.length === 0) await this.#tools.register();
    try {
      this.#keys ??= parseKeys(await this.#deps.keys.keys(this.#stored.id));
      const connected = await this.#link.connect(signal, { url: this.#stored.url, ...this.#keys });
      if (!connected.ok) this.#set('failed', connected.fault);
      else {
        this.#facts = connected.value;
        await this.#list();
      }
    } catch (thrown) {
      if (signal.aborted) return;
      const message = `The stored keys could not be read: ${errorText(thrown)}`;
      this.#set('failed', { cause: 'protocol', message, status: null });
      this.#deps.report(thrown);
    }
  }

  /** Asks whether the server still answers, after a stream has ended or a request has failed. If it does, it stays connected. */
  #check(): void {
    if (this.#state === 'connected') void this.#listAgain();
  }

  /** Lists the tools again: once for all changes that the server reports meanwhile. */
  async #listAgain(): Promise<void> {
    this.#isStale = true;
    if (this.#isListing) return;
    this.#isListing = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#connecting;
        // A new session may list other tools.
        if (await this.#list()) await this.connect();
      }
    } finally {
      this.#isListing = false;
    }
  }

  /** @returns whether the server no longer knows the session */
  async #list(): Promise<boolean> {
    const { signal } = this.#ended;
    const listed = await this.#link.tools(signal).catch(() => null);
    if (listed === null || signal.aborted) return false;
    if (!listed.ok) {
      this.#set('failed', listed.fault);
      return isLost(listed);
    }
    await this.#tools.take(listed.value, this.#deps.room(this.#stored.id));
    this.#set('connected', null);
    return false;
  }

  readonly #dispatch = serverDispatch({
    link: () => this.#link,
    connected: async () => {
      if (this.#state !== 'connected') await this.connect();
      return this.#state === 'connected' ? null : this.#fault;
    },
    reconnect: () => this.connect(),
    onSignInWanted: (fault) => this.#set('failed', fault),
    onUnreached: () => this.#check(),
    mask: () => serverOutputMask(() => this.#knownKeys),
    hasChanged: (name) => this.#tools.hasChanged(name),
    onProblem: (problem) => this.#noteProblem(problem),
    deps: () => this.#deps,
  });

  #noteProblem(problem: string): void {
    if (this.#breaches.add(maskText(problem, this.#knownKeys))) this.#deps.changed?.();
  }

  #set(state: ServerView['state'], fault: McpFault | null): void {
    // Several lists may fail, one after the other.
    const wasConnected = this.#state === 'connected' || this.#fault?.cause === 'ended';
    const hasEnded = fault?.cause === 'network' && wasConnected;
    this.#state = state;
    const message = maskText(fault?.message ?? '', this.#knownKeys);
    this.#fault = fault && { ...fault, message, ...(hasEnded && { cause: 'ended' }) };
    this.#deps.changed?.();
  }
}

/** Shortest time between two lists after changes that the server reports; milliseconds. */
const listMs = 2_000;
/** Shortest time between two checks of a server that closes its connections; milliseconds. */
const closedMs = 10_000;

/** Whether the session has ended on the server, which has therefore not done what it was asked for. */
function isLost<T>(answer: Answer<T>): boolean {
  return !answer.ok && answer.fault.cause === 'lost';
}
