/** Checks arguments in a worker while the user types, with the same result as in a run. */

import type { ArgumentChecking } from '../../../../runtime/sandbox/argument-checker.ts';
import type { ArgumentError } from '../../../../runtime/protocol/argument-check.ts';
import { exactText } from '../../../../runtime/spec/exact-json.ts';
import type { JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import { checkedChars } from './draft.svelte.ts';

/** Delay after the last key press, so that fast typing does not start a check for each key. Milliseconds. */
const pauseMs = 120;

const none: readonly ArgumentError[] = [];

export class ArgumentErrors {
  readonly #checking: Promise<ArgumentChecking>;
  #schema: JsonText = '';
  #of: JsonObject | null = null;
  all: readonly ArgumentError[] = $state.raw(none);
  /** Whether the arguments could not be checked; a run still checks them. */
  unchecked: boolean = $state(false);
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #byPointer = $derived(
    new Map(this.all.map(({ pointer, message }) => [pointer, message])),
  );

  constructor(checking: Promise<ArgumentChecking>) {
    this.#checking = checking;
  }

  /** The error of one value; empty if there is none. */
  at(pointer: string): string {
    return this.#byPointer.get(pointer) ?? '';
  }

  below(pointer: string): readonly ArgumentError[] {
    return this.all.filter((error) => error.pointer.startsWith(`${pointer}/`));
  }

  /** Schedules a check of the text. Until it ends, the errors of the last text stay. @param text null if it is not valid JSON */
  update(parameters: JsonObject, text: JsonText | null): void {
    this.#cancel();
    if (parameters !== this.#of) {
      this.#of = parameters;
      this.#schema = exactText(parameters);
      this.all = none;
    }
    if (text === null || text.length > checkedChars) {
      this.all = none;
      return;
    }
    this.#timer = setTimeout(() => void this.#check(text), pauseMs);
  }

  dispose(): void {
    this.#cancel();
    this.#checking.then(
      (checking) => checking.dispose(),
      // The page shows that its parts could not be loaded.
      () => undefined,
    );
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  async #check(text: JsonText): Promise<void> {
    const { signal } = this.#stop;
    try {
      const errors = await (await this.#checking).check(signal, this.#schema, text);
      if (signal.aborted) return;
      const found = errors ?? none;
      // Every field of the form follows the list, so it stays the same object while nothing in it changes.
      if (JSON.stringify(found) !== JSON.stringify(this.all)) this.all = found;
      this.unchecked = errors === null;
    } catch {
      if (signal.aborted) return;
      // The check was too slow, or its worker could not be loaded. The run still checks the arguments.
      this.all = none;
      this.unchecked = true;
    }
  }
}
