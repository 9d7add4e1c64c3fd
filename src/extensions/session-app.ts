/**
 * What `app` lets an extension read and do once it is bound to a session. Extensions in Python use the same names in
 * snake_case, and arrive here through `python-requests.ts`.
 */

import type { Access, RateLimit } from './access.ts';
import type { Action } from './actions.ts';
import type { ExtensionEvent } from './events.ts';
import type { ExtensionHost } from './host.ts';
import { createReads, type Reads } from './session-reads.ts';
import { createWrites, type Writes } from './session-writes.ts';
import type { Shown } from './shown.ts';

export interface SessionApp extends Reads, Writes {
  /** `switchModel` under another name. */
  readonly setModel: Writes['switchModel'];
}

export interface SessionAppDeps {
  readonly host: ExtensionHost;
  readonly shown: Pick<Shown, 'commands' | 'shortcuts' | 'status' | 'pickers'>;
  /** Passes an event to the event handlers of all extensions. */
  readonly emit: (event: ExtensionEvent) => void;
  readonly costly: RateLimit;
}

/** @returns a function that binds one extension to a session; an empty session stands for none */
export function createBinder(
  deps: SessionAppDeps,
): (session: string, access: Access) => SessionApp {
  const running = { calls: 0 };
  const pending: Action[] = [];
  return (session, access) => {
    const bound = { ...deps, session, access, pending };
    const writes = createWrites(bound, running);
    return { ...createReads(bound), ...writes, setModel: (name) => writes.switchModel(name) };
  };
}
