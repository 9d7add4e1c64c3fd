/** Observers: foreign code that listens and cannot change anything; it fails open. */

export interface Observers<E> {
  /** Registers a listener for every later event; the returned function ends it. */
  observe(listener: (event: E) => void): () => void;
  /** Tells every listener; what one throws is reported, and the others go on. */
  emit(event: E): void;
}

/** A list of listeners, called in the order in which they came. `report` receives what they throw. */
export function createObservers<E>(report: (error: unknown) => void): Observers<E> {
  let listeners: readonly { readonly tell: (event: E) => unknown }[] = [];
  return {
    observe(listener) {
      const entry = { tell: listener };
      listeners = [...listeners, entry];
      return () => {
        listeners = listeners.filter((other) => other !== entry);
      };
    },
    emit(event) {
      for (const entry of listeners) {
        // A listener may end another one while the event goes round.
        if (!listeners.includes(entry)) continue;
        try {
          const outcome = entry.tell(event);
          if (outcome instanceof Promise) outcome.catch(report);
        } catch (error) {
          report(error);
        }
      }
    },
  };
}
