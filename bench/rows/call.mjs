/** A no-op tool with 100 bytes of arguments, the whole path with logging, against a plain worker. */

import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { alternate, quantile } from '../measure.mjs';
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
  /** @type {number[]} */
  const all = [];
  /** @type {number[]} */
  const allPlain = [];
  const { ours: median, floor } = await alternate(
    async () => {
      const times = await callOurs(ours, { tool: echoTool, args, count });
      all.push(...times);
      return quantile(times);
    },
    async () => {
      const times = await callPlain(plain, { tool: echoTool, args, count });
      allPlain.push(...times);
      return quantile(times);
    },
    9,
  );
  return [
    { name: 'call', unit: 'ms', ours: median, floor, target: 3 },
    {
      name: 'call-p99',
      unit: 'ms',
      ours: quantile(all, 0.99),
      floor: quantile(allPlain, 0.99),
      target: 6,
    },
  ];
}
