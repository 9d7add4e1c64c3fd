/** Makes a value when it is first wanted: one format of `Intl` holds a phone for a tenth of a second. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
