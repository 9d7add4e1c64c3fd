/** The memory of the measured browser, as reported by the system. Linux only. */

import { readdir, readFile } from 'node:fs/promises';

/** Proportional set size of all processes below this one: shared pages count once. */
export async function browserMegabytes() {
  let kilobytes = 0;
  for (const id of await descendants(process.pid)) {
    const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  if (kilobytes === 0) throw new Error('This system does not tell the memory of processes.');
  return kilobytes / 1024;
}

/** @param {number} ancestor */
async function descendants(ancestor) {
  /** @type {Map<number, number>} */
  const parents = new Map();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = /\) \S (\d+)/.exec(stat)?.[1];
    if (parent !== undefined) parents.set(Number(entry), Number(parent));
  }
  return [...parents.keys()].filter((id) => {
    let at = parents.get(id);
    while (at !== undefined && at !== ancestor) at = parents.get(at);
    return at === ancestor;
  });
}
