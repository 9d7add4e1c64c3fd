/** Asks the page for the list of its tools over MCP. */

import { metaPrefix, modernVersion } from '../../runtime/protocol/mcp-handshake.ts';
import { objectMembers } from '../../runtime/spec/json-reader.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { PageApi, PageResponse } from '../driven-page.ts';
import { headersOf, linesOf, readMessage } from './message.ts';

/** @param version the revision of MCP to speak @returns the result of `tools/list` @throws {Error} */
export async function listFromPage(
  signal: AbortSignal,
  page: PageApi,
  version: string,
): Promise<JsonText> {
  const isModern = version === modernVersion;
  const headers: Record<string, string> = {};

  async function post(method: string, params: object): Promise<PageResponse> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const message = readMessage(body);
    if (message !== null) Object.assign(headers, headersOf(message, version));
    return page.request(signal, { method: 'POST', path: 'mcp', headers, body });
  }

  if (!isModern) {
    const clientInfo = { name: 'cloche', version: '0' };
    const asked = { protocolVersion: version, capabilities: {}, clientInfo };
    const begun = await post('initialize', asked);
    await resultOf(begun);
    const sessionId = begun.headers['mcp-session-id'];
    if (sessionId === undefined) throw new Error('The page did not start an MCP session.');
    headers['Mcp-Session-Id'] = sessionId;
  }
  const meta = {
    [`${metaPrefix}protocolVersion`]: version,
    [`${metaPrefix}clientCapabilities`]: {},
  };
  const result = await resultOf(await post('tools/list', isModern ? { _meta: meta } : {}));
  if (!isModern) await page.request(signal, { method: 'DELETE', path: 'mcp', headers });
  return result;
}

async function resultOf(response: PageResponse): Promise<JsonText> {
  let result: JsonText | undefined;
  for await (const line of linesOf(response)) result = objectMembers(line)?.get('result');
  if (result === undefined) throw new Error(`The page answered ${response.status} without a list.`);
  return result;
}
