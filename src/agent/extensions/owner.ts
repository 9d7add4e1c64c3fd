/**
 * The owner of registrations holds everything that one extension has registered: each registration is active while the
 * extension has the powers for it.
 */

import type { Power } from '../../runtime/grants/powers.ts';
import { errorText } from '../../runtime/spec/error.ts';

export type Kind =
  | 'tool'
  | 'command'
  | 'shortcut'
  | 'prompt section'
  | 'interceptor'
  | 'message hook'
  | 'event handler'
  | 'status section'
  | 'compactor'
  | 'provider'
  | 'stream provider'
  | 'renderer';

export interface Registration {
  readonly kind: Kind;
  readonly name: string;
  readonly needs: readonly Power[];
  /** Activates the registration. @returns dispose @throws {ToolError} if that is impossible */
  readonly activate: () => () => void;
}

export interface RegisteredView {
  readonly kind: Kind;
  readonly name: string;
  readonly active: boolean;
  /** Why the registration is not active, apart from missing powers; may be empty. */
  readonly fault: string;
  readonly missing: readonly Power[];
}

interface Entry {
  readonly registration: Registration;
  end: (() => void) | null;
  fault: string;
}

export class Owner {
  readonly #entries: Entry[] = [];
  readonly #isAllowed: (power: Power) => boolean;
  /** Whether only interceptors may be active. */
  #suspended = false;
  /** Whether nothing may be active any more. */
  #over = false;

  /** @param isAllowed whether the extension has a power now; see {@link refresh} */
  constructor(isAllowed: (power: Power) => boolean) {
    this.#isAllowed = isAllowed;
  }

  add(registration: Registration): void {
    this.#entries.push({ registration, end: null, fault: '' });
  }

  /** Adds a registration to which others refer when they are activated. */
  addFirst(registration: Registration): void {
    this.#entries.unshift({ registration, end: null, fault: '' });
  }

  get needs(): readonly Power[] {
    return [...new Set(this.#entries.flatMap(({ registration }) => registration.needs))];
  }

  /** Activates what the powers allow now, and deactivates the rest. */
  refresh(): void {
    for (const entry of this.#entries) {
      const { needs, kind, activate } = entry.registration;
      // A guard stays active and refuses calls while its extension does not run.
      // @mutant the guards of an extension that does not run refuse calls => 'interceptor' -> undefined
      //   [src/agent/extensions/extensions.test.ts]
      const isOut = this.#over || (this.#suspended && kind !== 'interceptor');
      // @mutant an extension without a power activates nothing => without && needs.every((power) =>
      //   this.#isAllowed(power)) [src/agent/extensions/extensions.test.ts]
      const wanted = !isOut && needs.every((power) => this.#isAllowed(power));
      if (wanted === (entry.end !== null)) continue;
      if (!wanted) {
        entry.end?.();
        entry.end = null;
        continue;
      }
      try {
        entry.end = activate();
        entry.fault = '';
      } catch (thrown) {
        entry.fault = errorText(thrown);
      }
    }
  }

  /** Deactivates everything but the interceptors, because the extension does not respond. */
  suspend(): void {
    this.#suspended = true;
    this.refresh();
  }

  end(): void {
    this.#over = true;
    this.refresh();
  }

  list(): readonly RegisteredView[] {
    return this.#entries.map(({ registration: { kind, name, needs }, end, fault }) => ({
      kind,
      name,
      fault,
      active: end !== null,
      missing: needs.filter((power) => !this.#isAllowed(power)),
    }));
  }
}
