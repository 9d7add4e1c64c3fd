/** Detects when the user leaves the page, so that it can free memory, and when they return. */

import type { CallPath } from '../runtime/call/call-path.ts';
import type { Status } from './app.ts';

export interface UseDeps {
  readonly window: Pick<Window, 'addEventListener'>;
  readonly status: Status;
  readonly calls: Pick<CallPath, 'observe'>;
  /** Whether a session or plan is working. */
  readonly isWorking: () => boolean;
  onUnused(): void;
  /** Called at the first sign of use after `onUnused`. */
  onUsed(): void;
}

/** Time after which the page counts as unused; milliseconds. */
export const unusedMs = 90_000;

const signs = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'focus'] as const;

export function watchUse(deps: UseDeps): void {
  const { window, status, calls } = deps;
  const running = new Set<string>();
  let { phase } = status.get();
  let usedAt = performance.now();
  let isUnused = false;
  const lookIn = (ms: number): void => {
    setTimeout(() => {
      if (running.size > 0 || deps.isWorking()) usedAt = performance.now();
      const rest = usedAt + unusedMs - performance.now();
      if (rest > 0) {
        lookIn(rest);
        return;
      }
      isUnused = true;
      deps.onUnused();
    }, ms);
  };
  const used = (): void => {
    usedAt = performance.now();
    if (!isUnused) return;
    isUnused = false;
    deps.onUsed();
    lookIn(unusedMs);
  };
  for (const sign of signs) window.addEventListener(sign, used, { capture: true, passive: true });
  calls.observe((event) => {
    if (event.type === 'call-started') running.add(event.callId);
    else if (event.type === 'call-ended') running.delete(event.call.id);
    else return;
    used();
  });
  status.observe((now) => {
    if (now.phase !== phase) used();
    ({ phase } = now);
  });
  lookIn(unusedMs);
}
