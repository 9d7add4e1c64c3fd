/** The only way from the worker to the network: to one server, without cookies or redirects, and bounded. */

import type { Header, McpFault } from '../../../runtime/protocol/mcp.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { boundBody } from './bounded-body.ts';
import { McpError } from './mcp-error.ts';

/** The client's requests; how redirects are met is not theirs to say. */
export type Asked = Omit<RequestInit, 'redirect'>;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sees what is sent and answered. */
export interface WireTap {
  /** @returns what sees the answer to this request */
  sent(request: SentRequest): AnswerTap;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  /** Empty if there is none. */
  readonly body: string;
}

export interface AnswerTap {
  answered(response: Response): void;
  /** A whole body, or the data of an event. */
  message(text: string): void;
  failed(fault: McpFault): void;
}

/** Where requests may go. */
export interface FetchTargets {
  readonly server: URL;
  /** Sent to the server alone. */
  readonly headers: readonly Header[];
  /** Origins of the authorization server, which the user has confirmed. */
  readonly others: readonly string[];
}

/**
 * Returns a `fetch` that reaches one server.
 * @param onFault called with each failure, which the client hides behind its own error
 */
export function serverFetch(
  fetch: Fetch,
  { server, headers, others }: FetchTargets,
  onFault: (fault: McpFault, origin: string) => void,
  tap: WireTap | null = null,
): (url: string | URL, init?: Asked) => Promise<Response> {
  const send = async (url: URL, init: Asked): Promise<Response> => {
    // @mutant requests of an MCP connection reach its server only => never
    if (url.origin !== server.origin && !others.includes(url.origin))
      throw new McpError('elsewhere', `A request to ${url.origin} was not sent.`);
    const sent = new Headers(init.headers);
    // @mutant keys of an MCP server are sent to it alone => url.origin === server.origin -> true
    //   [src/agent/mcp/wire/server-fetch.test.ts]
    if (url.origin === server.origin) for (const [name, value] of headers) sent.set(name, value);
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? init.body : '';
    const seen = tap?.sent({ method, url: url.href, headers: sent, body });
    const fail = (fault: McpError): McpError => {
      seen?.failed(fault.fault);
      return fault;
    };
    let response: Response;
    try {
      response = await fetch(url.href, {
        method,
        headers: sent,
        body: init.body ?? null,
        signal: init.signal ?? null,
        mode: 'cors',
        // @mutant requests to MCP servers carry no cookies => 'omit' -> 'include'
        credentials: 'omit',
        // @mutant a redirect of an MCP server is not followed => 'manual' -> 'follow'
        redirect: 'manual',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      });
    } catch (thrown) {
      if (init.signal?.aborted === true) throw thrown;
      throw fail(new McpError('network', errorText(thrown)));
    }
    if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400))
      throw fail(new McpError('redirect', `${url.origin} redirects to another address.`));
    seen?.answered(response);
    const onLimit = (fault: McpError): void => onFault(fail(fault).fault, url.origin);
    return boundBody(response, (text) => seen?.message(text), onLimit);
  };
  return async (address, init = {}) => {
    const url = new URL(address);
    try {
      return await send(url, init);
    } catch (thrown) {
      if (thrown instanceof McpError) onFault(thrown.fault, url.origin);
      throw thrown;
    }
  };
}
