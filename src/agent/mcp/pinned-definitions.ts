/** Compares what a server lists with the definitions that the user knows, and bounds what is remembered. */

import type { ListedDefinition } from '../../runtime/protocol/mcp.ts';
import type { PinnedDefinition } from './stored-server.ts';

/** Limit of the definitions that are remembered per server, including those of tools that it no longer lists. */
const maxPinned = 2_000;
/** Limit of the texts of definitions of tools that are gone; characters. Without its text, a definition is still known by its hash. */
const maxGoneChars = 1_000_000;
const noText = '{}';

interface Compared {
  readonly pinned: readonly PinnedDefinition[];
  /** The tools that the server has changed, by name, with their new definitions. */
  readonly changed: Map<string, PinnedDefinition>;
  /** Number of tools for which there was no room. */
  readonly dropped: number;
}

/**
 * Pins what is new. A changed definition waits until the user accepts it.
 * @param room for the listed definitions; characters
 */
export function compareWithPinned(
  known: readonly PinnedDefinition[],
  listed: readonly ListedDefinition[],
  room: number,
): Compared {
  const before = new Map(known.map((one) => [one.name, one]));
  const changed = new Map<string, PinnedDefinition>();
  const pinned: PinnedDefinition[] = [];
  let chars = 0;
  let dropped = 0;
  for (const one of listed) {
    const definition = { ...one, listed: true };
    const old = before.get(one.name);
    // @mutant a changed definition of a server's tool is not used => old.hash === one.hash -> true
    //   [src/agent/mcp/servers.test.ts]
    const isKnown = old === undefined || old.hash === one.hash;
    const kept = isKnown ? definition : { ...old, listed: true };
    const size = kept.text.length + (isKnown ? 0 : one.text.length);
    // @mutant the definitions of all MCP servers are bounded => never
    if (chars + size > room) {
      dropped += 1;
      continue;
    }
    chars += size;
    before.delete(one.name);
    pinned.push(kept);
    if (!isKnown) changed.set(one.name, definition);
  }
  // A tool that is gone stays pinned, so that it cannot come back with another definition unnoticed.
  let goneChars = 0;
  for (const one of before.values()) {
    goneChars += one.text.length;
    pinned.push({ ...one, listed: false, text: goneChars > maxGoneChars ? noText : one.text });
  }
  return { pinned: pinned.slice(0, maxPinned), changed, dropped };
}

/** Compares by hashes: the texts of all definitions are too long to be compared on the page's thread. */
export function hasSameDefinitions(
  before: readonly PinnedDefinition[],
  after: readonly PinnedDefinition[],
): boolean {
  return (
    before.length === after.length &&
    before.every((one, at) => {
      const other = after[at];
      return one.name === other?.name && one.hash === other.hash && one.listed === other.listed;
    })
  );
}

export function countChars(pinned: readonly PinnedDefinition[]): number {
  return pinned.reduce((sum, { text }) => sum + text.length, 0);
}
