/** The extensions of the open folder: follows its files, asks for powers, and lists what each of them does. */

import { Observable } from '../../runtime/hooks/observe.ts';
import { coalesce } from '../../runtime/async/coalesce.ts';
import { decisionAbout, powers, type Power } from '../../runtime/grants/powers.ts';
import type { Policies } from '../../runtime/grants/policies.ts';
import type { Questions } from '../../runtime/grants/questions.ts';
import type { ExtensionFile, Registry } from '../../runtime/registry/registry.ts';
import type { Action } from './actions.ts';
import type { RegistrationTargets } from './app.ts';
import type { RegisteredView } from './owner.ts';
import { PythonExtension, type State } from './python-extension.ts';
import type { StartPython } from './call-loader.ts';
import type { Fault } from './function-log.ts';
import type { Origin, Contributions } from './contributions.ts';

export interface ExtensionView {
  readonly name: string;
  readonly version: string;
  readonly kind: 'builtin' | 'external';
  readonly runtime: 'typescript' | 'python';
  /** Path of the file; empty for an extension that is part of Cloche. */
  readonly file: string;
  /** What is missing without an extension that is part of Cloche; null if the extension cannot be switched off. */
  readonly without?: string | null;
  readonly state: State | 'off' | 'too-many';
  readonly registered: readonly RegisteredView[];
  /** The powers that its registrations need, and those about which the user has decided. */
  readonly powers: readonly {
    readonly power: Power;
    readonly decision: 'allow' | 'deny' | 'ask';
  }[];
  /** Number of times that its functions were called, and their total time. */
  readonly calls: number;
  readonly spentMs: number;
  readonly slow: readonly { readonly what: string; readonly ms: number }[];
  /** The faults, oldest first. */
  readonly faults: readonly Fault[];
}

export interface ExtensionsDeps {
  readonly registry: Pick<Registry, 'extensions' | 'observe'>;
  readonly policies: Pick<Policies, 'current' | 'observe'>;
  /** Resolves when the policy of the open folder has been loaded. Never rejects. */
  readonly policyLoaded: () => Promise<void>;
  readonly questions: Pick<Questions, 'ask'>;
  readonly targets: RegistrationTargets;
  readonly start: StartPython;
  /** Performs an action of the page. @throws {ToolError} */
  readonly perform: (from: Origin, action: Action, session: string) => void;
  readonly now: () => number;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** Limit of extensions of a folder, since each has an interpreter. */
const maxExtensions = 8;
/** Interval between notifications of observers; milliseconds. */
const notifyMs = 100;

interface Loaded {
  readonly extension: PythonExtension;
  /** Aborts the questions about the extension. */
  readonly life: AbortController;
  /** The questions about its powers, which resolve when the user has answered. */
  readonly asked: Map<Power, Promise<void>>;
}

export class Extensions extends Observable<undefined> {
  readonly #deps: ExtensionsDeps;
  readonly #loaded = new Map<string, Loaded>();
  /** Extensions whose guards refuse calls until their next version is loaded. */
  readonly #replaced = new Map<string, readonly PythonExtension[]>();
  readonly #notify;
  readonly #ends: (() => void)[] = [];
  #unfollow: () => void = () => undefined;
  /** Pending loads, in the order in which the folder has changed. */
  #following: Promise<void> = Promise.resolve();
  #over = false;

  constructor(deps: ExtensionsDeps) {
    super(deps.report);
    this.#deps = deps;
    this.#notify = coalesce(() => this.emit(undefined), notifyMs);
    const policyChanged = (): void => {
      const replaced = [...this.#replaced.values()].flat();
      const loaded = Array.from(this.#loaded.values(), ({ extension }) => extension);
      for (const extension of [...loaded, ...replaced]) extension.refresh();
      this.#follow();
      this.#notify();
    };
    const followPolicy = (): void => {
      this.#unfollow();
      this.#unfollow = deps.policies.current.observe(policyChanged);
      policyChanged();
    };
    this.#ends.push(
      deps.registry.observe(() => this.#follow()),
      deps.policies.observe(followPolicy),
    );
    followPolicy();
  }

  get shown(): Contributions {
    return this.#deps.targets.shown;
  }

  /** Resolves when the extensions that are loading have registered, or failed to. Never rejects. */
  async settled(): Promise<void> {
    let seen: Promise<void>;
    do {
      seen = this.#following;
      await seen;
      await Promise.all(Array.from(this.#loaded.values(), ({ extension }) => extension.settled));
    } while (seen !== this.#following);
  }

  list(): readonly ExtensionView[] {
    return this.#deps.registry.extensions.map((file, index) => {
      const loaded = this.#loaded.get(file.file);
      return loaded === undefined
        ? this.#notLoaded(file, index >= maxExtensions)
        : this.#view(loaded.extension);
    });
  }

  /** Decides about a power of an extension, for the version of its file that is open. @throws {ToolError} */
  decide(file: string, power: Power, allowed: boolean): void {
    const known = this.#file(file);
    if (known !== undefined)
      this.#deps.policies.current.decidePowers(known, [power], allowed ? 'always' : 'never');
  }

  /** Switches an extension off, or on again. @throws {ToolError} */
  switch(file: string, off: boolean): void {
    const known = this.#file(file);
    if (known !== undefined) this.#deps.policies.current.switchExtension(known, off);
  }

  /** Starts an extension again. */
  reload(file: string): void {
    this.#replace(file);
    this.#follow();
  }

  dispose(): void {
    this.#over = true;
    for (const end of this.#ends) end();
    this.#unfollow();
    for (const file of this.#loaded.keys()) this.#end(file);
    for (const file of this.#replaced.keys()) this.#endReplaced(file);
    this.#notify.cancel();
  }

  #file(file: string): ExtensionFile | undefined {
    return this.#deps.registry.extensions.find((one) => one.file === file);
  }

  /** Ends and starts extensions so that they are those of the folder. */
  #follow(): void {
    this.#endOthers();
    // The policy says which are switched off, so nothing starts before it is known.
    this.#following = this.#deps.policyLoaded().then(() => {
      if (this.#over) return;
      this.#endOthers();
      for (const file of this.#filesToStart()) if (!this.#loaded.has(file.file)) this.#load(file);
      this.#notify();
    });
  }

  #endOthers(): void {
    const wanted = new Map(this.#filesToStart().map((file) => [file.file, file]));
    for (const file of this.#replaced.keys()) if (!wanted.has(file)) this.#endReplaced(file);
    for (const [file, { extension }] of this.#loaded) {
      if (!wanted.has(file)) this.#end(file);
      else if (wanted.get(file) !== extension.file) this.#replace(file);
    }
  }

  #filesToStart(): readonly ExtensionFile[] {
    const { registry, policies } = this.#deps;
    const first = registry.extensions.slice(0, maxExtensions);
    return first.filter(({ file }) => policies.current.extension(file)?.off !== true);
  }

  #load(file: ExtensionFile): void {
    const { targets, start, perform, now } = this.#deps;
    const life = new AbortController();
    const asked = new Map<Power, Promise<void>>();
    const extension = new PythonExtension(file, {
      targets,
      start,
      perform,
      now,
      onChange: this.#notify,
      isAllowed: (power) => this.#decision(file, power) === 'allow',
      mayHave: async (power) => {
        if (this.#decision(file, power) === 'ask') await this.#ask(loaded, [power]);
        return this.#decision(file, power) === 'allow';
      },
    });
    const loaded: Loaded = { extension, life, asked };
    this.#loaded.set(file.file, loaded);
    void extension.settled.then(() => {
      if (!life.signal.aborted) this.#endReplaced(file.file);
      return this.#ask(loaded, extension.needs);
    });
  }

  #end(file: string): void {
    const loaded = this.#loaded.get(file);
    this.#loaded.delete(file);
    loaded?.life.abort();
    loaded?.extension.end();
  }

  /** Ends an extension that is about to be loaded again. Until then, its guards refuse calls. */
  #replace(file: string): void {
    const loaded = this.#loaded.get(file);
    if (loaded === undefined) return;
    this.#loaded.delete(file);
    loaded.life.abort();
    loaded.extension.suspend();
    this.#replaced.set(file, [...(this.#replaced.get(file) ?? []), loaded.extension]);
  }

  #endReplaced(file: string): void {
    for (const extension of this.#replaced.get(file) ?? []) extension.end();
    this.#replaced.delete(file);
  }

  /** Asks for the powers about which the user has not been asked yet. Resolves when all are decided. */
  async #ask({ extension, life, asked }: Loaded, about: readonly Power[]): Promise<void> {
    const wanted = about.filter(
      (power) => this.#decision(extension.file, power) === 'ask' && !asked.has(power),
    );
    const waiting = about.flatMap((power) => asked.get(power) ?? []);
    if (wanted.length > 0 && !life.signal.aborted) {
      const asking = this.#question(extension, life.signal, wanted);
      for (const power of wanted) asked.set(power, asking);
      await asking;
    }
    await Promise.all(waiting);
  }

  async #question(
    { file, name }: PythonExtension,
    signal: AbortSignal,
    wanted: readonly Power[],
  ): Promise<void> {
    const { questions, policies } = this.#deps;
    const policy = policies.current;
    const before = policy.extension(file.file);
    const { reply } = await questions.ask(signal, {
      kind: 'powers',
      tool: name,
      file: file.file,
      wanted,
      callId: `extension ${file.file}`,
      caller: 'extension',
      changed: before !== undefined && before.hash !== file.hash,
    });
    if (signal.aborted || policies.current !== policy) return;
    if (reply === 'visit' || reply === 'always' || reply === 'never')
      policy.decidePowers(file, wanted, reply);
  }

  #decision({ file, hash }: ExtensionFile, power: Power): 'allow' | 'deny' | 'ask' {
    return decisionAbout(this.#deps.policies.current.extension(file), hash, power);
  }

  #view(extension: PythonExtension): ExtensionView {
    const { file, name, version, state, registered, needs, log } = extension;
    const decided = powers.map((power) => ({ power, decision: this.#decision(file, power) }));
    return {
      name,
      version,
      kind: 'external',
      runtime: 'python',
      file: file.file,
      state,
      registered,
      powers: decided.filter(({ power, decision }) => decision !== 'ask' || needs.includes(power)),
      calls: log.calls,
      spentMs: log.spentMs,
      slow: log.slow,
      faults: log.faults,
    };
  }

  #notLoaded({ file }: ExtensionFile, tooMany: boolean): ExtensionView {
    const isOff = this.#deps.policies.current.extension(file)?.off === true;
    return {
      name: file.replace(/\.py$/, ''),
      version: '',
      kind: 'external',
      runtime: 'python',
      file,
      state: isOff ? 'off' : tooMany ? 'too-many' : 'starting',
      registered: [],
      powers: [],
      calls: 0,
      spentMs: 0,
      slow: [],
      faults: [],
    };
  }
}
