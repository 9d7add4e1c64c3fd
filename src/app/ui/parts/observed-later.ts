/** Observes values that load later; in a file of its own, since the first paint needs only the rest. */

import { whenReady } from '../../../runtime/async/late-value.ts';
import { Observed, type Source } from './observed.ts';

/**
 * Observes part of a value that loads later.
 * @param read gets null until it has loaded
 * @param sourceOf what to observe then
 */
export function observeLater<Value, T>(
  value: Promise<Value>,
  read: (value: Value | null) => T,
  sourceOf: (value: Value) => Source,
): Observed<T> {
  let loaded: Value | null = null;
  return new Observed(() => read(loaded), {
    observe: (changed) =>
      whenReady(value, (arrived) => {
        loaded = arrived;
        changed();
        return sourceOf(arrived).observe(changed);
      }),
  });
}
