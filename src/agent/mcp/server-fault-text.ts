/** Says what a failure of an MCP server means, and what to do next, and gives the command of the bridge. */

import type { McpFault } from '../../runtime/protocol/mcp.ts';

export function serverFaultText({ cause, message, status }: McpFault, url: string): string {
  // The query may contain a key.
  const { host, origin, pathname } = new URL(url);
  const bridge = `“${bridgeLine('COMMAND')}”`;
  const answered = status === null ? 'an error' : `status ${status}`;
  switch (cause) {
    case 'network':
      return `${host} cannot be reached from a web page: it is not running, or does not allow this page (CORS). Check that it runs. If it does, start it through ${bridge}, which allows this page. If the browser asks whether Cloche may reach your local network, allow it.`;
    case 'ended':
      return `${host} can no longer be reached: it has probably stopped. If it runs on your computer, start it again, then choose “Reconnect”. A tool call also reconnects automatically.`;
    case 'offline':
      return `${host} cannot be reached: this computer is offline. Cloche connects when the network is back.`;
    case 'mixed':
      return `${host} cannot be reached: Cloche was loaded over https, and browsers block its requests to http addresses. Use the https address of the server.`;
    case 'permission':
      return `The browser does not let Cloche reach ${host}: you have denied access to local addresses. Allow it in the browser’s settings for this site (Local network access), and reconnect.`;
    case 'preflight':
      return `${host} runs, but does not allow web pages to send it the headers of MCP (CORS). The server has to answer OPTIONS requests with Access-Control-Allow-Headers. For a server on your computer, use ${bridge}.`;
    case 'origin':
      return `${host} refuses this page because of its origin: ${message.slice(0, 200)}. Add the address of Cloche to the origins that the server allows. For a server on your computer, use ${bridge}.`;
    case 'session':
      return `${host} answered with ${answered} because it got no session id. A server with sessions must let pages read it: Access-Control-Expose-Headers: Mcp-Session-Id. For a server on your computer, use ${bridge}.`;
    case 'not-mcp':
      return `There is no MCP server at ${origin}${pathname}: it answered with ${status === 200 ? 'a web page' : answered}. Check the path, which often ends with /mcp or /sse. A server that speaks stdio only needs ${bridge}.`;
    case 'redirect':
      return `${host} redirects to another address. Add the final address instead.`;
    case 'elsewhere':
    case 'limit':
    case 'protocol':
      return message;
    case 'sign-in':
      return status === null ? message : `${host} requires you to sign in.`;
    case 'http':
    case 'lost':
      return status === null ? message : `${host} answered with status ${status}: ${message}`;
    case 'refused':
      return `${host} refused: ${message}`;
    case 'timeout':
      return `${host} did not answer in time. Try again, or ask its author: the report of this server says how long it took.`;
  }
}

/** The origin that `npx cloche bridge` allows by default: that of `npx cloche FOLDER`. */
const usualOrigin = 'http://localhost:4747';

/**
 * Returns the command that lets this page reach an MCP server that speaks only stdio.
 *
 * @param command of the server
 * @param origin of the page, which the bridge must allow
 */
export function bridgeLine(
  command: string,
  origin: string = typeof location === 'undefined' ? usualOrigin : location.origin,
): string {
  const allowed = origin === usualOrigin ? '' : `--allow-origin ${origin} `;
  return `npx cloche bridge ${allowed}-- ${command}`;
}
