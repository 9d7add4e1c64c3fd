/** Makes effects and derived values depend on state whose value they do not use. */

/** Runs the effect again, or computes the derived value again, when one of these values changes: reading them is enough. */
export function dependOn(..._values: readonly unknown[]): void {
  return;
}
