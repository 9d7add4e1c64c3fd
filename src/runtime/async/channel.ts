/** Opens the channel over which pages of this site notify each other. */

/** Returns null if the browser has no channels or forbids them; then pages do not notify each other. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
