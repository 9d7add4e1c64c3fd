/** Observers: foreign code that listens to events and changes nothing. An error is reported and otherwise ignored. */

export interface Observers<E> {
  /** Registers a listener for later events. Listeners of the lowest order are called first. @returns dispose */
  observe(listener: (event: E) => void, order?: number): () => void;
  /** Calls every listener. Errors are reported, and the other listeners are still called. */
  emit(event: E): void;
  /** Whether there is any listener. */
  readonly isObserved: boolean;
}

/** A list of listeners, called by their order, then in order of registration. @param report receives what they throw or reject with */
export function createObservers<E>(report: (error: unknown) => void): Observers<E> {
  let listeners: readonly { readonly listener: (event: E) => unknown; readonly order: number }[] =
    [];
  return {
    get isObserved() {
      return listeners.length > 0;
    },
    observe(listener, order = 0) {
      const entry = { listener, order };
      listeners = [...listeners, entry].sort((a, b) => a.order - b.order);
      return () => {
        listeners = listeners.filter((other) => other !== entry);
      };
    },
    emit(event) {
      for (const entry of listeners) {
        // An earlier listener may have removed this one.
        if (!listeners.includes(entry)) continue;
        try {
          const outcome = entry.listener(event);
          if (outcome instanceof Promise) outcome.catch(report);
        } catch (error) {
          report(error);
        }
      }
    },
  };
}

/** An object with listeners. */
export class Observable<E> {
  readonly #observers;

  /** @param report receives what listeners throw or reject with */
  constructor(report: (thrown: unknown) => void) {
    this.#observers = createObservers<E>(report);
  }

  /** Calls the listener after every change, or on every event: see {@link Observers.observe}. @returns dispose */
  observe(listener: (event: E) => void, order?: number): () => void {
    return this.#observers.observe(listener, order);
  }

  protected emit(event: E): void {
    this.#observers.emit(event);
  }
}
