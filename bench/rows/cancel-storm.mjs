/** Ten stops in a row, each followed by a call, as fast as it goes: the mean, against one on the plain page. */

import { alternate } from '../measure.mjs';
import { stopping } from '../stopping.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function cancelStorm(bench) {
  const { ours, floor } = await stopping(bench, 10);
  return [{ name: 'cancel-storm', unit: 'ms', ...(await alternate(ours, floor)), target: 0.3 }];
}
