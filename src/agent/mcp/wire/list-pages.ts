/** Lists of a server, and requests whose results are checked later. */

import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import { asFields, isRecord } from '../../../runtime/spec/guards.ts';
import { uncheckedItems } from './leniency/result.ts';
import { McpError } from './mcp-error.ts';

export const requestMs = 60_000;
/** JSON-RPC's code for a method that a server does not have. */
const methodNotFound = -32601;
/** Limits of a list. */
const maxPages = 64;
const maxListed = 10_000;
/** Limit of the texts of all pages; characters. */
const maxChars = 32_000_000;

/** Lists all pages, as they are: an item that is not valid must not hide the others. */
export async function listAllPages(
  client: Client,
  method: string,
  member: string,
): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  let cursor: unknown;
  const asked = new Set<unknown>();
  let chars = 0;
  for (let page = 0; page < maxPages && all.length < maxListed; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, anyResult, { timeout: requestMs });
    const { [member]: checked, [uncheckedItems]: unchecked, nextCursor } = asFields(result);
    // The items that the client must not check were moved to another member when the response was read.
    const items = unchecked === undefined ? checked : unchecked;
    if (!Array.isArray(items))
      throw new McpError('protocol', `${method} has no list of ${member}.`);
    const listedHere: readonly unknown[] = items;
    all.push(...listedHere.slice(0, maxListed - all.length));
    chars += charsOf(listedHere);
    // @mutant all pages of a list of an MCP server are bounded together => never
    if (chars > maxChars)
      throw new McpError('limit', `${method} has more than ${maxChars} characters.`);
    // Some servers end with an empty cursor, number their pages, or begin again.
    if (nextCursor === undefined || nextCursor === null || nextCursor === '') break;
    if (asked.has(nextCursor)) break;
    asked.add(nextCursor);
    cursor = nextCursor;
  }
  return all;
}

/** Lists the tools of a server. A server that declares no tools may not know the method, and then has none. */
export async function listTools(client: Client): Promise<readonly unknown[]> {
  try {
    return await listAllPages(client, 'tools/list', 'tools');
  } catch (thrown) {
    const isUnknown = thrown instanceof ProtocolError && thrown.code === methodNotFound;
    if (isUnknown && client.getServerCapabilities()?.tools === undefined) return [];
    throw thrown;
  }
}

/** Length of all texts in a value, names included. Hostile values are nested too deep for recursion. */
function charsOf(value: unknown): number {
  const waiting: unknown[] = [value];
  let chars = 0;
  while (waiting.length > 0) {
    const item = waiting.pop();
    chars += typeof item === 'string' ? item.length : 1;
    // Arrays are records, too: their indices count as names.
    if (!isRecord(item)) continue;
    for (const [name, child] of Object.entries(item)) {
      chars += name.length;
      waiting.push(child);
    }
  }
  return chars;
}

/** Accepts every result. */
export const anyResult = {
  '~standard': { version: 1, vendor: 'cloche', validate: (value: unknown) => ({ value }) },
} as const;
