/** npm run screenshots [-- NAME…]: takes screenshots of every screen and state, in both themes and three widths, into test-results/screens. */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from './browser.mjs';
import { distFolder, projectFolder } from './dist.mjs';
import { requireBuild } from './run.mjs';
import { makeFolders, scenes } from './screens/scenes.mjs';
import { serveFolder } from './static-server.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const widths = { 1280: 800, 390: 844, 1920: 1080 };
const themes = /** @type {const} */ (['light', 'dark']);
const into = join(projectFolder, 'test-results/screens');
/** The screenshots in the README and the tour. */
const kept = new Set(
  ['tool-result-image', 'session-call', 'file-with-problems'].flatMap((scene) =>
    themes.map((theme) => `${scene}-${theme}-1280`),
  ),
);

const wanted = process.argv.slice(2);
await requireBuild();

const temporary = await temporaryFolder('screens');
const site = await serveFolder({ folder: distFolder });
const browser = await chromium.launch(launchOptions(await ensureBrowser()));
try {
  const folders = await makeFolders(temporary);
  await mkdir(into, { recursive: true });
  for (const [width, height] of Object.entries(widths)) {
    const context = await browser.newContext({
      baseURL: site.url,
      viewport: { width: Number(width), height },
      deviceScaleFactor: 1.5,
      hasTouch: Number(width) < 720,
    });
    const page = await context.newPage();
    for (const [scene, show] of Object.entries(scenes)) {
      await show(page, folders);
      if (wanted.length > 0 && !wanted.includes(scene)) continue;
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        const name = `${scene}-${colorScheme}-${width}`;
        // Colours change gradually with the theme.
        await page.screenshot({ path: join(into, `${name}.png`), animations: 'disabled' });
        console.log(name);
        if (kept.has(name)) {
          await mkdir(join(projectFolder, 'docs/images'), { recursive: true });
          await cp(join(into, `${name}.png`), join(projectFolder, 'docs/images', `${name}.png`));
        }
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await site.close();
}
