/**
 * The memory of an idle page: the app with the samples open, two minutes after its last run, and the plain page after its
 * result. The tool is `stateless`. After a tool that is not, the app keeps the interpreter for its state.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../../scripts/browser.mjs';
import { echoFiles, echoTool } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { allStored, callOurs, callPlain, openOurs, openPlain } from '../pages.mjs';
import { browserMegabytes } from '../processes.mjs';

/** Each pair takes four minutes. */
const pairs = 3;
const idleMs = 120_000;

/** @param {import('../row.mjs').Bench} bench */
export default async function memoryIdle({ sites }) {
  const measured = await alternate(
    () =>
      settled(sites.temporary, async (page) => {
        await openOurs(page, sites.ours);
        await page.getByRole('button', { name: 'Open samples' }).first().click();
        await page.waitForFunction(() => globalThis.cloche.status.get().phase === 'ready');
        const args = '{"expression": "6 * 7"}';
        await callOurs(page, { tool: 'calculator:calculate', args, count: 1 });
        await allStored(page);
      }),
    () =>
      settled(sites.temporary, async (page) => {
        await openPlain(page, sites.plain, echoFiles());
        await callPlain(page, { tool: echoTool, args: '{"text": "hello"}', count: 1 });
      }),
    pairs,
  );
  return [{ name: 'memory-idle', unit: 'MB', ...measured, target: 1.4 }];
}

/**
 * Megabytes that the page adds to an empty browser. In a profile on disk, because a temporary one keeps all that is stored
 * in memory.
 * @param {string} temporary
 * @param {(page: import('@playwright/test').Page) => Promise<unknown>} use
 */
async function settled(temporary, use) {
  const profile = await mkdtemp(join(temporary, 'idle-'));
  const options = launchOptions(await ensureBrowser());
  const browser = await chromium.launchPersistentContext(profile, options);
  try {
    const page = await browser.newPage();
    await page.goto('about:blank');
    await page.waitForTimeout(3_000);
    const empty = await browserMegabytes();
    await use(page);
    await page.waitForTimeout(idleMs);
    return (await browserMegabytes()) - empty;
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true });
  }
}
