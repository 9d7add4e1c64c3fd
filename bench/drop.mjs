/**
 * Drops a real folder on a page over the browser's own protocol: the one way to give it a real directory handle.
 * Chromium grants reading; writing would ask a question that nobody answers here.
 */

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} folder absolute
 */
export async function drop(page, folder) {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  try {
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop']))
      await client.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  } finally {
    await client.detach();
  }
}
