/** Makes a snapshot, from which Python starts faster, and compiles packages when the page is idle. */

import type { CallPath } from '../../runtime/call/call-path.ts';
import type { InterpreterSource } from '../../runtime/sandbox/interpreter-source.ts';
import type { Snapshots } from '../../runtime/sandbox/snapshots.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Status } from '../app.ts';
import type { PageDeps } from '../page-deps.ts';
import { whenIdle } from '../when-idle.ts';

export interface SnapshotDeps extends PageDeps {
  readonly status: Status;
  readonly calls: Pick<CallPath, 'observe'>;
  readonly interpreters: Pick<InterpreterSource, 'makeSnapshot' | 'starting'>;
  readonly snapshots: Snapshots;
  readonly compilePackages: (signal: AbortSignal) => Promise<void>;
}

/** Milliseconds that the page must be idle before a snapshot is made. */
const quietMs = 5_000;
/** Number of attempts, since other work can interrupt one. */
const attempts = 5;

/**
 * Makes a snapshot and compiles the folder's packages if there is need, once Python has started and the page is idle. Never
 * rejects.
 */
export async function makeSnapshotWhenIdle(deps: SnapshotDeps): Promise<void> {
  const { base, window, interpreters, snapshots, compilePackages } = deps;
  const { locks } = window.navigator;
  const lock = `cloche:${base.pathname}:snapshot`;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    let busy: AbortSignal;
    do busy = await whenIdle(deps, quietMs);
    while (interpreters.starting);
    try {
      // If several pages are open, only one makes the snapshot.
      await locks.request(lock, { ifAvailable: true }, async (mine) => {
        if (mine === null) return;
        if (!(await snapshots.needsNone())) await interpreters.makeSnapshot(busy);
        await compilePackages(busy);
      });
      return;
    } catch (thrown) {
      // Storage is full or blocked, or the browser does not support it. Python starts without a snapshot.
      if (!(thrown instanceof ToolError && thrown.code === 'aborted')) return;
    }
  }
}
