/** Answers what a client asks before the page has started: greetings, and methods that are not offered. */

import {
  negotiateVersion,
  discoverResult,
  initializeResult,
  metaPrefix,
  modernMethods,
  modernVersion,
  serverInfo,
  sessionMethods,
} from '../../runtime/protocol/mcp-handshake.ts';
import { asFields, isRecord } from '../../runtime/spec/guards.ts';
import type { Message } from './message.ts';

/**
 * The result of `initialize`, `ping` or `server/discover`, for which no page is needed yet; null for other messages.
 * The first two come from a client with a session, the third from one without.
 */
export function greetingTo({ method, params, version }: Message, folder: string): object | null {
  const info = serverInfo(folder, '');
  if (method === 'initialize' && version === null)
    return initializeResult(negotiateVersion(params.protocolVersion), info);
  if (method === 'ping' && version === null) return {};
  if (method !== 'server/discover' || !isWithoutSession({ params, version })) return null;
  return {
    resultType: 'complete',
    _meta: { [`${metaPrefix}serverInfo`]: info },
    ...discoverResult,
  };
}

/**
 * Whether the method of a request is not offered, whatever the tools are.
 * @param hasSession whether the client has begun a session
 */
export function isUnknown(message: Message, hasSession: boolean): boolean {
  const { method, version } = message;
  if (version === null) return hasSession && !sessionMethods.has(method);
  return isWithoutSession(message) && !modernMethods.has(method);
}

/** Whether a message names the revision without sessions, and has the capabilities that each such message must have. */
function isWithoutSession({ params, version }: Pick<Message, 'params' | 'version'>): boolean {
  const capabilities = asFields(params._meta)[`${metaPrefix}clientCapabilities`];
  return version === modernVersion && isRecord(capabilities);
}
