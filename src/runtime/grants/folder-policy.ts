/** The policy of one folder: what its tools may access, and its secrets. */

import { Observable } from '../hooks/observe.ts';
import type { HttpHeader } from '../protocol/ask.ts';
import { parseDefinitionPermission } from '../spec/tool.ts';
import { notInFrame } from '../spec/error.ts';
import { secretParts } from './secret-parts.ts';
import { SecretMask } from '../spec/secret-mask.ts';
import {
  type FileValues,
  mergeSettings,
  type SettingGroup,
  type SettingValues,
  textsIn,
  withSettings,
} from '../spec/setting.ts';
import type { ExtensionGrant, Power } from './powers.ts';

export interface Grant {
  readonly origin: string;
  readonly allowed: boolean;
  /** Whether the decision applies only until the page is closed; otherwise it is stored. */
  readonly visit: boolean;
}

/** A header that is added to every request to an origin. */
export interface Secret {
  readonly origin: string;
  readonly header: string;
  readonly value: string;
}

/** Whether packages may be downloaded, and from where. */
export interface PackageGrant {
  readonly decision: 'ask' | 'allow' | 'deny';
  /** Whether the decision applies only until the page is closed; otherwise it is stored. */
  readonly visit: boolean;
  /** Address of the package index, with a trailing slash. */
  readonly index: string;
}

/** The package index that is used unless the user chooses another one. */
export const usualIndex = 'https://pypi.org/simple/';

/** The user's rule for calls to one tool. `ask` means each time, whatever its spec says. */
export type ToolRule = 'ask' | 'always' | 'never';

export interface RuledTool {
  /**
   * The tool's name. For a tool of an MCP server, a hash of its definition follows: `notes/find (0123456789abcdef)`. So the
   * rule ends when the server changes what the tool does.
   */
  readonly tool: string;
  readonly rule: ToolRule;
  /** When a rule for a tool of a server was made, which the Policy page shows; absent for others, and if unknown. */
  readonly at?: number;
}

/** A policy in storage. It may have been written by another version of the app. */
export interface StoredPolicy {
  readonly id: string;
  readonly grants: readonly { readonly origin: string; readonly allowed: boolean }[];
  readonly secrets: readonly Secret[];
  /** Whether addresses of this computer and its networks may be granted too. */
  readonly local: boolean;
  readonly packages: Omit<PackageGrant, 'visit'>;
  readonly tools: readonly RuledTool[];
  readonly extensions: readonly ExtensionGrant[];
  /** Values of the settings that files declare; those of secret ones apart. */
  readonly settings: SettingValues;
  readonly settingSecrets: SettingValues;
}

export interface PolicyView {
  readonly grants: readonly Grant[];
  readonly secrets: readonly Omit<Secret, 'value'>[];
  readonly local: boolean;
  readonly packages: PackageGrant;
  readonly tools: readonly RuledTool[];
  readonly extensions: readonly ExtensionGrant[];
}

type Save = (policy: Omit<StoredPolicy, 'id'>) => void;

export class FolderPolicy extends Observable<PolicyView> {
  readonly #isLocked: boolean;
  readonly #now: () => number;
  readonly #grants = new Map<string, Grant>();
  #secrets: readonly Secret[] = [];
  #local = false;
  #packages: PackageGrant = { decision: 'ask', visit: false, index: usualIndex };
  readonly #rules = new Map<string, RuledTool>();
  /** Stored decisions about extensions, by file. */
  readonly #extensions = new Map<string, ExtensionGrant>();
  /** Decisions about powers that apply only until the page is closed, by the extension's file. */
  readonly #extensionsOfVisit = new Map<string, ExtensionGrant>();
  #settings: SettingValues = {};
  #settingSecrets: SettingValues = {};
  #save: Save | null = null;

  /**
   * @param report receives errors thrown by listeners
   * @param isLocked whether every change is refused with a ToolError, because the user cannot see what is granted
   */
  constructor(
    report: (thrown: unknown) => void,
    isLocked = false,
    now: () => number = () => Date.now(),
  ) {
    super(report);
    this.#now = now;
    this.#isLocked = isLocked;
  }

  /**
   * Connects the policy to storage, once the folder's id is known. Adds what is stored; decisions made before
   * take precedence.
   */
  keep(stored: StoredPolicy | null, save: Save): void {
    this.#save = save;
    for (const { origin, allowed } of stored?.grants ?? [])
      if (!this.#grants.has(origin)) this.#grants.set(origin, { origin, allowed, visit: false });
    this.#secrets = [...(stored?.secrets ?? []), ...this.#secrets];
    this.#local ||= stored?.local ?? false;
    for (const ruled of stored?.tools ?? [])
      if (!this.#rules.has(ruled.tool)) this.#rules.set(ruled.tool, ruled);
    for (const grant of stored?.extensions ?? [])
      if (!this.#extensions.has(grant.file)) this.#extensions.set(grant.file, grant);
    this.#settings = { ...stored?.settings, ...this.#settings };
    this.#settingSecrets = { ...stored?.settingSecrets, ...this.#settingSecrets };
    if (stored) this.#packages = withStored(this.#packages, stored.packages);
    this.emit(this.get());
  }

  /** Applies changes that another page has stored. Decisions for this visit only remain. */
  follow(stored: StoredPolicy): void {
    const { grants, secrets, local, packages, tools, extensions } = stored;
    this.#settings = stored.settings;
    this.#settingSecrets = stored.settingSecrets;
    this.#extensions.clear();
    for (const grant of extensions) this.#extensions.set(grant.file, grant);
    this.#rules.clear();
    for (const ruled of tools) this.#rules.set(ruled.tool, ruled);
    const visits = [...this.#grants.values()].filter(({ visit }) => visit);
    this.#grants.clear();
    for (const { origin, allowed } of grants)
      this.#grants.set(origin, { origin, allowed, visit: false });
    // A stored refusal takes precedence over a grant for this visit.
    for (const grant of visits)
      if (!this.#grants.has(grant.origin)) this.#grants.set(grant.origin, grant);
    this.#secrets = secrets;
    this.#local = local;
    const isForVisit = this.#packages.visit && packages.decision === 'ask';
    this.#packages = isForVisit
      ? { ...this.#packages, index: packages.index }
      : { ...packages, visit: false };
    this.emit(this.get());
  }

  /** Whether decisions apply only to this visit, because the folder is not known. */
  get isTemporary(): boolean {
    return this.#save === null;
  }

  get(): PolicyView {
    const files = new Set([...this.#extensions.keys(), ...this.#extensionsOfVisit.keys()]);
    return {
      grants: [...this.#grants.values()],
      secrets: this.#secrets.map(({ origin, header }) => ({ origin, header })),
      local: this.#local,
      packages: this.#packages,
      tools: [...this.#rules.values()],
      extensions: [...files].flatMap((file) => this.extension(file) ?? []),
    };
  }

  /** The user's decisions about an extension; undefined if there are none. */
  extension(file: string): ExtensionGrant | undefined {
    const stored = this.#extensions.get(file);
    const ofVisit = this.#extensionsOfVisit.get(file);
    if (stored === undefined || ofVisit === undefined) return stored ?? ofVisit;
    if (stored.hash !== ofVisit.hash) return stored;
    const refused = [...stored.refused, ...ofVisit.refused];
    const allowed = [...stored.allowed, ...ofVisit.allowed];
    return { ...stored, refused, allowed: allowed.filter((power) => !refused.includes(power)) };
  }

  /** Decides about powers of one version of an extension. Decisions about its other versions are dropped. */
  decidePowers(
    { file, hash }: Pick<ExtensionGrant, 'file' | 'hash'>,
    about: readonly Power[],
    how: 'visit' | 'always' | 'never',
  ): void {
    const isForVisit = how === 'visit' || this.isTemporary;
    const decided = isForVisit ? this.#extensionsOfVisit : this.#extensions;
    this.#change(() => {
      // An earlier decision about one of these powers may be in the other map.
      for (const grants of [this.#extensions, this.#extensionsOfVisit]) {
        const before = grants.get(file);
        if (before === undefined && grants !== decided) continue;
        const same = before?.hash === hash ? before : undefined;
        const added = grants === decided ? about : [];
        const others = (list: readonly Power[] = []): readonly Power[] =>
          list.filter((power) => !about.includes(power));
        grants.set(file, {
          file,
          hash,
          off: before?.off ?? false,
          allowed: [...others(same?.allowed), ...(how === 'never' ? [] : added)],
          refused: [...others(same?.refused), ...(how === 'never' ? added : [])],
        });
      }
    });
  }

  /** Switches an extension off, or on again. */
  switchExtension({ file, hash }: Pick<ExtensionGrant, 'file' | 'hash'>, off: boolean): void {
    const before = this.#extensions.get(file) ?? { file, hash, allowed: [], refused: [] };
    this.#change(() => this.#extensions.set(file, { ...before, off }));
  }

  /** Origins that tools may reach. */
  get allowed(): readonly string[] {
    const open = [...this.#grants.values()].filter(({ allowed }) => allowed);
    return open.map(({ origin }) => origin);
  }

  decide(origin: string): 'allow' | 'deny' | 'ask' {
    const grant = this.#grants.get(origin);
    return grant === undefined ? 'ask' : grant.allowed ? 'allow' : 'deny';
  }

  get local(): boolean {
    return this.#local;
  }

  get packages(): PackageGrant {
    return this.#packages;
  }

  /** Decides whether packages may be downloaded; `ask` asks the user again. */
  allowPackages(how: 'visit' | 'always' | 'never' | 'ask'): void {
    const decision = how === 'ask' ? 'ask' : how === 'never' ? 'deny' : 'allow';
    const visit = how !== 'ask' && (how === 'visit' || this.isTemporary);
    this.#change(() => {
      this.#packages = { ...this.#packages, decision, visit };
    });
  }

  /** @param index address of the package index, with a trailing slash */
  useIndex(index: string): void {
    this.#change(() => {
      this.#packages = { ...this.#packages, index };
    });
  }

  /** Returns the user's rule; null if the tool's spec decides whether to ask. */
  ruleOf(tool: string): ToolRule | null {
    return this.#rules.get(tool)?.rule ?? null;
  }

  rule(tool: string, rule: ToolRule | null): void {
    this.#change(() => {
      if (rule === null) this.#rules.delete(tool);
      else if (parseDefinitionPermission(tool) === null) this.#rules.set(tool, { tool, rule });
      else this.#rules.set(tool, { tool, rule, at: this.#now() });
    });
  }

  secretsFor(origin: string): readonly HttpHeader[] {
    const secretsOfOrigin = this.#secrets.filter((secret) => secret.origin === origin);
    return secretsOfOrigin.map(({ header, value }): HttpHeader => [header, value]);
  }

  /** Texts that are masked in responses, the longest first. */
  get secretParts(): readonly string[] {
    const values = [...this.#secrets.map(({ value }) => value), ...textsIn(this.#settingSecrets)];
    const parts = new Set(values.flatMap(secretParts));
    return [...parts].sort((a, b) => b.length - a.length);
  }

  /** Masks the keys in a short text of a tool. */
  masked(text: string): string {
    return new SecretMask(this.secretParts).text(text);
  }

  /** The values of all settings, those of secret ones included. They are for Python, not for the page. */
  get settings(): SettingValues {
    return mergeSettings(this.#settings, this.#settingSecrets);
  }

  /** The values of settings that are not secret. */
  get shownSettings(): SettingValues {
    return this.#settings;
  }

  hasSecretSetting(file: string, group: SettingGroup, name: string): boolean {
    return this.#settingSecrets[file]?.[group]?.[name] !== undefined;
  }

  /**
   * Replaces the values of a file's settings.
   * @param secrets values of secret settings; null removes one, and others stay
   */
  setSettings(file: string, values: FileValues, secrets: FileValues): void {
    this.#change(() => {
      this.#settings = { ...this.#settings, [file]: values };
      this.#settingSecrets = withSettings(this.#settingSecrets, file, secrets);
    });
  }

  grant(origin: string, how: 'visit' | 'always' | 'never'): void {
    const visit = how === 'visit' || this.isTemporary;
    this.#change(() => this.#grants.set(origin, { origin, allowed: how !== 'never', visit }));
  }

  /** Removes the decision about an origin, and its secrets. The user will be asked again. */
  revoke(origin: string): void {
    this.#change(() => {
      this.#grants.delete(origin);
      this.#secrets = this.#secrets.filter((secret) => secret.origin !== origin);
    });
  }

  allowLocal(local: boolean): void {
    this.#change(() => {
      this.#local = local;
    });
  }

  addSecret(secret: Secret): void {
    this.#change(() => {
      this.#secrets = [...this.#secretsWithout(secret), secret];
    });
  }

  forgetSecret(secret: Omit<Secret, 'value'>): void {
    this.#change(() => {
      this.#secrets = this.#secretsWithout(secret);
    });
  }

  #secretsWithout({ origin, header }: Omit<Secret, 'value'>): readonly Secret[] {
    const same = header.toLowerCase();
    return this.#secrets.filter(
      (one) => one.origin !== origin || one.header.toLowerCase() !== same,
    );
  }

  /** Changes, stores and reports. @throws {ToolError} if the policy is locked */
  #change(apply: () => void): void {
    // @mutant nothing is granted in a frame of another origin => never [src/runtime/grants/policies.test.ts]
    if (this.#isLocked) throw notInFrame('Nothing can be granted in a frame of another site.');
    apply();
    const { index, decision, visit } = this.#packages;
    const stored = [...this.#grants.values()].filter(({ visit }) => !visit);
    this.#save?.({
      grants: stored.map(({ origin, allowed }) => ({ origin, allowed })),
      secrets: this.#secrets,
      local: this.#local,
      packages: { index, decision: visit ? 'ask' : decision },
      settings: this.#settings,
      settingSecrets: this.#settingSecrets,
      tools: this.get().tools,
      extensions: [...this.#extensions.values()],
    });
    this.emit(this.get());
  }
}

/** Merges the package decision made before loading with the stored one. The former takes precedence. */
function withStored(own: PackageGrant, stored: StoredPolicy['packages']): PackageGrant {
  const index = own.index === usualIndex ? stored.index : own.index;
  return own.decision === 'ask' ? { ...stored, visit: false, index } : { ...own, index };
}

/** Returns what the user has refused in a folder, as the first policy of a copy of it. What they have allowed does not apply to the copy. */
export function refusalsOf({ grants, packages, tools }: PolicyView): Omit<StoredPolicy, 'id'> {
  const refused = grants.filter(({ allowed, visit }) => !allowed && !visit);
  return {
    grants: refused.map(({ origin, allowed }) => ({ origin, allowed })),
    secrets: [],
    local: false,
    packages: { decision: packages.decision === 'deny' ? 'deny' : 'ask', index: usualIndex },
    tools: tools.filter(({ rule }) => rule !== 'always'),
    extensions: [],
    settings: {},
    settingSecrets: {},
  };
}
