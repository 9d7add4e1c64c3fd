/**
 * Stop pressed on an endless loop → result of the next call, with a spare at hand. The plain page terminates its worker,
 * loads Python again, imports and calls.
 */

import { alternate } from '../measure.mjs';
import { stopping } from '../stopping.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function afterCancel(bench) {
  const { ours, floor } = await stopping(bench, 1);
  return [{ name: 'after-cancel', unit: 'ms', ...(await alternate(ours, floor)), target: 0.02 }];
}
