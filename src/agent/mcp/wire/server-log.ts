/** What servers log: the level that they are asked for, and their messages as lines of a call's log. */

import type { Client } from '@modelcontextprotocol/client';
import type { LogLine } from '../../../runtime/spec/result.ts';

/** Limits of the name of a logger, and of a line; characters. */
const maxName = 200;
const maxText = 4_000;

/** The least severe messages that servers are asked to send. */
export const logLevel = 'info';

const pythonLevels: Readonly<Record<string, string>> = {
  notice: 'info',
  alert: 'critical',
  emergency: 'critical',
};

/** Asks a server of the modern era to log, call by call. */
export function withLogs(client: Client): object {
  return client.getProtocolEra() === 'modern'
    ? { _meta: { 'io.modelcontextprotocol/logLevel': logLevel } }
    : {};
}

interface Logged {
  readonly level: string;
  readonly logger?: string | undefined;
  readonly data: unknown;
}

/** A message of a server, with the name of a level that Python has. */
export function logLine({ level, logger, data }: Logged): LogLine {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const named = logger === undefined ? text : `${logger.slice(0, maxName)}: ${text}`;
  return { level: pythonLevels[level] ?? level, message: named.slice(0, maxText) };
}
