/** Transforms: foreign code that changes a value on its way; one that throws is skipped. */

import { byPriority } from './priority.ts';

/** @template C what a change is told of where the value is on its way to */
export interface Transforms<T, C = undefined> {
  /** Registers a change; lower priorities come first. The returned function ends it. */
  add(priority: number, change: (value: T, where: C) => T | Promise<T>): () => void;
  /** The value after every change; it never rejects. */
  run(value: T, where: C): Promise<T>;
}

/** A list of changes. Whoever registers a foreign one gives it its deadline. `report` receives what they throw. */
export function createTransforms<T, C = undefined>(
  report: (error: unknown) => void,
): Transforms<T, C> {
  let changes: readonly Change<T, C>[] = [];
  return {
    add(priority, change) {
      const entry = { priority, change };
      changes = [...changes, entry].sort(byPriority);
      return () => {
        changes = changes.filter((other) => other !== entry);
      };
    },
    async run(value, where) {
      let current = value;
      for (const { change } of changes) {
        try {
          current = await change(current, where);
        } catch (error) {
          report(error);
        }
      }
      return current;
    },
  };
}

interface Change<T, C> {
  readonly priority: number;
  readonly change: (value: T, where: C) => T | Promise<T>;
}
