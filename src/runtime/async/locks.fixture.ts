/** Web Locks in memory, for tests; several pages share one object. */

interface Waiting {
  readonly name: string;
  grant(): void;
}

interface Holder {
  /** Called when the lock is stolen. */
  lose(thrown: DOMException): void;
}

/** Implements what the app uses: exclusive locks in the order of requests, `ifAvailable`, and `steal`. */
export class FakeLocks {
  readonly #held = new Map<string, Holder>();
  #waiting: Waiting[] = [];

  request<T>(
    name: string,
    optionsOrCallback: LockOptions | LockGrantedCallback<T>,
    callback?: LockGrantedCallback<T>,
  ): Promise<Awaited<T>> {
    const options = typeof optionsOrCallback === 'function' ? {} : optionsOrCallback;
    const granted = typeof optionsOrCallback === 'function' ? optionsOrCallback : callback;
    if (granted === undefined) throw new TypeError('no callback');
    const mode = options.mode ?? 'exclusive';
    if (options.ifAvailable === true && this.#held.has(name)) return settle(() => granted(null));
    return new Promise((resolve, reject) => {
      const waiting = {
        name,
        grant: () => {
          const holder = { lose: reject };
          this.#held.set(name, holder);
          settle(() => granted({ name, mode }))
            .finally(() => this.#release(name, holder))
            .then(resolve, reject);
        },
      };
      options.signal?.addEventListener('abort', () => {
        if (!this.#waiting.includes(waiting)) return;
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new DOMException('aborted', 'AbortError'));
      });
      if (options.steal === true) {
        this.#held.get(name)?.lose(new DOMException('stolen', 'AbortError'));
        waiting.grant();
        return;
      }
      this.#waiting.push(waiting);
      this.#grantNext(name);
    });
  }

  query(): Promise<LockManagerSnapshot> {
    return Promise.resolve({ held: this.held.map((name) => ({ name })) });
  }

  get held(): string[] {
    return [...this.#held.keys()].sort();
  }

  #grantNext(name: string): void {
    if (this.#held.has(name)) return;
    const next = this.#waiting.find((waiting) => waiting.name === name);
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== next);
    next.grant();
  }

  #release(name: string, holder: Holder): void {
    if (this.#held.get(name) !== holder) return;
    this.#held.delete(name);
    this.#grantNext(name);
  }
}

async function settle<T>(run: () => T): Promise<Awaited<T>> {
  await Promise.resolve();
  return await run();
}
