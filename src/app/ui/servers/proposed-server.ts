/** Reads links that propose an MCP server. The address is in the fragment, so that no host learns it. */

import { serverAddress } from '../../../agent/mcp/stored-server.ts';
import { requestTarget } from '../../../runtime/grants/request-parts.ts';
import { errorText } from '../../../runtime/spec/error.ts';

export type ProposedServer =
  | { readonly url: string; readonly origin: string }
  /** Why the link cannot be used. */
  | { readonly fault: string };

/** Returns whether the part after `#/open?` proposes a server. */
export function proposesServer(query: string): boolean {
  return new URLSearchParams(query).has('server');
}

/**
 * Reads what a link proposes.
 * @param page the origin of Cloche, which cannot be a server, and whether a page of another origin frames it
 */
export function proposeServer(
  query: string,
  page: { readonly origin: string; readonly framed: boolean },
): ProposedServer {
  // A page of another origin could cover what the user presses.
  // @mutant no link adds a server in a frame of another origin => page.framed -> false
  //   [src/app/ui/servers/proposed-server.test.ts]
  if (page.framed)
    return { fault: 'A link that proposes a server opens only in Cloche’s own window.' };
  const written = new URLSearchParams(query).get('server') ?? '';
  let url: string;
  try {
    url = serverAddress(written, page.origin);
  } catch (thrown) {
    return { fault: errorText(thrown) };
  }
  const target = requestTarget(url, page.origin);
  if ('why' in target) return { fault: `The address cannot be used: ${target.why}.` };
  // @mutant a link adds no server on the user's computer or network => target.local -> false
  //   [src/app/ui/servers/proposed-server.test.ts]
  if (target.local)
    return {
      fault: `${target.origin} is on your computer or network, and a link cannot add such a server. If you know the server, enter its address on the page Servers.`,
    };
  return { url, origin: target.origin };
}
