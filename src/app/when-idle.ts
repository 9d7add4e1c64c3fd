/**
 * Detects when the app is idle: no folder is being read, Python is not starting, no call runs, and no files
 * are being stored.
 */

import type { CallPath } from '../runtime/call/call-path.ts';
import type { AppStatus, Status } from './app.ts';

/**
 * Resolves when the app has been idle for `quietMs` milliseconds.
 * @returns a signal that aborts when work starts again
 */
export function whenIdle(
  { status, calls }: { readonly status: Status; readonly calls: Pick<CallPath, 'observe'> },
  quietMs: number,
): Promise<AbortSignal> {
  return new Promise((resolve) => {
    const running = new Set<string>();
    const busy = new AbortController();
    /** Null while there is work. */
    let quietSince: number | null = null;
    let isWaiting = false;
    let idle = false;
    // One timer serves many short calls: setting and clearing one for each would make them slower.
    const waitOn = (ms: number): void => {
      isWaiting = true;
      setTimeout(() => {
        isWaiting = false;
        if (quietSince === null) return;
        const rest = quietSince + quietMs - performance.now();
        if (rest > 0) {
          waitOn(rest);
          return;
        }
        idle = true;
        resolve(busy.signal);
      }, ms);
    };
    const check = (): void => {
      if (isQuiet(status.get()) && running.size === 0) {
        quietSince ??= performance.now();
        if (!isWaiting && !idle) waitOn(quietMs);
        return;
      }
      quietSince = null;
      if (!idle) return;
      busy.abort();
      stopStatus();
      stopCalls();
    };
    const stopStatus = status.observe(check);
    const stopCalls = calls.observe((event) => {
      if (event.type === 'call-started') running.add(event.callId);
      else if (event.type === 'call-ended') running.delete(event.call.id);
      else return;
      check();
    });
    check();
  });
}

function isQuiet({ python, phase, offline }: AppStatus): boolean {
  const settled = phase === 'none' || phase === 'ready' || phase === 'failed';
  return python === 'ready' && settled && offline.at !== 'storing';
}
