/** A later visit in the same profile: from the navigation to the first tool's result, against the plain page with a warm cache. */

import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { firstResult, firstResultPlain, shownAt } from './first-visit.mjs';

const args = '{"text": "hello"}';
/** How long an idle page may take to have stored all that a later visit uses; milliseconds. */
const patience = 180_000;

/** @param {import('../row.mjs').Bench} bench */
export default async function nextVisit({ newPage, sites }) {
  const files = echoFiles();
  const folder = await writeFolder(`${sites.temporary}/next-visit`, files);
  const ours = await newPage();
  const plain = await newPage();
  await firstResult(ours, sites.ours, folder);
  await allStored(ours);
  await nextResult(ours, sites.ours);
  await firstResultPlain(plain, sites.plain, files);
  const measured = await alternate(
    () => nextResult(ours, sites.ours),
    () => firstResultPlain(plain, sites.plain, files),
  );
  return [{ name: 'next-visit', unit: 'ms', ...measured, target: 0.35 }];
}

/**
 * The folder of the last visit opens by itself; the tool is chosen and run as soon as it is there.
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 */
async function nextResult(page, url) {
  // Another visit, not another place in the same page.
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  await page.evaluate(async (text) => {
    /** @type {<T extends 'a' | 'button' | 'textarea'>(tag: T, name: RegExp) => Promise<HTMLElementTagNameMap[T]>} */
    const shown = async (tag, name) => {
      for (;;) {
        for (const each of document.querySelectorAll(tag))
          if (name.test(each.getAttribute('aria-label') ?? each.textContent.trim())) return each;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    };
    (await shown('a', /^echo$/)).click();
    const editor = await shown('textarea', /./);
    editor.value = text;
    editor.dispatchEvent(new Event('input', { bubbles: true }));
    (await shown('button', /^Run$/)).click();
  }, args);
  return shownAt(page);
}

/**
 * Waits until the page has stored its files and its snapshot.
 * @param {import('@playwright/test').Page} page
 */
async function allStored(page) {
  const stored = async () => {
    if (globalThis.cloche.status.get().offline.at !== 'ready') return false;
    try {
      const root = await navigator.storage.getDirectory();
      const ours = await root.getDirectoryHandle('cloche-snapshots');
      for await (const folder of ours.values()) {
        if (folder.kind !== 'directory') continue;
        // Written last.
        await (await folder.getDirectoryHandle('python')).getFileHandle('manifest.json');
        return true;
      }
    } catch {
      // Not yet.
    }
    return false;
  };
  const until = Date.now() + patience;
  while (!(await page.evaluate(stored))) {
    if (Date.now() > until) throw new Error('The page has stored no snapshot.');
    await page.waitForTimeout(300);
  }
}
