/** Ten stops in a row, each followed by a call, as fast as possible: the mean, compared with one stop on the plain page. */

import { alternate } from '../measure.mjs';
import { stopping } from '../stopping.mjs';

/** @param {import('../row.mjs').Bench} bench */
export default async function cancelStorm(bench) {
  const { ours, floor } = await stopping(bench, 10);
  return [{ name: 'cancel-storm', unit: 'ms', ...(await alternate(ours, floor)), target: 0.12 }];
}
