/** npm run lighthouse: audits the built app's first visit; fails below accessibility 100, best practices 95, performance 90. */

import { desktopConfig } from 'lighthouse';
import { distFolder } from '../scripts/dist.mjs';
import { requireBuild } from '../scripts/run.mjs';
import { serveFolder } from '../scripts/static-server.mjs';
import { audit, launchForLighthouse } from './audit.mjs';

const least = { accessibility: 100, 'best-practices': 95, performance: 90 };
const port = 9322;

await requireBuild();

const site = await serveFolder({ folder: distFolder });
const browser = await launchForLighthouse(port);
let failed = false;
try {
  for (const [device, config] of /** @type {const} */ ([
    ['desktop', desktopConfig],
    ['phone', undefined],
  ])) {
    const { passed, audits } = await audit(site.url, port, least, { title: `${device}: `, config });
    failed ||= !passed;
    for (const { id, title, score, displayValue } of Object.values(audits))
      if (score !== null && score < 0.9) console.log(`  ${id}: ${title} ${displayValue ?? ''}`);
  }
} finally {
  await browser.close();
  await site.close();
}
process.exit(failed ? 1 : 0);
