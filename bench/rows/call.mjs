/**
 * A no-op tool with 100 bytes of arguments, through the whole path with logging: the mean of a batch, compared with empty
 * round trips over the same processes, and its 99th percentile, compared with a plain worker. It is long compared with the
 * clock's tick of 0.1 ms.
 */

import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { alternate, medians, quantile } from '../measure.mjs';
import { callWay, openWire, roundTrip } from '../bare-workers.mjs';
import { callOurs, callPlain, openFolder, openOurs, openPlain } from '../pages.mjs';

const args = JSON.stringify({ text: 'x'.repeat(88) });
const count = 300;

/** @param {import('../row.mjs').Bench} bench */
export default async function call({ newPage, sites }) {
  const ours = await newPage();
  const plain = await newPage();
  await openPlain(plain, sites.plain, echoFiles());
  await openOurs(ours, sites.ours);
  await openFolder(ours, await writeFolder(`${sites.temporary}/call`, echoFiles()));
  await callOurs(ours, { tool: echoTool, args, count });
  await callPlain(plain, { tool: echoTool, args, count });
  /** Of each batch. @type {number[]} */
  const slowest = [];
  /** @type {number[]} */
  const slowestPlain = [];
  await openWire(plain);
  await roundTrip(plain, callWay, count);
  const mean = await alternate(
    async () => {
      const { times, mean } = await callOurs(ours, { tool: echoTool, args, count });
      slowest.push(quantile(times, 0.99));
      return mean;
    },
    async () => {
      const { times } = await callPlain(plain, { tool: echoTool, args, count });
      slowestPlain.push(quantile(times, 0.99));
      return roundTrip(plain, callWay, count);
    },
    9,
  );
  return [
    { name: 'call', unit: 'ms', ...mean, target: 3 },
    { name: 'call-p99', unit: 'ms', ...medians(slowest, slowestPlain), target: 5 },
  ];
}
