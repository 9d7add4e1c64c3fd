/** node scripts/make-icons.mjs: draws public/icons/*.png and public/favicon.ico from public/icon.svg, in the browser that the tests use. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from './browser.mjs';
import { projectFolder } from './dist.mjs';

// A launcher may cut a maskable icon to a circle of four fifths, and fills transparent areas.
const icons = [
  { name: 'icon-192.png', size: 192, drawn: 0.86, ground: 'transparent' },
  { name: 'icon-512.png', size: 512, drawn: 0.86, ground: 'transparent' },
  { name: 'maskable-512.png', size: 512, drawn: 0.54, ground: '#fdfefe' },
  { name: 'apple-touch-icon.png', size: 180, drawn: 0.68, ground: '#fdfefe' },
  // Browsers request it from the host's root if a document names no icon, such as the JSON of api/tools.
  { name: '../favicon.ico', size: 32, drawn: 1, ground: 'transparent' },
];

const folder = join(projectFolder, 'public/icons');
const mark = await readFile(join(projectFolder, 'public/icon.svg'), 'utf8');
const browser = await chromium.launch(launchOptions(await ensureBrowser()));
try {
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage({ colorScheme: 'light' });
  for (const { name, size, drawn, ground } of icons) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>
        body { display: grid; place-content: center; height: 100vh; margin: 0; background: ${ground} }
        svg { width: ${size * drawn}px; height: ${size * drawn}px }
      </style>${mark}`,
    );
    const drawing = await page.screenshot({ omitBackground: true });
    await writeFile(join(folder, name), name.endsWith('.ico') ? inIcoFile(drawing, size) : drawing);
  }
} finally {
  await browser.close();
}
console.log(`Drew ${icons.map(({ name }) => name).join(', ')}.`);

/** An ICO file of one picture: its directory, then the PNG as it is. */
function inIcoFile(/** @type {Buffer} */ png, /** @type {number} */ size) {
  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2); // an icon
  directory.writeUInt16LE(1, 4); // of one picture
  directory.writeUInt8(size, 6);
  directory.writeUInt8(size, 7);
  directory.writeUInt16LE(1, 10); // plane
  directory.writeUInt16LE(32, 12); // bits per pixel
  directory.writeUInt32LE(png.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return Buffer.concat([directory, png]);
}
