/** npm run lighthouse: audits the built app's first visit; fails below accessibility 100, best practices 95, performance 90. */

import { chromium } from '@playwright/test';
import lighthouse, { desktopConfig } from 'lighthouse';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';
import { distFolder } from '../scripts/dist.mjs';
import { run } from '../scripts/run.mjs';
import { serveFolder } from '../scripts/static-server.mjs';

const least = { accessibility: 100, 'best-practices': 95, performance: 90 };
const port = 9322;

const { code } = await run(['node', 'scripts/build.mjs', '--if-stale']);
if (code !== 0) process.exit(code);

const site = await serveFolder({ folder: distFolder });
const options = launchOptions(await ensureBrowser());
const browser = await chromium.launch({
  ...options,
  args: [...options.args, `--remote-debugging-port=${port}`],
});
let failed = false;
try {
  for (const [device, config] of /** @type {const} */ ([
    ['desktop', desktopConfig],
    ['phone', undefined],
  ])) {
    const result = await lighthouse(
      site.url,
      { port, onlyCategories: Object.keys(least), output: 'json', logLevel: 'error' },
      config,
    );
    if (!result) throw new Error('Lighthouse gave no result.');
    for (const [name, wanted] of Object.entries(least)) {
      const score = Math.round((result.lhr.categories[name]?.score ?? 0) * 100);
      const good = score >= wanted;
      failed ||= !good;
      console.log(`${good ? '✓' : '✗'} ${device}: ${name} ${score} (at least ${wanted})`);
    }
    for (const { id, title, score, displayValue } of Object.values(result.lhr.audits))
      if (score !== null && score < 0.9) console.log(`  ${id}: ${title} ${displayValue ?? ''}`);
  }
} finally {
  await browser.close();
  await site.close();
}
process.exit(failed ? 1 : 0);
