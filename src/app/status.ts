/** The status that the page shows: that of the folder, and whether Python starts, is ready, or is busy. */

import type { CallPath } from '../runtime/call/call-path.ts';
import { initialFolderStatus, type StatusHolder } from '../runtime/open-folder/status.ts';
import type { AppStatus } from './app.ts';

export const initialStatus: AppStatus = {
  ...initialFolderStatus,
  api: 'starting',
  storage: 'ok',
  offline: { at: 'unknown' },
  update: null,
};

/**
 * Milliseconds that a call runs before the status shows Python as busy. Most calls are shorter than anyone could read.
 */
const busyMs = 100;

/** Shows Python as busy during long calls. Many short ones do not change the status: each change draws the page. */
export function showBusyPython(
  calls: Pick<CallPath, 'observe'>,
  status: StatusHolder<AppStatus>,
): void {
  /** When each running call started, oldest first. */
  const started = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (python: 'ready' | 'busy'): void => {
    const { python: shown } = status.get();
    if (shown !== python && (shown === 'ready' || shown === 'busy')) status.set({ python });
  };
  const check = (): void => {
    timer = undefined;
    const [oldest] = started.values();
    if (oldest === undefined) return;
    const rest = oldest + busyMs - performance.now();
    if (rest > 0) timer = setTimeout(check, rest);
    else show('busy');
  };
  // A call may have begun while Python started.
  status.observe(({ python }) => {
    if (python === 'ready' && started.size > 0) timer ??= setTimeout(check, busyMs);
  });
  calls.observe((event) => {
    if (event.type === 'call-started') {
      started.set(event.callId, performance.now());
      timer ??= setTimeout(check, busyMs);
    } else if (event.type === 'call-ended') {
      started.delete(event.call.id);
      if (started.size === 0) show('ready');
    }
  });
}
