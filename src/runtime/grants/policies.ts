/** The policy of the open folder. Loads it once the folder is known, and stores changes. */

import { asFields, isRecord } from '../spec/guards.ts';
import { isPower, type Power } from './powers.ts';
import { Observable } from '../hooks/observe.ts';
import { parseSettings } from '../spec/setting.ts';
import { FolderPolicy, usualIndex, type StoredPolicy, type ToolRule } from './folder-policy.ts';

/** Stores policies. What it returns is validated, because another version may have written it. */
export interface PolicyStore {
  get(id: string): Promise<unknown>;
  put(policy: StoredPolicy): Promise<void>;
  /** Calls the listener with the id of a policy that another page has changed. */
  observe(listener: (id: string) => void): void;
}

export interface PoliciesDeps {
  readonly store: PolicyStore;
  /** Whether nothing can be granted: see {@link FolderPolicy}. */
  readonly isLocked: boolean;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** Calls its listeners when another folder’s policy becomes current. */
export class Policies extends Observable<FolderPolicy> {
  readonly #deps: PoliciesDeps;
  #key = '';
  #id: string | undefined;
  #current: FolderPolicy;
  #loading: Promise<void> = Promise.resolve();
  #storesNothing = false;

  constructor(deps: PoliciesDeps) {
    super(deps.report);
    this.#deps = deps;
    this.#current = this.#create();
    deps.store.observe((id) => {
      if (id === this.#id) void this.#reload(id, this.#current);
    });
  }

  get current(): FolderPolicy {
    return this.#current;
  }

  /**
   * Switches to the policy of another folder, or learns the id of the current one.
   * @param key differs for each opened folder
   * @param id the folder's id; undefined if it is not known, or not yet
   */
  follow(key: string, id: string | undefined): void {
    if (key !== this.#key) {
      this.#key = key;
      this.#id = undefined;
      this.#current = this.#create();
      this.emit(this.#current);
    }
    if (id === undefined || id === this.#id || this.#storesNothing) return;
    this.#id = id;
    this.#loading = this.#load(id, this.#current);
  }

  /** Neither loads nor stores the policies of folders that are opened from now on. */
  storeNothing(): void {
    this.#storesNothing = true;
  }

  /** Resolves when the current policy has been loaded. Never rejects. */
  loaded(): Promise<void> {
    return this.#loading;
  }

  async #load(id: string, policy: FolderPolicy): Promise<void> {
    const { store, onStorageFailure } = this.#deps;
    const stored = await this.#readStored(id);
    policy.keep(stored, (changed) => {
      store.put({ id, ...changed }).catch(onStorageFailure);
    });
  }

  /** Applies changes from another tab, such as revoked grants. */
  async #reload(id: string, policy: FolderPolicy): Promise<void> {
    const stored = await this.#readStored(id);
    if (stored !== null) policy.follow(stored);
  }

  async #readStored(id: string): Promise<StoredPolicy | null> {
    try {
      return parsePolicy(await this.#deps.store.get(id));
    } catch (thrown) {
      this.#deps.onStorageFailure(thrown);
      return null;
    }
  }

  #create(): FolderPolicy {
    return new FolderPolicy(this.#deps.report, this.#deps.isLocked);
  }
}

/** Returns null for anything that is not a policy; leaves out invalid entries. */
export function parsePolicy(value: unknown): StoredPolicy | null {
  if (!isRecord(value) || typeof value.id !== 'string') return null;
  const { grants, secrets, local } = value;
  return {
    id: value.id,
    local: local === true,
    packages: parsePackages(value.packages),
    settings: parseSettings(value.settings),
    settingSecrets: parseSettings(value.settingSecrets),
    tools: recordsIn(value.tools).flatMap(({ tool, rule, at }) =>
      typeof tool === 'string' && isRule(rule)
        ? [{ tool, rule, ...(typeof at === 'number' && { at }) }]
        : [],
    ),
    extensions: recordsIn(value.extensions).flatMap(({ file, hash, allowed, refused, off }) =>
      typeof file === 'string' && typeof hash === 'string'
        ? [
            {
              file,
              hash,
              allowed: onlyPowers(allowed),
              refused: onlyPowers(refused),
              off: off === true,
            },
          ]
        : [],
    ),
    grants: recordsIn(grants).flatMap(({ origin, allowed }) =>
      typeof origin === 'string' && typeof allowed === 'boolean' ? [{ origin, allowed }] : [],
    ),
    secrets: recordsIn(secrets).flatMap(({ origin, header, value: secret }) =>
      typeof origin === 'string' && typeof header === 'string' && typeof secret === 'string'
        ? [{ origin, header, value: secret }]
        : [],
    ),
  };
}

function onlyPowers(value: unknown): readonly Power[] {
  return Array.isArray(value) ? value.filter(isPower) : [];
}

function isRule(value: unknown): value is ToolRule {
  return value === 'ask' || value === 'always' || value === 'never';
}

function parsePackages(value: unknown): StoredPolicy['packages'] {
  const { decision, index } = asFields(value);
  return {
    decision: decision === 'allow' || decision === 'deny' ? decision : 'ask',
    index: isIndex(index) ? index : usualIndex,
  };
}

function isIndex(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/.+\/$/.test(value) && URL.canParse(value);
}

function recordsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
