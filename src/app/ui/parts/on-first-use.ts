/** Creates a value on first use: one `Intl` formatter blocks a phone for a tenth of a second. */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
