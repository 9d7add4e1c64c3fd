/** Makes effects and derived values depend on state of which they do not use the value. */

/** Runs the effect again, or computes the derived value again, when one of these values changes: reading them is enough. */
export function dependOn(..._values: readonly unknown[]): void {
  return;
}
