/**
 * Detects when the app is idle: no folder is being read, Python is not starting, no call runs, and no files
 * are being stored.
 */

import type { CallPath } from '../runtime/call/call-path.ts';
import type { AppStatus, Status } from './app.ts';

interface Watched {
  readonly status: Status;
  readonly calls: Pick<CallPath, 'observe'>;
}

/** Milliseconds after which background downloads begin in any case. They normally follow Python's start and first work. */
const longestMs = 30_000;
/** Milliseconds that the page must be idle before that. */
const quietMs = 1_500;

/**
 * Resolves when background downloads delay no work: the page is idle and, if a folder is open, the first call has
 * ended. Resolves anyway if Python has failed to start, or after half a minute.
 */
export function afterFirstResult(deps: Watched): Promise<void> {
  const { status, calls } = deps;
  return new Promise((resolve) => {
    let hasResult = false;
    const settle = (): void => {
      clearTimeout(timer);
      stopStatus();
      stopCalls();
      resolve();
    };
    const whenQuiet = (): void => {
      void whenIdle(deps, quietMs).then(() => {
        if (hasResult || status.get().phase === 'none') settle();
      });
    };
    const check = (): void => {
      if (status.get().python === 'failed') settle();
    };
    const timer = setTimeout(settle, longestMs);
    const stopStatus = status.observe(check);
    const stopCalls = calls.observe(({ type }) => {
      if (type !== 'call-ended' || hasResult) return;
      hasResult = true;
      whenQuiet();
    });
    whenQuiet();
    check();
  });
}

/**
 * Resolves when the app has been idle for `quietMs` milliseconds.
 * @returns a signal that aborts when work starts again
 */
export function whenIdle({ status, calls }: Watched, quietMs: number): Promise<AbortSignal> {
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
