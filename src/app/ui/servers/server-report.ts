/** Texts about a server for others: the report of its problems, and requests as commands. */

import { serverFaultText } from '../../../agent/mcp/server-fault-text.ts';
import type { ServerView } from '../../../agent/mcp/server.ts';
import { hiddenValue, type TracedMessage } from '../../../runtime/protocol/mcp.ts';
import { curlCommand } from '../parts/shell-command.ts';

const maxProblems = 200;

/** A report for the author of a server, in the terms of the specification. */
export function serverReport({ url, facts, fault, problems }: ServerView): string {
  const { origin, pathname } = new URL(url);
  const about =
    facts === null
      ? []
      : [
          `Server: ${facts.name} ${facts.version}`,
          `Revision: ${facts.revision}`,
          `Capabilities: ${facts.capabilities.join(', ')}`,
          `Connecting: ${Math.round(facts.latencyMs)} ms`,
        ];
  const found = [...(fault === null ? [] : [serverFaultText(fault, url)]), ...problems];
  return [
    `Problems of the MCP server at ${origin}${pathname}`,
    ...about,
    '',
    ...(found.length === 0
      ? ['None found.']
      : found.slice(0, maxProblems).map((one) => `- ${one}`)),
    '',
  ].join('\n');
}

/** A request as a command. Keys are hidden in the trace already, so the user has to enter them. */
export function curlOf({ method, url, headers, body }: TracedMessage): string {
  const shown = headers.map(
    ([name, value]) => [name, value === hiddenValue ? `<${name}>` : value] as const,
  );
  return curlCommand({ method, url, headers: shown, body: body === '' ? null : body });
}
