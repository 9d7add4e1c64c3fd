/** What the tools of one folder may reach: its grants, its secrets, and what becomes of them. */

import { createObservers } from '../hooks/observe.ts';
import type { HttpHeader } from '../protocol/ask.ts';

/** What is kept of one origin. */
export interface Grant {
  readonly origin: string;
  readonly allowed: boolean;
  /** Until the page is left; else kept. */
  readonly visit: boolean;
}

/** A header that is added to every request to an origin. */
export interface Secret {
  readonly origin: string;
  readonly header: string;
  readonly value: string;
}

/** What may be fetched of packages, and where. */
export interface PackageGrant {
  readonly decision: 'ask' | 'allow' | 'deny';
  /** Until the page is left; else kept. */
  readonly visit: boolean;
  /** Address of the package index, with a slash at the end. */
  readonly index: string;
}

/** The index that everybody uses. */
export const usualIndex = 'https://pypi.org/simple/';

/** What the person has decided of the calls of one tool; `ask`: each time, whatever its spec says. */
export type ToolRule = 'ask' | 'always' | 'never';

export interface RuledTool {
  /** Its name. */
  readonly tool: string;
  readonly rule: ToolRule;
}

/** As it is stored; written by an earlier visit, perhaps of another version. */
export interface StoredPolicy {
  /** The folder's. */
  readonly id: string;
  readonly grants: readonly { readonly origin: string; readonly allowed: boolean }[];
  readonly secrets: readonly Secret[];
  /** Addresses of this computer and its networks may be granted too. */
  readonly local: boolean;
  readonly packages: Omit<PackageGrant, 'visit'>;
  readonly tools: readonly RuledTool[];
}

export interface PolicyView {
  readonly grants: readonly Grant[];
  readonly secrets: readonly Omit<Secret, 'value'>[];
  readonly local: boolean;
  readonly packages: PackageGrant;
  readonly tools: readonly RuledTool[];
}

type Save = (policy: Omit<StoredPolicy, 'id'>) => void;

export class FolderPolicy {
  readonly #observers;
  readonly #grants = new Map<string, Grant>();
  #secrets: readonly Secret[] = [];
  #local = false;
  #packages: PackageGrant = { decision: 'ask', visit: false, index: usualIndex };
  readonly #rules = new Map<string, ToolRule>();
  #save: Save | null = null;

  /** @param report told of what listeners throw */
  constructor(report: (thrown: unknown) => void) {
    this.#observers = createObservers<PolicyView>(report);
  }

  /** The folder is known from one visit to the next: what an earlier one has kept holds again, and this one is kept. */
  keep(stored: StoredPolicy | null, save: Save): void {
    this.#save = save;
    for (const { origin, allowed } of stored?.grants ?? [])
      if (!this.#grants.has(origin)) this.#grants.set(origin, { origin, allowed, visit: false });
    this.#secrets = [...(stored?.secrets ?? []), ...this.#secrets];
    this.#local ||= stored?.local ?? false;
    for (const { tool, rule } of stored?.tools ?? [])
      if (!this.#rules.has(tool)) this.#rules.set(tool, rule);
    if (stored) this.#packages = withKept(this.#packages, stored.packages);
    this.#observers.emit(this.get());
  }

  /** Another page has changed what is kept; what holds for this visit alone stays. */
  follow({ grants, secrets, local, packages, tools }: StoredPolicy): void {
    this.#rules.clear();
    for (const { tool, rule } of tools) this.#rules.set(tool, rule);
    const visits = [...this.#grants.values()].filter(({ visit }) => visit);
    this.#grants.clear();
    for (const { origin, allowed } of grants)
      this.#grants.set(origin, { origin, allowed, visit: false });
    // A refusal goes before what was allowed here.
    for (const grant of visits)
      if (!this.#grants.has(grant.origin)) this.#grants.set(grant.origin, grant);
    this.#secrets = secrets;
    this.#local = local;
    const own = this.#packages.visit && packages.decision === 'ask';
    this.#packages = own
      ? { ...this.#packages, index: packages.index }
      : { ...packages, visit: false };
    this.#observers.emit(this.get());
  }

  /** Grants live until the page is left only: the folder is not known from one visit to the next. */
  get isFleeting(): boolean {
    return this.#save === null;
  }

  get(): PolicyView {
    return {
      grants: [...this.#grants.values()],
      secrets: this.#secrets.map(({ origin, header }) => ({ origin, header })),
      local: this.#local,
      packages: this.#packages,
      tools: Array.from(this.#rules, ([tool, rule]) => ({ tool, rule })),
    };
  }

  /** Told of changes. @returns dispose */
  observe(listener: (view: PolicyView) => void): () => void {
    return this.#observers.observe(listener);
  }

  /** Origins that may be reached. */
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

  /** Whether packages may be fetched; `ask`: the person is asked again. */
  allowPackages(how: 'visit' | 'always' | 'never' | 'ask'): void {
    const decision = how === 'ask' ? 'ask' : how === 'never' ? 'deny' : 'allow';
    const visit = how !== 'ask' && (how === 'visit' || this.isFleeting);
    this.#packages = { ...this.#packages, decision, visit };
    this.#changed();
  }

  /** @param index its address, with a slash at the end */
  useIndex(index: string): void {
    this.#packages = { ...this.#packages, index };
    this.#changed();
  }

  /** Null: the tool's spec says whether the person is asked. */
  ruleOf(tool: string): ToolRule | null {
    return this.#rules.get(tool) ?? null;
  }

  rule(tool: string, rule: ToolRule | null): void {
    if (rule === null) this.#rules.delete(tool);
    else this.#rules.set(tool, rule);
    this.#changed();
  }

  secretsFor(origin: string): readonly HttpHeader[] {
    const own = this.#secrets.filter((secret) => secret.origin === origin);
    return own.map(({ header, value }): HttpHeader => [header, value]);
  }

  grant(origin: string, how: 'visit' | 'always' | 'never'): void {
    const visit = how === 'visit' || this.isFleeting;
    this.#grants.set(origin, { origin, allowed: how !== 'never', visit });
    this.#changed();
  }

  /** It is asked for again; its secrets go too. */
  withdraw(origin: string): void {
    this.#grants.delete(origin);
    this.#secrets = this.#secrets.filter((secret) => secret.origin !== origin);
    this.#changed();
  }

  allowLocal(local: boolean): void {
    this.#local = local;
    this.#changed();
  }

  keepSecret(secret: Secret): void {
    this.#secrets = [...this.#without(secret), secret];
    this.#changed();
  }

  forgetSecret(secret: Omit<Secret, 'value'>): void {
    this.#secrets = this.#without(secret);
    this.#changed();
  }

  #without({ origin, header }: Omit<Secret, 'value'>): readonly Secret[] {
    const same = header.toLowerCase();
    return this.#secrets.filter(
      (one) => one.origin !== origin || one.header.toLowerCase() !== same,
    );
  }

  #changed(): void {
    const { index, decision, visit } = this.#packages;
    const kept = [...this.#grants.values()].filter(({ visit }) => !visit);
    this.#save?.({
      grants: kept.map(({ origin, allowed }) => ({ origin, allowed })),
      secrets: this.#secrets,
      local: this.#local,
      packages: { index, decision: visit ? 'ask' : decision },
      tools: this.get().tools,
    });
    this.#observers.emit(this.get());
  }
}

/** What was decided before it was known what is kept goes before it. */
function withKept(own: PackageGrant, kept: StoredPolicy['packages']): PackageGrant {
  const index = own.index === usualIndex ? kept.index : own.index;
  return own.decision === 'ask' ? { ...kept, visit: false, index } : { ...own, index };
}
