/** Says in the status that Python is busy, where that lasts: most calls are over before anybody could read it. */

import type { StatusHolder } from './app-status.ts';
import type { CallPath } from './call/call-path.ts';

/** How long a call lasts before the status calls Python busy; milliseconds. */
const busyMs = 100;

export function tellBusyPython(
  calls: Pick<CallPath, 'observe'>,
  status: Pick<StatusHolder, 'get' | 'set'>,
): void {
  const busy = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const python = busy.size > 0 ? 'busy' : 'ready';
    const { python: told } = status.get();
    if (told !== python && (told === 'ready' || told === 'busy')) status.set({ python });
  };
  calls.observe((event) => {
    if (event.type === 'call-started') {
      busy.add(event.callId);
      timer ??= setTimeout(() => {
        timer = undefined;
        tell();
      }, busyMs);
    } else if (event.type === 'call-ended') {
      busy.delete(event.call.id);
      if (busy.size === 0 && status.get().python === 'busy') tell();
    }
  });
}
