/** When the app has nothing to do: no folder being read, no Python starting, no call running, no files being stored. */

import type { App, AppStatus } from './app-types.ts';

/**
 * Resolves when that has lasted for a while.
 * @returns aborts when something begins again
 */
export function whenIdle(
  { status, calls }: Pick<App, 'status' | 'calls'>,
  quietMs: number,
): Promise<AbortSignal> {
  return new Promise((resolve) => {
    const running = new Set<string>();
    const busy = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let idle = false;
    const look = (): void => {
      if (isQuiet(status.get()) && running.size === 0) {
        timer ??= setTimeout(() => {
          idle = true;
          resolve(busy.signal);
        }, quietMs);
        return;
      }
      clearTimeout(timer);
      timer = undefined;
      if (!idle) return;
      busy.abort();
      stopStatus();
      stopCalls();
    };
    const stopStatus = status.observe(look);
    const stopCalls = calls.observe((event) => {
      if (event.type === 'call-started') running.add(event.callId);
      else if (event.type === 'call-ended') running.delete(event.call.id);
      else return;
      look();
    });
    look();
  });
}

function isQuiet({ python, phase, offline }: AppStatus): boolean {
  const settled = phase === 'none' || phase === 'ready' || phase === 'failed';
  return python === 'ready' && settled && offline.at !== 'storing';
}
