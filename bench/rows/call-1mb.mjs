/** A call with a megabyte of arguments, and the same as the result. */

import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { callOurs, callPlain, openFolder, openOurs, openPlain } from '../pages.mjs';

const args = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
const count = 12;

/** @param {import('../row.mjs').Bench} bench */
export default async function callOneMegabyte({ newPage, sites }) {
  const ours = await newPage();
  const plain = await newPage();
  await openPlain(plain, sites.plain, echoFiles());
  await openOurs(ours, sites.ours);
  await openFolder(ours, await writeFolder(`${sites.temporary}/call-1mb`, echoFiles()));
  const measured = await alternate(
    async () => (await callOurs(ours, { tool: echoTool, args, count })).mean,
    async () => (await callPlain(plain, { tool: echoTool, args, count })).mean,
  );
  return [{ name: 'call-1mb', unit: 'ms', ...measured, target: 1.7 }];
}
