/** Finds out why there is no connection. Browsers do not say why a request has failed. */

import type { McpFault } from '../../../runtime/protocol/mcp.ts';
import { requestTarget } from '../../../runtime/grants/request-parts.ts';
import { McpError } from './mcp-error.ts';
import { serverFetch, type Fetch } from './server-fetch.ts';

/** What the browser says about the page's own access to the network. */
export interface PageNetwork {
  readonly origin: string;
  online(): boolean;
  /** The state of a permission, such as `denied`; null if the browser does not know it. */
  permission(name: string): Promise<string | null>;
}

/** The answer that the page has read last. */
export interface LastAnswer {
  readonly status: number;
  readonly mediaType: string;
  /** The beginning of the text. */
  readonly text: string;
  /** The method of MCP that was called; empty if none was. */
  readonly rpc: string;
  /** Whether the server has named a session that the page may read. */
  readonly hasSession: boolean;
}

/** Limit of the diagnosis; milliseconds. */
const probeMs = 5_000;

/**
 * Determines more precisely why a server did not answer.
 * @param fault a failure without an answer that the page may read
 */
export async function unreachableFault(
  fault: McpFault,
  server: URL,
  fetch: Fetch,
  page: PageNetwork,
): Promise<McpFault> {
  if (fault.cause !== 'network') return fault;
  const target = requestTarget(server.href, '');
  const isLocal = 'local' in target && target.local;
  const permission = isLocal ? await localPermission(server, page) : null;
  const isPlainFromSecure = page.origin.startsWith('https:') && server.protocol === 'http:';
  // Only browsers that ask the user about local addresses let pages over https send http requests to them.
  if (isPlainFromSecure && !isLoopback(server) && permission === null)
    return { ...fault, cause: 'mixed' };
  // Pages that this computer serves need no permission.
  const isServedHere = page.origin !== '' && isLoopback(new URL(page.origin));
  if (permission === 'denied' && !isServedHere) return { ...fault, cause: 'permission' };
  if (!isLocal && !page.online()) return { ...fault, cause: 'offline' };
  return probe(fault, server, fetch);
}

/** Returns the state of the permission that the page needs for a local server; null if the browser does not know it. */
async function localPermission(server: URL, page: PageNetwork): Promise<string | null> {
  const name = isLoopback(server) ? 'loopback-network' : 'local-network';
  // Older browsers know one permission for both.
  return (await page.permission(name)) ?? (await page.permission('local-network-access'));
}

/** Whether an address belongs to this computer: `localhost`, a name below it, 127.x.x.x or [::1]. */
function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$|\.localhost$/.test(hostname);
}

/**
 * Asks the server once more without the headers of MCP, since browsers send such a request without a preflight. If it is
 * answered, the preflight has failed. If not, the server may be dead or may not allow this page: the only request that
 * tells these two apart, one with `no-cors`, would follow redirects.
 */
async function probe(fault: McpFault, server: URL, fetch: Fetch): Promise<McpFault> {
  const ignoreFault = (): void => undefined;
  // @mutant no key is sent to find out why a server cannot be reached => headers: [] -> headers: [['X-Key', 'k']]
  const ask = serverFetch(fetch, { server, headers: [], others: [] }, ignoreFault);
  try {
    const response = await ask(server, { signal: AbortSignal.timeout(probeMs) });
    await response.body?.cancel();
    return { ...fault, cause: 'preflight', status: response.status };
  } catch (thrown) {
    return thrown instanceof McpError && thrown.fault.cause === 'redirect' ? thrown.fault : fault;
  }
}

/** Explains an answer that is not MCP; null if nothing more can be said. */
export function answerFault(answer: LastAnswer | null): McpFault | null {
  if (answer === null) return null;
  const { status, mediaType, text, rpc, hasSession } = answer;
  const isHtml = mediaType === 'text/html';
  if (status === 403 && /\borigin\b/i.test(text) && !isHtml)
    return { cause: 'origin', message: text, status };
  if (status >= 400 && status < 500 && !hasSession && rpc.startsWith('notifications/'))
    return { cause: 'session', message: text, status };
  const hasNoEndpoint = [404, 405, 410, 501].includes(status);
  if (hasNoEndpoint || (isHtml && status !== 401 && status < 500))
    return { cause: 'not-mcp', message: isHtml ? mediaType : text, status };
  return null;
}
