/**
 * Packages that were compiled once, in a separate interpreter: other interpreters only write their files, and neither unpack
 * nor compile them. No code of a package has run by then, so importing it has the same effect as without.
 */

import type { InstallRequest } from '../protocol/packages.ts';
import type { Limits } from '../spec/limits.ts';
import { sha256Of } from '../spec/bytes.ts';
import { isPure, type Wheel } from '../spec/wheel.ts';
import type { PackageStore } from './store.ts';

export interface CompiledDeps {
  readonly limits: Limits;
  readonly store: Pick<PackageStore, 'compiled' | 'keepCompiled' | 'wheel' | 'keepWheel'>;
  /** Returns a key of all files in the sandbox: the byte code depends on them. */
  readonly sandboxKey: () => Promise<string>;
  /** Compiles wheels in an interpreter that has run no other code. @throws {ToolError} */
  readonly compile: (signal: AbortSignal, wheels: readonly Wheel[]) => Promise<Blob>;
}

/** A new interpreter. */
interface Installing {
  install(signal: AbortSignal, request: InstallRequest, limits: Limits): Promise<void>;
  dispose(): void;
}

export class CompiledPackages {
  readonly #deps: CompiledDeps;
  /** The pure packages of the folder that was opened last. */
  #wanted: readonly Wheel[] = [];
  /** The compiled packages that were found last, with their key. */
  #last: { readonly key: string; readonly content: Blob } | null = null;
  /** Whether an installation with compiled packages has failed. */
  #isDisabled = false;

  constructor(deps: CompiledDeps) {
    this.#deps = deps;
  }

  /** Compiles the packages of the folder that was opened last, unless they are stored. @throws if it fails */
  async make(signal: AbortSignal): Promise<void> {
    const { store, compile } = this.#deps;
    const wheels = this.#wanted;
    if (wheels.length === 0 || this.#isDisabled || (await this.#find(wheels)) !== null) return;
    const compiled = await (await compile(signal, wheels)).arrayBuffer();
    const sha256 = await sha256Of(compiled);
    await store.keepWheel(sha256, new Blob([compiled]));
    await store.keepCompiled(await this.#key(wheels), sha256);
  }

  /**
   * Starts an interpreter and installs wheels. If compiled packages cannot be used, another one gets the wheels, and so do all
   * later ones.
   * @throws if it fails
   */
  async startWith<Python extends Installing>(
    signal: AbortSignal,
    wheels: readonly Wheel[],
    start: () => Promise<Python>,
  ): Promise<Python> {
    const [python, request] = await Promise.all([start(), this.#installation(wheels)]);
    try {
      await python.install(signal, request, this.#deps.limits);
      return python;
    } catch (thrown) {
      python.dispose();
      if (request.compiled === null || signal.aborted) throw thrown;
      this.#isDisabled = true;
      return this.startWith(signal, wheels, start);
    }
  }

  /** The packages that an interpreter has to install. Never rejects. */
  async #installation(wheels: readonly Wheel[]): Promise<InstallRequest> {
    this.#wanted = wheels.filter(isPure);
    const compiled = await this.#find(this.#wanted).catch(() => null);
    if (compiled === null) return { wheels, compiled };
    return { wheels: wheels.filter((wheel) => !isPure(wheel)), compiled };
  }

  async #find(wheels: readonly Wheel[]): Promise<Blob | null> {
    if (wheels.length === 0 || this.#isDisabled) return null;
    const key = await this.#key(wheels);
    if (this.#last?.key === key) return this.#last.content;
    const sha256 = await this.#deps.store.compiled(key);
    if (typeof sha256 !== 'string') return null;
    // The store compares the content with its hash.
    const content = await this.#deps.store.wheel(sha256);
    if (content !== null) this.#last = { key, content };
    return content;
  }

  async #key(wheels: readonly Wheel[]): Promise<string> {
    const inputs = [
      await this.#deps.sandboxKey(),
      // @mutant the content of compiled packages => [filename, sha256] -> [filename]
      wheels.map(({ filename, sha256 }) => [filename, sha256]),
    ];
    return sha256Of(new TextEncoder().encode(JSON.stringify(inputs)));
  }
}
