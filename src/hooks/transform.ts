/** Transforms: foreign code that changes a value on its way; one that throws is skipped. */

import { byPriority } from './priority.ts';

export interface Transforms<T> {
  /** Registers a change; lower priorities come first. The returned function ends it. */
  add(priority: number, change: (value: T) => T | Promise<T>): () => void;
  /** The value after every change; it never rejects. */
  run(value: T): Promise<T>;
}

/** A list of changes. Whoever registers a foreign one gives it its deadline. `report` receives what they throw. */
export function createTransforms<T>(report: (error: unknown) => void): Transforms<T> {
  let changes: readonly Change<T>[] = [];
  return {
    add(priority, change) {
      const entry = { priority, change };
      changes = [...changes, entry].sort(byPriority);
      return () => {
        changes = changes.filter((other) => other !== entry);
      };
    },
    async run(value) {
      let current = value;
      for (const { change } of changes) {
        try {
          current = await change(current);
        } catch (error) {
          report(error);
        }
      }
      return current;
    },
  };
}

interface Change<T> {
  readonly priority: number;
  readonly change: (value: T) => T | Promise<T>;
}
