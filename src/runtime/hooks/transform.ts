/** Transforms: foreign code that changes a value. A transform that throws is skipped and reported. */

/** @template C describes the destination of the value to each transform */
export interface Transforms<T, C = undefined> {
  /** Registers a transform; the lowest priority runs first. @returns dispose */
  add(priority: number, change: (value: T, where: C) => T | Promise<T>): () => void;
  /** The value after all transforms. Never rejects. */
  run(value: T, where: C): Promise<T>;
}

/** A list of transforms. It sets no deadlines: registrants wrap foreign transforms in one. @param report receives what they throw */
export function createTransforms<T, C = undefined>(
  report: (error: unknown) => void,
): Transforms<T, C> {
  let changes: readonly Change<T, C>[] = [];
  return {
    add(priority, change) {
      const entry = { priority, change };
      changes = [...changes, entry].sort((a, b) => a.priority - b.priority);
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
