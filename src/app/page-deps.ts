/** Dependencies of the parts of the app on the page, new ids, and the worker that sends requests. */

import type { MessageTap } from '../runtime/protocol/message-tap.ts';
import type { CallsConnection } from '../runtime/connect/calls.ts';
import type { CallLog } from '../runtime/call/call-log.ts';
import type { AgentHooks } from '../agent/turn/hooks.ts';
import type { StatusHolder } from '../runtime/open-folder/status.ts';
import type { OpenSessions } from '../agent/session/open-sessions.ts';
import type { AppStatus } from './app.ts';
import type { Database } from '../runtime/storage/db.ts';
import type { Limits } from '../runtime/spec/limits.ts';

export interface PageDeps {
  /** Address of the app, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
  /** Whether a page of another origin frames this one. Then nothing is stored or granted: docs/decisions/framing.md. */
  readonly framed: boolean;
  /** Undefined if the page was loaded over plain HTTP, or is framed. */
  readonly storage: StorageManager | undefined;
  readonly limits: Limits;
  /** Sees the messages between the page and its workers. */
  readonly tap: MessageTap;
  readonly database: () => Promise<Database>;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** The parts of the app from which others are composed. */
export interface Parts extends CallsConnection {
  readonly log: CallLog;
  readonly hooks: AgentHooks;
  readonly status: StatusHolder<AppStatus>;
  readonly openSessions: OpenSessions;
  /** Local storage; null if the browser refuses it. */
  readonly memory: Storage | null;
}

export function newId(): string {
  return crypto.randomUUID();
}

/** Started from a file, so that the policy of the page, which allows no requests to other hosts, does not apply to it. */
export function startNetworkWorker(tap: MessageTap): Worker {
  const worker = new Worker(new URL('../../workers/network/sender.ts', import.meta.url), {
    type: 'module',
    name: 'network',
  });
  return tap.watch('network', worker);
}
