/** Creates a value on first use: one `Intl` formatter blocks a phone for a tenth of a second. */
export function onFirstUse<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
