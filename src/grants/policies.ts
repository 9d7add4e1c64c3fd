/** The policy of whatever folder is open: loaded as soon as the folder is known, kept as long as it is remembered. */

import { fields, isRecord } from '../spec/guards.ts';
import { createObservers } from '../hooks/observe.ts';
import { FolderPolicy, usualIndex, type StoredPolicy, type ToolRule } from './folder-policy.ts';

/** What is kept; read back with distrust, since another version may have written it. */
export interface PolicyStore {
  get(id: string): Promise<unknown>;
  put(policy: StoredPolicy): Promise<void>;
  /** Told the id of a policy that another page has changed. */
  observe(listener: (id: string) => void): void;
}

export interface PoliciesDeps {
  readonly store: PolicyStore;
  /** Told of what storage failed with. */
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Told of what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

export class Policies {
  readonly #deps: PoliciesDeps;
  readonly #observers;
  #key = '';
  #id: string | undefined;
  #current: FolderPolicy;
  #loading: Promise<void> = Promise.resolve();

  constructor(deps: PoliciesDeps) {
    this.#deps = deps;
    this.#observers = createObservers<FolderPolicy>(deps.report);
    this.#current = this.#made();
    deps.store.observe((id) => {
      if (id === this.#id) void this.#reread(id, this.#current);
    });
  }

  get current(): FolderPolicy {
    return this.#current;
  }

  /** Told when another folder's takes its place. @returns dispose */
  observe(listener: (policy: FolderPolicy) => void): () => void {
    return this.#observers.observe(listener);
  }

  /**
   * @param key changes with the folder
   * @param id by which it is known from one visit to the next; undefined where it is not, or not yet
   */
  follow(key: string, id: string | undefined): void {
    if (key !== this.#key) {
      this.#key = key;
      this.#id = undefined;
      this.#current = this.#made();
      this.#observers.emit(this.#current);
    }
    if (id === undefined || id === this.#id) return;
    this.#id = id;
    this.#loading = this.#load(id, this.#current);
  }

  /** Resolves when what was kept of the current one is known. Never rejects. */
  loaded(): Promise<void> {
    return this.#loading;
  }

  async #load(id: string, policy: FolderPolicy): Promise<void> {
    const { store, onStorageFailure } = this.#deps;
    const stored = await this.#stored(id);
    policy.keep(stored, (kept) => {
      store.put({ id, ...kept }).catch(onStorageFailure);
    });
  }

  /** What was withdrawn in another tab is withdrawn here too. */
  async #reread(id: string, policy: FolderPolicy): Promise<void> {
    const stored = await this.#stored(id);
    if (stored !== null) policy.follow(stored);
  }

  async #stored(id: string): Promise<StoredPolicy | null> {
    try {
      return parsePolicy(await this.#deps.store.get(id));
    } catch (thrown) {
      this.#deps.onStorageFailure(thrown);
      return null;
    }
  }

  #made(): FolderPolicy {
    return new FolderPolicy(this.#deps.report);
  }
}

/** Null for what is no policy; entries that are none are left out. */
export function parsePolicy(value: unknown): StoredPolicy | null {
  if (!isRecord(value) || typeof value.id !== 'string') return null;
  const { grants, secrets, local } = value;
  return {
    id: value.id,
    local: local === true,
    packages: parsePackages(value.packages),
    tools: records(value.tools).flatMap(({ tool, rule }) =>
      typeof tool === 'string' && isRule(rule) ? [{ tool, rule }] : [],
    ),
    grants: records(grants).flatMap(({ origin, allowed }) =>
      typeof origin === 'string' && typeof allowed === 'boolean' ? [{ origin, allowed }] : [],
    ),
    secrets: records(secrets).flatMap(({ origin, header, value: secret }) =>
      typeof origin === 'string' && typeof header === 'string' && typeof secret === 'string'
        ? [{ origin, header, value: secret }]
        : [],
    ),
  };
}

function isRule(value: unknown): value is ToolRule {
  return value === 'ask' || value === 'always' || value === 'never';
}

function parsePackages(value: unknown): StoredPolicy['packages'] {
  const { decision, index } = fields(value);
  return {
    decision: decision === 'allow' || decision === 'deny' ? decision : 'ask',
    index: isIndex(index) ? index : usualIndex,
  };
}

function isIndex(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/.+\/$/.test(value) && URL.canParse(value);
}

function records(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
