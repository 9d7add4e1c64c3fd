/** Makes the official client of one connection: what it declares to the server, and who gets what the server sends by itself. */

import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client';
import type { Asks } from './server-asks.ts';
import type { Reports } from './server-reports.ts';
import type { RunningCall } from './running-call.ts';
import { logLine } from './server-log.ts';

/** The capability that a client declares, so that servers offer tools with apps. */
const appsExtension = 'io.modelcontextprotocol/ui';
const appMimeType = 'text/html;profile=mcp-app';

/** Results are checked against `outputSchema` where they are shown, since a wrong result is worth seeing. */
const acceptsAll: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (value) => ({ valid: true, data: value as T, errorMessage: undefined });
  },
};

interface ClientDeps {
  readonly reports: Reports;
  readonly asks: Asks;
  readonly latestCall: () => RunningCall | undefined;
}

/** @param mode `legacy` asks for no revision later than those of 2025 */
export function newClient(
  mode: 'auto' | 'legacy',
  { reports, asks, latestCall }: ClientDeps,
): Client {
  const client = new Client(
    { name: 'Cloche', version: '1' },
    {
      versionNegotiation: { mode },
      jsonSchemaValidator: acceptsAll,
      capabilities: {
        elicitation: { form: {}, url: {} },
        extensions: { [appsExtension]: { mimeTypes: [appMimeType] } },
      },
      listChanged: {
        tools: { autoRefresh: false, onChanged: () => reports.toolsChanged() },
        resources: { autoRefresh: false, onChanged: () => reports.offersChanged() },
        prompts: { autoRefresh: false, onChanged: () => reports.offersChanged() },
      },
    },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => asks.ask(params, latestCall()));
  client.setNotificationHandler('notifications/message', ({ params }) => {
    const call = latestCall();
    call?.heard();
    if (call !== undefined) reports.log(call.id, logLine(params));
  });
  return client;
}
